/**
 * The tables of the journal as numbered steps. A released step is never edited: every change is a new step. The triggers
 * make the table append-only for everyone who writes SQL to the file.
 */
import { JournalError } from "./error.ts";
import type { Sqlite } from "./sqlite.ts";

const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    boot TEXT NOT NULL,
    at_ms REAL NOT NULL,
    mono_ms REAL NOT NULL,
    kind TEXT NOT NULL,
    decision_id TEXT,
    body TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX rows_by_kind ON rows (kind, seq);
  CREATE INDEX rows_by_decision ON rows (decision_id, seq) WHERE decision_id IS NOT NULL;
  CREATE TRIGGER rows_keep BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER rows_stay BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  `,
  // Rows may only leave at the beginning, into an archive; the point where the rest begins never moves back.
  `
  INSERT INTO meta (key, value) VALUES
    ('base_seq', '0'),
    ('base_hash', '0000000000000000000000000000000000000000000000000000000000000000');
  DROP TRIGGER rows_stay;
  CREATE TRIGGER rows_stay BEFORE DELETE ON rows
    WHEN OLD.seq > (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'base_seq')
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER base_stays BEFORE UPDATE ON meta
    WHEN OLD.key = 'base_seq' AND CAST(NEW.value AS INTEGER) < CAST(OLD.value AS INTEGER)
    BEGIN SELECT RAISE(ABORT, 'archived rows do not come back'); END;
  `,
];

/** The schema version this build writes and reads. */
export const SCHEMA_VERSION = STEPS.length;

/** 0 if no step was ever taken: a new file, or one that is no journal. */
export function schemaVersion(db: Sqlite): number {
  return Number(db.get("PRAGMA user_version")?.["user_version"] ?? 0);
}

/** Throws "newer-schema" when the file was written by a later build than this one. */
export function refuseNewer(db: Sqlite, path: string): void {
  const found = schemaVersion(db);
  if (found <= SCHEMA_VERSION) return;
  throw new JournalError(
    "newer-schema",
    `${path} has journal schema ${found}; this build knows up to ${SCHEMA_VERSION}. Run the newer build, or start with another journal path.`,
  );
}

/** Brings a file to the current schema; each step runs in its own transaction with its version number. */
export function migrate(db: Sqlite, path: string, journalId: string): void {
  refuseNewer(db, path);
  for (let version = schemaVersion(db); version < SCHEMA_VERSION; version++) {
    db.transaction(() => {
      db.script(STEPS[version] ?? "");
      db.script(`PRAGMA user_version = ${version + 1}`);
    });
  }
  db.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('journal_id', ?)", journalId);
}

/** The identity of this file, which exposes a tail mark or side file copied from another journal. */
export const journalIdOf = (db: Sqlite): string =>
  String(db.get("SELECT value FROM meta WHERE key = 'journal_id'")?.["value"] ?? "");
