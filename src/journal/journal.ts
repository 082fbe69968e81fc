/**
 * The journal: one SQLite file, one append-only table, one writer. What `append` has returned is on the disk; nothing
 * that must be explained later goes on the wire before its row has returned. It knows no trading.
 */
import type { Env } from "../core/env.ts";
import { canonicalJson } from "../core/hash.ts";
import { invariant } from "../core/invariant.ts";
import { journalRow, rowHash, type StoredRow } from "./chain.ts";
import { guarded, JournalError } from "./error.ts";
import { takeLease, type Lease } from "./lease.ts";
import { readerOver, tailOf, type JournalReader } from "./reader.ts";
import { LIGHT_KINDS, type JournalRow, type RowKind } from "./rows.ts";
import { journalIdOf, migrate } from "./schema.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";
import { readTailMark, tailMarkPath, writeTailMark } from "./tail-mark.ts";

export interface NewRow {
  readonly kind: RowKind;
  readonly body: unknown;
  readonly decisionId?: string | undefined;
}

export interface Journal extends JournalReader {
  /** Durable when it returns. Throws JournalError "write-failed"; then nothing was written and no wire may follow. */
  append(kind: RowKind, body: unknown, decisionId?: string): JournalRow;
  /** All rows or none, in one commit. */
  appendMany(rows: readonly NewRow[]): readonly JournalRow[];
  /**
   * Takes the rows as they are for the truth after a loss or damage: writes a reconcile row with the note and moves the
   * tail mark to it. Until then every opening reports the problem anew, so that a restart cannot forget it.
   */
  acknowledge(note: string): JournalRow;
}

export interface JournalOptions {
  readonly path: string;
  readonly env: Env;
  /** The id of this run of the process; stands on every row. */
  readonly boot: string;
  /** The process id for the lease card; people read it. */
  readonly pid?: number;
  /** Masks secrets; applied to every text of every body before it is hashed and written. */
  readonly redact?: (text: string) => string;
}

/** Every string inside a JSON value, keys too, through `change`. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

function bodyText(body: unknown, redact: JournalOptions["redact"]): string {
  const text = canonicalJson(body);
  return redact ? canonicalJson(mapStrings(JSON.parse(text), redact)) : text;
}

const INSERT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

function insert(db: Sqlite, row: StoredRow): void {
  const { seq, boot, atMs, monoMs, kind, decisionId, body, prevHash, hash } = row;
  db.run(INSERT, seq, boot, atMs, monoMs, kind, decisionId, body, prevHash, hash);
}

/** Row after row in one commit, each linked to the one before; answers them as stored. */
function insertLinked(db: Sqlite, rows: readonly NewRow[], options: JournalOptions): readonly StoredRow[] {
  const { clock } = options.env;
  return db.transaction(() => {
    let tail = tailOf(db);
    return rows.map(({ kind, body, decisionId }) => {
      const bare = {
        seq: tail.seq + 1,
        boot: options.boot,
        atMs: clock.nowMs(),
        monoMs: clock.monotonicMs(),
        kind,
        decisionId: decisionId ?? null,
        body: bodyText(body, options.redact),
        prevHash: tail.hash,
      };
      const row = { ...bare, hash: rowHash(bare) };
      insert(db, row);
      tail = row;
      return row;
    });
  });
}

function openForWriting(options: JournalOptions): { db: Sqlite; lease: Lease } {
  const { path, env, boot } = options;
  const holder = { pid: options.pid ?? process.pid, boot, sinceMs: env.clock.nowMs() };
  const lease = guarded("unreadable", `cannot lock ${path}`, () => takeLease(path, holder));
  try {
    return { lease, db: guarded("unreadable", `cannot open ${path}`, () => openAndMigrate(path, env)) };
  } catch (error) {
    lease.release();
    throw error;
  }
}

function openAndMigrate(path: string, env: Env): Sqlite {
  const db = openSqlite(path);
  try {
    migrate(db, path, env.ids.next("journal"));
    const markFile = tailMarkPath(path);
    const tail = tailOf(db);
    if (tail.seq === 0 && readTailMark(markFile) === null) {
      writeTailMark(markFile, { journalId: journalIdOf(db), ...tail });
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A disk that has failed once is not believed again: what a later sync says of earlier pages is not to be trusted. */
const isDiskFailure = (error: unknown): boolean => {
  const cause = error instanceof JournalError ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && !code.startsWith("SQLITE_BUSY") && !code.startsWith("SQLITE_FULL");
};

/**
 * Opens or creates the journal and takes its lease. Look at `opened` first: anything but "ok" means that nothing may be
 * opened on the venue until it has been read anew. Throws JournalError: "in-use" names the other process,
 * "newer-schema" the versions, "unreadable" the cause.
 */
export function openJournal(options: JournalOptions): Journal {
  const { path } = options;
  const { db, lease } = openForWriting(options);
  const reader = readerOver(db, path);
  const journalId = journalIdOf(db);
  let marking = reader.opened.state === "ok";
  let refusal: string | null = null;

  const commit = (rows: readonly NewRow[]): readonly JournalRow[] => {
    if (refusal !== null) throw new JournalError("closed", `${path} takes no rows: ${refusal}`);
    try {
      return guarded("write-failed", `cannot write ${path}`, () => {
        const stored = insertLinked(db, rows, options);
        const last = stored.at(-1);
        const heavy = stored.some((row) => !LIGHT_KINDS.has(row.kind));
        if (last && heavy && marking) writeTailMark(tailMarkPath(path), { journalId, seq: last.seq, hash: last.hash });
        return stored.map(journalRow);
      });
    } catch (error) {
      if (isDiskFailure(error)) refusal = "the disk failed";
      throw error;
    }
  };
  const append = (kind: RowKind, body: unknown, decisionId?: string): JournalRow => {
    const [row] = commit([{ kind, body, decisionId }]);
    invariant(row, "a commit of one row answers one row");
    return row;
  };
  return {
    ...reader,
    append,
    appendMany: commit,
    acknowledge: (note) => {
      marking = true;
      return append("reconcile", { event: "journal-acknowledged", note, found: reader.opened });
    },
    close: () => {
      if (refusal === "it is closed") return;
      refusal = "it is closed";
      db.close();
      lease.release();
    },
  };
}
