/**
 * Appends lines to a file before the call returns, so that a killed process loses none. It does not sync to disk,
 * because a simulated venue need not survive a power cut.
 */
import { closeSync, openSync, writeSync } from "node:fs";

/** One value per line, as JSON. Lines after `close` are dropped. */
export interface LineFile {
  write(value: unknown): void;
  close(): void;
}

/** Creates the file, or appends to it. */
export function openLineFile(file: string): LineFile {
  let handle: number | null = openSync(file, "a", 0o600);
  return {
    write: (value) => {
      if (handle !== null) writeSync(handle, `${JSON.stringify(value)}\n`);
    },
    close: () => {
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}
