/**
 * How many reads one client has under way at once, and who goes first when more wait. The windows of the venue are
 * the limiter's business (`rate-limit.ts`), on the clock that is handed in; this is about sockets and memory, and knows no
 * time. The only file that knows bottleneck.
 */
import Bottleneck from "bottleneck";
import { PRIORITIES, type Priority } from "./rate-limit.ts";

/** More at once would only queue inside the venue, where priorities are not ours. */
const IN_FLIGHT_MAX = 8;

/** Asked after the limiter: a request that waits here has had its turn already. */
export interface Gate {
  /** Runs `work` when there is room; of those that wait the most urgent first, equals in order. */
  run<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
  /** How many are waiting for a place. */
  waiting(): number;
}

/** Eight at once unless told otherwise. */
export function createGate(inFlightMax: number = IN_FLIGHT_MAX): Gate {
  const bottleneck = new Bottleneck({ maxConcurrent: inFlightMax });
  return {
    run: (priority, work) => bottleneck.schedule({ priority: PRIORITIES.indexOf(priority) }, work),
    waiting: () => bottleneck.counts().QUEUED ?? 0,
  };
}
