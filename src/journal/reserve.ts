/**
 * Disk space reserved for emergencies: a file of real bytes beside the journal. Where the disk is full, each write that finds no
 * room gets a part of it, so that a halt, stops and closes can still be written although another program takes every byte that
 * becomes free. Spec: fault D1.
 */
import fs from "node:fs";
import path from "node:path";

/** Enough for one commit with its pages in the write-ahead log. */
const PART_BYTES = 131_072;

/** Bytes of disk held back: given away part by part when commits meet a full disk, taken again once there is room. */
export interface Reserve {
  /** Gives a part back to the disk. True if there was any. */
  free(): boolean;
  /** Takes what is missing if the disk has it to spare. True if all of it exists afterwards. */
  keep(): boolean;
}

/** `journal.reserve` beside `journal.db`. */
export function reservePath(journalPath: string): string {
  const { dir, name } = path.parse(journalPath);
  return path.join(dir, `${name}.reserve`);
}

/** For a journal without `reserveBytes`: nothing can be given back, and a full disk fails the rows at once. */
export const noReserve: Reserve = { free: () => false, keep: () => false };

/** A file of `bytes` zero bytes at `reservePath`. It is complete only after `keep` has returned true. */
export function reserveBeside(journalPath: string, bytes: number): Reserve {
  const file = reservePath(journalPath);
  const size = (): number => (fs.existsSync(file) ? fs.statSync(file).size : 0);
  const shrinkTo = (left: number): void => (left > 0 ? fs.truncateSync(file, left) : fs.rmSync(file, { force: true }));
  return {
    free: () => {
      const before = size();
      shrinkTo(before - PART_BYTES);
      return before > 0;
    },
    keep: () => {
      const before = size();
      if (before >= bytes) return true;
      try {
        fs.appendFileSync(file, Buffer.alloc(bytes - before), { mode: 0o600, flush: true });
        return true;
      } catch {
        // What was there already stays: the disk is as full as it was.
        shrinkTo(before);
        return false;
      }
    },
  };
}
