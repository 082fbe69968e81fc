/**
 * Caps the reads that one client has in flight and orders those that wait by priority. The venue's rate windows
 * belong to the limiter (`rate-limit.ts`), which runs on the injected clock; the gate protects sockets and memory and
 * uses no clock. The only file that uses bottleneck.
 */
import Bottleneck from "bottleneck";
import { PRIORITIES, type Priority } from "./rate-limit.ts";

/** More requests at once would queue inside the venue, which ignores our priorities. */
const IN_FLIGHT_MAX = 8;

/** Used after the limiter: a request that waits here already has its slot. */
export interface Gate {
  /** Runs `work` when there is room; the most urgent waiting request goes first, equals in order of arrival. */
  run<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
  /** Number of requests waiting. */
  waiting(): number;
}

/** Default: eight at once. */
export function createGate(inFlightMax: number = IN_FLIGHT_MAX): Gate {
  const bottleneck = new Bottleneck({ maxConcurrent: inFlightMax });
  return {
    run: (priority, work) => bottleneck.schedule({ priority: PRIORITIES.indexOf(priority) }, work),
    waiting: () => bottleneck.counts().QUEUED ?? 0,
  };
}
