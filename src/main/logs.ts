/** `ballast logs`: shows JSON log lines of the data folder, a file or a pipe in readable form. */
import { existsSync, fstatSync, statSync } from "node:fs";
import { logPath, olderLogPath } from "../ops/log-file.ts";
import { bytesOf, followed, linesOf, type LogRead } from "../ops/log-sources.ts";
import { EXIT } from "../ops/exit-codes.ts";
import { complain } from "../ops/complaint.ts";
import { dataDirOf } from "../control/running-agent.ts";
import { systemClock } from "../core/clock.ts";
import type { LogsOptions } from "../faces/cli/logs-command.ts";
import { lineFormat } from "../ops/log-lines.ts";
import { fits, type LogFilter, readRecord } from "../ops/log-records.ts";
import { oneLine } from "../core/safe-text.ts";

/** Default number of lines before the new ones. */
const LINES_BEFORE_NEW = 20;

/** Runs until the source ends; with `follow` until a signal or until the reader closes. */
export async function logsProgram(file: string | undefined, options: LogsOptions): Promise<number> {
  const clock = systemClock();
  const closed = new AbortController();
  process.stdout.on("error", () => closed.abort());
  const source = sourceOf(file, options, closed.signal);
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
  await show(source, { filter, newest, write: writer(options.json), signal: closed.signal });
  return EXIT.ok;
}

/** An error text if there is no source. */
function sourceOf(
  file: string | undefined,
  { dataDir, follow }: LogsOptions,
  signal: AbortSignal,
): AsyncIterable<LogRead> | string {
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
    : `there is no log at ${present}: no agent has run there. Start one with: ballast run, or read the log of an agent elsewhere: docker logs ballast | ballast logs`;
}

/** Schedulers and remote shells pass an empty pipe; then show the data folder's log. */
async function* pipedOr(files: readonly string[]): AsyncGenerator<LogRead> {
  let isEmpty = true;
  for await (const read of linesOf(process.stdin as AsyncIterable<Buffer>)) {
    isEmpty = false;
    yield read;
  }
  if (isEmpty) yield* linesOf(bytesOf(files));
}

/** A terminal or a closed standard input contains no log. */
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
  /** Number of existing lines to show; all if undefined. */
  readonly newest: number | undefined;
  readonly write: (line: Shown) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Shown {
  readonly text: string;
  readonly record: ReturnType<typeof readRecord>;
}

async function show(source: AsyncIterable<LogRead>, { filter, newest, write, signal }: Showing): Promise<void> {
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

/** Text of other programs belongs to the event before it; a filter by name hides it. */
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

/** Resolves once the line is written, so that a slow reader delays the next one. */
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
