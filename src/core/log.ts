/** Logging as a port. One event a line, under a name from the closed list in `log-events.ts`. */
import type { LogEvent } from "./log-events.ts";

/** Plain data only: numbers, strings, booleans, nested objects of these. Decimals as strings. */
export type LogFields = Readonly<Record<string, unknown>>;
/** From the least important to the most; `--log-level` names the least that is shown. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What rooms log through; only `main/` writes lines. */
export interface Log {
  /** Writes one event. `msg` is one short sentence for a person; the fields are for machines. */
  event(level: LogLevel, evt: LogEvent, msg: string, fields?: LogFields): void;
}

/** For commands whose output is their result, and for agents played faster than anybody reads. */
export const silentLog: Log = { event: () => undefined };
