/**
 * Results of a sweep in one SQLite file: stored results are durable and are not run again. A failed trial is stored
 * with its reason and run again at the next start, because the reason may have gone.
 */
import { err, ok, type Result } from "../../core/result.ts";
import { openSqlite, type Sqlite } from "../../journal/sqlite.ts";
import type { TrialResult } from "./trial.ts";

export interface StoredTrial {
  readonly key: string;
  readonly strategy: string;
  /** The candidate as JSON text, which is also its name. */
  readonly candidate: string;
  readonly stretch: string;
  /** Null if the run failed; `problem` says why. */
  readonly result: TrialResult | null;
  readonly problem: string | null;
}

export interface ResultStore {
  /** Whether the trial has a result. */
  has(key: string): boolean;
  /** Replaces an earlier failure of the trial. Durable when it returns. Throws an error for people if the file cannot be written. */
  add(trial: StoredTrial): void;
  /** In the order of their first insertion. */
  all(): readonly StoredTrial[];
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS trials (
    key TEXT PRIMARY KEY,
    strategy TEXT NOT NULL,
    candidate TEXT NOT NULL,
    stretch TEXT NOT NULL,
    result TEXT,
    problem TEXT
  )`;

const INSERT = `
  INSERT INTO trials (key, strategy, candidate, stretch, result, problem) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET result = excluded.result, problem = excluded.problem WHERE trials.result IS NULL`;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Creates the file if missing. The error says why it cannot be used. */
export function openResultStore(file: string): Result<ResultStore, string> {
  let db: Sqlite;
  try {
    db = openSqlite(file);
    db.script(SCHEMA);
  } catch (cause) {
    return err(`${file} cannot be used for results: ${messageOf(cause)}`);
  }
  return ok({
    has: (key) => db.get("SELECT 1 AS there FROM trials WHERE key = ? AND result IS NOT NULL", key) !== undefined,
    add: ({ key, strategy, candidate, stretch, result, problem }) => {
      const text = result === null ? null : JSON.stringify(result);
      try {
        db.run(INSERT, key, strategy, candidate, stretch, text, problem);
      } catch (cause) {
        throw new Error(
          `${file} accepts no more results: ${messageOf(cause)}. Stored results are kept; free some disk space, and run the same command again`,
          { cause },
        );
      }
    },
    all: () =>
      db
        .all("SELECT key, strategy, candidate, stretch, result, problem FROM trials ORDER BY rowid")
        .map(({ key, strategy, candidate, stretch, result, problem }) => ({
          key: String(key),
          strategy: String(strategy),
          candidate: String(candidate),
          stretch: String(stretch),
          // Only this file writes here, so it reads back what it wrote.
          result: result === null ? null : (JSON.parse(String(result)) as TrialResult),
          problem: problem === null ? null : String(problem),
        })),
    close: () => db.close(),
  });
}
