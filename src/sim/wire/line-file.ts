/**
 * Appends lines to a file before the call returns, so that a killed process loses none. It does not sync to disk,
 * because a simulated venue need not survive a power cut. A full disk ends nothing: lines wait, in order.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** One value per line, as JSON. Lines after `close` are dropped. */
export interface LineFile {
  write(value: unknown): void;
  /** Writes what waits, if the disk takes it now. */
  retry(): void;
  close(): void;
}

/**
 * Creates the file, or appends to it. `onTrouble` is called once when the disk refuses lines, and again only after it took
 * them all. While a venue waits for its disk an agent without a journal opens nothing, so that little waits.
 */
export function openLineFile(file: string, onTrouble: (reason: string) => void): LineFile {
  let handle: number | null = openSync(file, "a", 0o600);
  let size = fstatSync(handle).size;
  let waiting: Buffer[] = [];
  let troubled = false;
  const drain = (to: number): void => {
    let taken = 0;
    try {
      for (const line of waiting) {
        writeWhole(to, line);
        size += line.length;
        taken += 1;
      }
      troubled = false;
    } catch (cause) {
      cutTo(to, size);
      if (!troubled) onTrouble(cause instanceof Error ? cause.message : String(cause));
      troubled = true;
    }
    waiting = waiting.slice(taken);
  };
  const retry = (): void => {
    if (handle !== null && waiting.length > 0) drain(handle);
  };
  return {
    write: (value) => {
      if (handle === null) return;
      waiting.push(Buffer.from(`${JSON.stringify(value)}\n`));
      drain(handle);
    },
    retry,
    close: () => {
      retry();
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}

/** A disk that fills up takes a part and says so only at the next call. */
function writeWhole(handle: number, line: Buffer): void {
  for (let done = 0; done < line.length;) done += writeSync(handle, line, done);
}

/** The part of a line would make the whole file unreadable. */
function cutTo(handle: number, size: number): void {
  try {
    ftruncateSync(handle, size);
  } catch {
    // What stays is cut off at the next failure, or is the last line, which a reader skips.
  }
}
