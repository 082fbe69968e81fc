/** Lines of JSON read back: which are events of ours, and which of them a reader asked for. */
import { LOG_EVENTS, type LogEvent } from "../core/log-events.ts";
import type { LogLevel } from "../core/log.ts";
import { nearestWord } from "../core/nearest.ts";
import { err, ok, type Result } from "../core/result.ts";
import { parseInstant } from "../core/time.ts";
import type { LogRecord } from "./log-lines.ts";

/** From the least important to the most. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface LogFilter {
  /** Epoch ms; earlier events are left out. */
  readonly sinceMs?: number;
  /** Names of events, or the beginnings of names up to a dot. */
  readonly evts?: readonly string[];
  readonly decision?: string;
  /** The least important level that is shown. */
  readonly level?: LogLevel;
}

/** What stands before the JSON: an instant of `docker logs -t`, a service's name of `docker compose logs`. */
export interface ReadLine {
  readonly record: LogRecord;
  readonly before: string;
}

const INSTANT_ONLY = /^\d{4}-\d{2}-\d{2}T\S+$/;

/** Null for a line that is no event of ours: text of another program, or a line that was cut. */
export function readRecord(line: string): ReadLine | null {
  const start = line.indexOf("{");
  if (start === -1) return null;
  const record = parse(line.slice(start));
  if (record === null) return null;
  const before = line.slice(0, start).trim();
  return { record, before: INSTANT_ONLY.test(before) ? "" : before };
}

function parse(text: string): LogRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { level, time, evt, msg } = value as Partial<Record<string, unknown>>;
  const isOurs =
    LOG_LEVELS.includes(level as LogLevel) &&
    typeof evt === "string" &&
    typeof msg === "string" &&
    typeof time === "string" &&
    parseInstant(time) !== null;
  return isOurs ? (value as LogRecord) : null;
}

/** True for an event that was asked for; an empty filter asks for everything. */
export function fits(record: LogRecord, { sinceMs, evts, decision, level }: LogFilter): boolean {
  if (sinceMs !== undefined && (parseInstant(record.time) ?? 0) < sinceMs) return false;
  if (level !== undefined && LOG_LEVELS.indexOf(record.level) < LOG_LEVELS.indexOf(level)) return false;
  if (decision !== undefined && record["decision"] !== decision) return false;
  return evts === undefined || evts.some((name) => record.evt === name || record.evt.startsWith(`${name}.`));
}

/** `order.filled,order.rejected`, or a family such as `order`. The error names what was probably meant. */
export function eventNames(text: string): Result<readonly string[], string> {
  const known = Object.keys(LOG_EVENTS) as LogEvent[];
  const names = text
    .split(",")
    .map((name) => name.trim().replace(/\.\*?$/, ""))
    .filter((name) => name !== "");
  if (names.length === 0) return err("write the name of an event, such as order.filled.");
  const families = [...new Set(known.map((name) => name.split(".")[0] ?? name))];
  const unknown = names.find((name) => !families.includes(name) && !known.includes(name as LogEvent));
  if (unknown === undefined) return ok(names);
  const near = nearestWord(unknown, [...known, ...families]);
  return err(`there is no event ${unknown}${near ? `; did you mean ${near}?` : ";"} docs/LOG-EVENTS.md lists them.`);
}
