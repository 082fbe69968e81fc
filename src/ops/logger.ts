/**
 * The one place where log lines leave the program: JSON through pino for pipes and for the log file of the data folder,
 * readable lines for terminals. Every line passes the redactor, so no secret gets out.
 */
import { pino } from "pino";
import type { Clock } from "../core/clock.ts";
import type { Log, LogFields, LogLevel } from "../core/log.ts";
import { counted } from "../core/words.ts";
import { isoTime } from "../core/time.ts";
import { lossyOutput } from "./closed-pipe.ts";
import type { LogRecord } from "./log-lines.ts";
import { type RepeatFolder, foldRepeats, type Line } from "./fold-repeats.ts";

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

/** A log that can be ended, and that can copy every line to a second place. */
export interface Logger extends Log {
  /** From here on each line goes there as well, as JSON with its line break. */
  copyTo(write: (line: string) => void): void;
  /** Writes the counts that are left. Lines may still follow. */
  flush(): void;
}

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/** Rooms call it `decisionId`, lines call it `decision`; what is null is left out. */
function named(given: LogFields): LogFields {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const { decisionId, ...rest } = fields;
  return decisionId === undefined ? fields : { decision: decisionId, ...rest };
}

/** At `debug` nothing is folded: whoever asks for every line gets every line. */
const everyLine: RepeatFolder = { pass: (line) => [line], rest: () => [] };

/** Lines below `level` are dropped; colour only on a terminal, and not with NO_COLOR. */
export async function createLogger(options: LoggerOptions): Promise<Logger> {
  const { clock, level, redact, stream = process.stdout } = options;
  const readable = await readableOn(stream, options.format);
  let copy: ((line: string) => void) | null = null;
  const json = pino(
    {
      level,
      base: null,
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write: (line: string): void => {
        const shown = redact(line);
        copy?.(shown);
        if (!readable) out.write(shown);
      },
    },
  );
  const fold = level === "debug" ? everyLine : foldRepeats(clock.scale);
  const write = ({ atMs, level: at, evt, msg, fields }: Line): void => {
    const time = isoTime(atMs);
    if (!readable || copy) json[at]({ time, evt, ...fields }, msg);
    if (readable) out.write(redact(`${readable({ ...fields, level: at, time, evt, msg })}\n`));
  };
  const event: Log["event"] = (at, evt, msg, given = {}) => {
    if (RANK[at] < RANK[level]) return;
    // The counts of a run stand before its end.
    if (evt === "agent.stopping") {
      fold.rest(clock.nowMs()).forEach(write);
      if (out.lost() > 0) lost(out.lost(), "so far");
    }
    fold.pass({ atMs: clock.nowMs(), level: at, evt, msg, fields: named(given) }).forEach(write);
  };
  const lost = (lines: number, when: string): void =>
    event("warn", "log.lost", `${counted(lines, "line")} for this output could not be written ${when}`, {
      lost: lines,
    });
  const out = lossyOutput(stream, {
    begin: (reason) =>
      event(
        "warn",
        "log.lost",
        `the output of the log cannot be written (${reason}); each line is tried, all else goes on`,
      ),
    end: (lines) => lost(lines, "and it can be again"),
  });
  return {
    event,
    copyTo: (to) => {
      copy = to;
    },
    flush: () => fold.rest(clock.nowMs()).forEach(write),
  };
}

/** Loaded only where somebody reads: a restart of the daemon in a pipe does not wait for it. */
async function readableOn(
  stream: NodeJS.WriteStream,
  format: LogFormat,
): Promise<((record: LogRecord) => string) | null> {
  if (format === "json" || (format === "auto" && !stream.isTTY)) return null;
  const { lineFormat } = await import("./log-lines.ts");
  return lineFormat({
    colour: stream.isTTY && !process.env["NO_COLOR"],
    width: () => (stream.isTTY ? stream.columns : null),
  });
}
