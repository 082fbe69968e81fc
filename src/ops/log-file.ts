/**
 * The agent's own log file in its data folder, for `ballast logs`: lines of JSON, at most two files of a fixed size. It
 * never ends trading: lines that the disk refuses wait, up to a bound, and are written later; the rest is lost.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";

/** About a week of an agent that decides every minute. */
const FILE_BYTES_MAX = 16 * 1_048_576;
/** Longer than any line that ends a run. */
const TAIL_BYTES = 65_536;
/** The bound on lines that wait for a full disk. */
const WAITING_BYTES_MAX = 1_048_576;

export interface LogFile {
  /** One line with its line break. Never throws. */
  write(line: string): void;
  close(): void;
}

export const logPath = (dataDir: string): string => path.join(dataDir, "ballast.log");
/** The file before the present one. */
export const olderLogPath = (dataDir: string): string => `${logPath(dataDir)}.1`;

type LogRecord = Readonly<Record<string, unknown>>;

/** The newest of these events near the end of the file; null where there is none, or the file cannot be read. */
function lastRecord(dataDir: string, events: readonly string[]): LogRecord | null {
  try {
    const fd = openSync(logPath(dataDir), "r");
    try {
      const { size } = fstatSync(fd);
      const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(fd, tail, 0, tail.length, size - tail.length);
      const lines = tail.toString("utf8").split("\n").reverse();
      for (const line of lines) {
        // The first line of the tail may be cut, and no line but a whole one is JSON.
        const found = events.some((name) => line.includes(`"${name}"`)) ? recordOf(line) : null;
        if (found !== null && events.includes(String(found["evt"]))) return found;
      }
      return null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** When and why the last run ended with an error, by its own log; null if it did not, or left no word. */
export function failedRun(dataDir: string): { readonly at: string; readonly why: string } | null {
  const last = lastRecord(dataDir, ["agent.starting", "agent.stopped", "agent.failed"]);
  return last?.["evt"] === "agent.failed" ? { at: String(last["time"]), why: String(last["msg"]) } : null;
}

function recordOf(line: string): LogRecord | null {
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    return null;
  }
}

/** How much is there, and whether a process that ended in the middle of a line left its end open. */
function found(file: string): { bytes: number; cut: boolean } {
  const fd = openSync(file, "a+", 0o600);
  try {
    const bytes = fstatSync(fd).size;
    const last = Buffer.alloc(1);
    if (bytes > 0) readSync(fd, last, 0, 1, bytes - 1);
    return { bytes, cut: bytes > 0 && last.toString() !== "\n" };
  } finally {
    closeSync(fd);
  }
}

/** `onTrouble` is called once when lines cannot be written, and again only after they could be. */
export function openLogFile(
  dataDir: string,
  onTrouble: (reason: string) => void,
  maxBytes: number = FILE_BYTES_MAX,
): LogFile {
  const file = logPath(dataDir);
  let troubled = false;
  const trouble = (cause: unknown): void => {
    if (troubled) return;
    troubled = true;
    onTrouble(cause instanceof Error ? cause.message : String(cause));
  };
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (cause) {
      trouble(cause);
      return null;
    }
  };
  const opened = attempt(() => {
    const { bytes, cut } = found(file);
    const sink = pino.destination({ dest: file, append: true, sync: true, maxLength: WAITING_BYTES_MAX, mode: 0o600 });
    sink.on("error", trouble);
    sink.on("write", () => (troubled = false));
    if (cut) sink.write("\n");
    return { sink, bytes };
  });
  if (opened === null) return { write: () => undefined, close: () => undefined };
  const { sink } = opened;
  let { bytes } = opened;
  let isOpen = true;
  const turnOver = (): void => {
    // A folder that refuses the new name ends the file here, because it would grow without a bound.
    isOpen = false;
    renameSync(file, olderLogPath(dataDir));
    sink.reopen();
    bytes = 0;
    isOpen = true;
  };
  return {
    write: (line) => {
      if (!isOpen) return;
      attempt(() => {
        sink.write(line);
        bytes += Buffer.byteLength(line);
        if (bytes >= maxBytes) turnOver();
      });
    },
    close: () => {
      isOpen = false;
      attempt(() => sink.end());
    },
  };
}
