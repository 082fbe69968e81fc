/**
 * The one place where log lines leave the program: JSON through pino for pipes, readable lines for terminals. Every line
 * passes the redactor, so no secret survives whatever put it there.
 */
import { pino } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Log, LogFields, LogLevel } from "../core/log.ts";
import { isoTime } from "../core/time.ts";
import { readableLine } from "../faces/log-lines.ts";

/** auto: readable lines on a terminal, JSON in a pipe. */
export type LogFormat = "auto" | "json" | "text";

/** `redact` is shown each line whole before it leaves; the stream is standard output when absent. */
export interface LoggerOptions {
  readonly clock: Clock;
  readonly format: LogFormat;
  readonly level: LogLevel;
  readonly redact: (text: string) => string;
  readonly stream?: NodeJS.WriteStream;
}

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/** Rooms call it `decisionId`, lines call it `decision`; what is null is left out. */
function named(given: LogFields): LogFields {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const { decisionId, ...rest } = fields;
  return decisionId === undefined ? fields : { decision: decisionId, ...rest };
}

/** Lines below `level` are dropped; colour only on a terminal, and not with NO_COLOR. */
export function createLogger({ clock, format, level, redact, stream = process.stdout }: LoggerOptions): Log {
  const text = format === "text" || (format === "auto" && stream.isTTY);
  const colour = stream.isTTY && !process.env["NO_COLOR"];
  const write = (line: string): void => void stream.write(redact(line));
  const json = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime(clock.nowMs())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return {
    event: (at, evt, msg, given = {}) => {
      if (RANK[at] < RANK[level]) return;
      const fields = named(given);
      if (text) write(`${readableLine({ atMs: clock.nowMs(), level: at, evt, msg, fields }, colour)}\n`);
      else json[at]({ evt, ...fields }, msg);
    },
  };
}
