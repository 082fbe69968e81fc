/**
 * Disk space reserved for emergencies: a file of real bytes beside the journal, removed when the disk is full, so that a
 * halt and the exits that follow it can still be written. Spec: fault D1.
 */
import fs from "node:fs";
import path from "node:path";

/** Bytes of disk held back: freed when a commit meets a full disk, kept again once there is room. */
export interface Reserve {
  /** Gives the space back to the disk. True if there was any. */
  free(): boolean;
  /** Takes the space again if it is gone and the disk has it to spare. True if it exists afterwards. */
  keep(): boolean;
}

/** `journal.reserve` beside `journal.db`. */
export function reservePath(journalPath: string): string {
  const { dir, name } = path.parse(journalPath);
  return path.join(dir, `${name}.reserve`);
}

/** For a journal without `reserveBytes`: nothing can be given back, and a full disk fails the rows at once. */
export const noReserve: Reserve = { free: () => false, keep: () => false };

/** A file of `bytes` zero bytes at `reservePath`. It exists only after `keep` has returned true. */
export function reserveBeside(journalPath: string, bytes: number): Reserve {
  const file = reservePath(journalPath);
  const free = (): boolean => {
    const stood = fs.existsSync(file);
    fs.rmSync(file, { force: true });
    return stood;
  };
  return {
    free,
    keep: () => {
      if (fs.existsSync(file) && fs.statSync(file).size >= bytes) return true;
      try {
        fs.writeFileSync(file, Buffer.alloc(bytes), { mode: 0o600, flush: true });
        return true;
      } catch {
        free();
        return false;
      }
    },
  };
}
