/**
 * Lines appended to a file before the call returns, so that a process which is killed leaves all it has said. Not synced to
 * the disk: that would outlive a power cut, which a simulated venue does not need.
 */
import { closeSync, openSync, writeSync } from "node:fs";

/** One value a line, as JSON. Lines after `close` are dropped. */
export interface LineFile {
  write(value: unknown): void;
  close(): void;
}

/** Creates the file, or goes on behind what it holds. */
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
