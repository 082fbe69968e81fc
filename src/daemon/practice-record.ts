/**
 * The record that a simulated service keeps for `ballast verify`: the writes that reached it, its own facts, and what
 * its model charged. It continues for as long as the practice account does.
 */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** JSON lines each: writes that reached the venue, its own facts, what its model charged. */
export interface RecordFiles {
  readonly wireLogFile: string;
  readonly venueLogFile: string;
  readonly modelLogFile: string;
}

/** Names only; `ballast sim --record` and the embedded venue use the same. */
export const recordFilesIn = (dir: string): RecordFiles => ({
  wireLogFile: path.join(dir, "wire.jsonl"),
  venueLogFile: path.join(dir, "venue.jsonl"),
  modelLogFile: path.join(dir, "model.jsonl"),
});

/** The embedded venue's folder, beside the journal. */
export const practiceDir = (dataDir: string): string => path.join(dataDir, "practice");
/** Keys that open only the venue that created them and appear in no log. */
export const practiceSecrets = (dataDir: string): string => path.join(practiceDir(dataDir), "keys");

/** Continues the record of a kept account, or starts an empty one. */
export function openPracticeRecord(dataDir: string, goesOn: boolean): RecordFiles {
  const dir = practiceDir(dataDir);
  if (!goesOn) rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const files = recordFilesIn(dir);
  // Empty files distinguish a run that sent nothing from a run without a record.
  for (const file of Object.values(files)) appendFileSync(file, "", { mode: 0o600 });
  return files;
}

/** One per line, for `ballast verify` to search for in every output. */
export const keepPracticeKeys = (dataDir: string, keys: readonly string[]): void =>
  writeFileSync(practiceSecrets(dataDir), keys.map((key) => `${key}\n`).join(""), { mode: 0o600 });
