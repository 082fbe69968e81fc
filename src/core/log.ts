/** Logging as a port. One event a line, under a name from the closed list in `log-events.ts`. */
import type { LogEvent } from "./log-events.ts";

/** Plain data only: numbers, strings, booleans, nested objects of these. Decimals as strings. */
export type LogFields = Readonly<Record<string, unknown>>;
/** From the least important to the most important; `--log-level` sets the least level shown. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The log port. */
export interface Log {
  /** Writes one event. `msg` is one short sentence for a person; the fields are for machines. */
  event(level: LogLevel, evt: LogEvent, msg: string, fields?: LogFields): void;
}

/** For commands whose output is their result, and for simulated agents. */
export const silentLog: Log = { event: () => undefined };
