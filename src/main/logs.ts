/** `ballast logs`: lines of JSON read back into the readable form, from the data folder, a file or a pipe. */
import { existsSync, fstatSync, statSync } from "node:fs";
import { logPath, olderLogPath } from "../ops/log-file.ts";
import { bytesOf, followed, linesOf, type Read } from "../ops/log-sources.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { complain } from "../ops/complaint.ts";
import { dataDirOf } from "../control/running-agent.ts";
import { systemClock } from "../core/clock.ts";
import type { LogsOptions } from "../faces/cli/logs-command.ts";
import { lineFormat } from "../ops/log-lines.ts";
import { fits, type LogFilter, readRecord } from "../ops/log-records.ts";
import { oneLine } from "../core/tokens.ts";

/** Shown before what is new, where nothing says how much. */
const LINES_BEFORE_NEW = 20;

/** Until the source ends; with `follow` until a signal comes or the reader goes. */
export async function logsProgram(file: string | undefined, options: LogsOptions): Promise<number> {
  const clock = systemClock();
  const gone = new AbortController();
  process.stdout.on("error", () => gone.abort());
  const source = sourceOf(file, options, gone.signal);
  if (typeof source === "string") return complain(source);
  const sinceMs =
    options.since && ("atMs" in options.since ? options.since.atMs : clock.nowMs() - options.since.spanMs);
  const { evt, decision, level } = options;
  const filter: LogFilter = {
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(evt ? { evts: evt } : {}),
    ...(decision ? { decision } : {}),
    ...(level ? { level } : {}),
  };
  const newest = options.lines ?? (options.follow && sinceMs === undefined ? LINES_BEFORE_NEW : undefined);
  await show(source, { filter, newest, write: writer(options.json), signal: gone.signal });
  return EXIT.ok;
}

/** A text says why there is none. */
function sourceOf(
  file: string | undefined,
  { dataDir, follow }: LogsOptions,
  signal: AbortSignal,
): AsyncIterable<Read> | string {
  const clock = systemClock();
  if (file === "-") return linesOf(process.stdin as AsyncIterable<Buffer>);
  if (file !== undefined) {
    if (!existsSync(file)) return `there is no file ${file}`;
    if (statSync(file).isDirectory()) return `${file} is a folder. Write: ballast logs --data-dir ${file}`;
    return linesOf(follow ? followed(file, { clock, signal }) : bytesOf([file]));
  }
  const dir = dataDirOf(dataDir === undefined ? {} : { dataDir });
  const present = logPath(dir);
  if (follow) {
    if (!existsSync(present)) process.stderr.write(`ballast: waiting for an agent to write ${present}\n`);
    return linesOf(followed(present, { clock, signal }));
  }
  const own = [olderLogPath(dir), present].filter((one) => existsSync(one));
  if (dataDir === undefined && isPiped()) return pipedOr(own);
  return own.length > 0
    ? linesOf(bytesOf(own))
    : `there is no log at ${present}: no agent has run there. Start one with: ballast run, or read what one writes elsewhere: docker logs ballast | ballast logs`;
}

/** Schedulers and remote shells hand over a pipe with nothing in it: then the data folder is meant. */
async function* pipedOr(files: readonly string[]): AsyncGenerator<Read> {
  let isEmpty = true;
  for await (const read of linesOf(process.stdin as AsyncIterable<Buffer>)) {
    isEmpty = false;
    yield read;
  }
  if (isEmpty) yield* linesOf(bytesOf(files));
}

/** A terminal or nothing at all on standard input is no log. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

interface Showing {
  readonly filter: LogFilter;
  /** How many of the lines that are there at first; all of them when absent. */
  readonly newest: number | undefined;
  readonly write: (line: Shown) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Shown {
  readonly text: string;
  readonly record: ReturnType<typeof readRecord>;
}

async function show(source: AsyncIterable<Read>, { filter, newest, write, signal }: Showing): Promise<void> {
  const isAsked = wanted(filter);
  let waiting: Shown[] | null = newest === undefined ? null : [];
  const leave = async (): Promise<void> => {
    const lines = waiting ?? [];
    waiting = null;
    for (const line of lines) await write(line);
  };
  for await (const read of source) {
    if (signal.aborted) return;
    if (read.kind === "caught-up") {
      await leave();
      continue;
    }
    const line = { text: read.text, record: readRecord(read.text) };
    if (!isAsked(line)) continue;
    if (waiting === null) await write(line);
    else {
      waiting.push(line);
      if (waiting.length > (newest ?? 0)) waiting.shift();
    }
  }
  await leave();
}

/** Text of others belongs to the event before it, and to none that is asked for by name. */
function wanted(filter: LogFilter): (line: Shown) => boolean {
  const byName = filter.evts !== undefined || filter.decision !== undefined || filter.level !== undefined;
  let isShowing = filter.sinceMs === undefined;
  return ({ record }) => {
    if (record === null) return !byName && isShowing;
    const asked = fits(record.record, filter);
    isShowing = asked;
    return asked;
  };
}

/** Waits where the reader is slower, and answers once the line has left. */
function writer(json: boolean): (line: Shown) => Promise<void> {
  const { stdout } = process;
  const format = lineFormat({
    colour: stdout.isTTY && !process.env["NO_COLOR"],
    width: () => (stdout.isTTY ? stdout.columns : null),
  });
  const textOf = ({ text, record }: Shown): string | null => {
    if (json) return record && JSON.stringify(record.record);
    if (record === null) return oneLine(text);
    return `${record.before === "" ? "" : `${oneLine(record.before)} `}${format(record.record)}`;
  };
  return (line) => {
    const text = textOf(line);
    if (text === null) return Promise.resolve();
    return new Promise((resolve) => stdout.write(`${text}\n`, () => resolve()));
  };
}
