/**
 * Records the journal's end: a small file beside it that says how far it was durable. SQLite silently recovers a damaged
 * write-ahead log to a prefix; a mark that is ahead of the last row shows that rows were lost.
 */
import fs from "node:fs";
import path from "node:path";

/** The last row that is known to be on the disk, and whose journal it is. */
export interface TailMark {
  readonly journalId: string;
  readonly seq: number;
  readonly hash: string;
}

/** `journal.tail` beside `journal.db`. */
export function tailMarkPath(journalPath: string): string {
  const { dir, name } = path.parse(journalPath);
  return path.join(dir, `${name}.tail`);
}

/** The mark, or null when there is none. A mark that cannot be read counts as seq Infinity: something was there. */
export function readTailMark(file: string): TailMark | null {
  if (!fs.existsSync(file)) return null;
  try {
    const found: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (isMark(found)) return found;
  } catch {
    // Falls through: unreadable is treated as the worst a mark can say.
  }
  return { journalId: "", seq: Infinity, hash: "" };
}

function isMark(value: unknown): value is TailMark {
  if (typeof value !== "object" || value === null) return false;
  const { journalId, seq, hash } = value as Record<string, unknown>;
  return typeof journalId === "string" && Number.isInteger(seq) && typeof hash === "string";
}

/** Replaces the mark. When this returns, a power cut leaves the old mark or the new one, never a part. */
export function writeTailMark(file: string, mark: TailMark): void {
  const draft = `${file}.new`;
  const handle = fs.openSync(draft, "w", 0o600);
  try {
    fs.writeSync(handle, JSON.stringify(mark));
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  fs.renameSync(draft, file);
  syncDirectory(path.dirname(file));
}

/** Makes a rename in this folder outlive a power cut. */
export function syncDirectory(directory: string): void {
  const handle = fs.openSync(directory, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
