/** How often the log has claimed something about the venue. `ballast verify` compares this with the rows (I36). */
import type { Log } from "../core/log.ts";
import type { LogEvent } from "../core/log-events.ts";

/** Log events that say what became of an order or a position. */
const COUNTED: ReadonlySet<LogEvent> = new Set<LogEvent>([
  "order.filled",
  "order.cancelled",
  "position.opened",
  "position.closed",
  "position.protected",
]);

export interface LineCounts {
  /** The same log, with its lines counted. */
  readonly log: Log;
  /** Lines by event since the start. */
  reported(): Readonly<Record<string, number>>;
}

/** The agent's loop logs through it; lines from elsewhere are not counted. */
export function countLines(log: Log): LineCounts {
  const counts = new Map<LogEvent, number>();
  return {
    log: {
      event: (level, evt, msg, fields) => {
        if (COUNTED.has(evt)) counts.set(evt, (counts.get(evt) ?? 0) + 1);
        log.event(level, evt, msg, fields);
      },
    },
    reported: () => Object.fromEntries(counts),
  };
}
