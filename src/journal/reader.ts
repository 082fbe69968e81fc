/**
 * Reading the journal: rows by kind, decision, time; the check of the chain; and the comparison with the tail mark.
 * Used by the writer itself and by `readJournal`, which opens beside a running daemon or without one.
 */
import { err, ok, type Result } from "../core/result.ts";
import { chainProblem, GENESIS_HASH, journalRow, ROW_COLUMNS, storedRow, type StoredRow } from "./chain.ts";
import { guarded, JournalError } from "./error.ts";
import type { JournalRow, RowKind } from "./rows.ts";
import { journalIdOf, refuseNewer, schemaVersion } from "./schema.ts";
import { openSqliteReader, type Sqlite, type SqlValue } from "./sqlite.ts";
import { readTailMark, tailMarkPath, type TailMark } from "./tail-mark.ts";

export interface RowFilter {
  readonly kinds?: readonly RowKind[];
  readonly decisionId?: string;
  /** Rows after this one. */
  readonly sinceSeq?: number;
  /** Rows written at or after this wall time. */
  readonly sinceMs?: number;
  readonly limit?: number;
  /** With `limit`: the newest rows instead of the oldest. The answer is oldest first all the same. */
  readonly newest?: boolean;
}

/** "tail-lost": the rows are a true beginning of what was durable, the end is gone. "damaged": something was changed. */
export type JournalState =
  | { readonly state: "ok"; readonly rows: number }
  | { readonly state: "tail-lost"; readonly rows: number; readonly lostRows: number; readonly problem: string }
  | { readonly state: "damaged"; readonly rows: number; readonly seq: number; readonly problem: string };

export interface JournalReader {
  /** Oldest first. */
  rows(filter?: RowFilter): readonly JournalRow[];
  latest(kind: RowKind): JournalRow | undefined;
  count(): number;
  /** Walks the whole chain and compares its end with the tail mark. Takes seconds for a million rows. */
  verify(): Result<{ readonly rows: number }, { readonly seq: number; readonly problem: string }>;
  /** As found when it was opened: only the end of the chain was looked at. */
  readonly opened: JournalState;
  close(): void;
}

/** How many rows from the end are verified on opening. */
const OPEN_CHECK_ROWS = 512;

export const tailOf = (db: Sqlite): { readonly seq: number; readonly hash: string } => {
  const row = db.get("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1");
  return row ? { seq: Number(row["seq"]), hash: String(row["hash"]) } : { seq: 0, hash: GENESIS_HASH };
};

function select(filter: RowFilter): { sql: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const need = (condition: string, value: SqlValue): void => {
    parts.push(condition);
    values.push(value);
  };
  if (filter.kinds) need("kind IN (SELECT value FROM json_each(?))", JSON.stringify(filter.kinds));
  if (filter.decisionId !== undefined) need("decision_id = ?", filter.decisionId);
  if (filter.sinceSeq !== undefined) need("seq > ?", filter.sinceSeq);
  if (filter.sinceMs !== undefined) need("at_ms >= ?", filter.sinceMs);
  const where = parts.length > 0 ? ` WHERE ${parts.join(" AND ")}` : "";
  values.push(filter.limit ?? -1);
  return {
    sql: `SELECT ${ROW_COLUMNS} FROM rows${where} ORDER BY seq ${filter.newest ? "DESC" : "ASC"} LIMIT ?`,
    values,
  };
}

function readRows(db: Sqlite, filter: RowFilter = {}): readonly JournalRow[] {
  const { sql, values } = select(filter);
  const rows = db.all(sql, ...values).map((row) => journalRow(storedRow(row)));
  return filter.newest ? rows.reverse() : rows;
}

const rowAt = (db: Sqlite, seq: number): StoredRow | undefined => {
  const row = db.get(`SELECT ${ROW_COLUMNS} FROM rows WHERE seq = ?`, seq);
  return row && storedRow(row);
};

/** Walks the chain from the row after `fromSeq` to the end. */
function walkChain(db: Sqlite, fromSeq: number): { seq: number; problem: string } | null {
  const start = fromSeq > 0 ? rowAt(db, fromSeq) : undefined;
  let before: { seq: number; hash: string } = start ?? { seq: fromSeq, hash: GENESIS_HASH };
  for (const found of db.each(`SELECT ${ROW_COLUMNS} FROM rows WHERE seq > ? ORDER BY seq`, fromSeq)) {
    const row = storedRow(found);
    const problem = chainProblem(row, before);
    if (problem) return { seq: before.seq + 1, problem };
    before = row;
  }
  return null;
}

/** What the tail mark says about the rows: null when they agree. A mark behind the end is normal. */
function compareWithMark(db: Sqlite, mark: TailMark | null, tail: { seq: number }): JournalState | null {
  const rows = tail.seq;
  if (!mark) return rows === 0 ? null : { state: "damaged", rows, seq: rows, problem: "the tail mark is missing" };
  if (mark.seq === Infinity) return { state: "damaged", rows, seq: rows, problem: "the tail mark cannot be read" };
  if (mark.journalId !== journalIdOf(db)) {
    return { state: "damaged", rows, seq: rows, problem: "the tail mark belongs to another journal" };
  }
  if (mark.seq > rows) {
    const problem = `the journal ends at row ${rows}, but row ${mark.seq} was durable`;
    return { state: "tail-lost", rows, lostRows: mark.seq - rows, problem };
  }
  const marked = mark.seq === 0 ? GENESIS_HASH : rowAt(db, mark.seq)?.hash;
  if (marked === mark.hash) return null;
  return { state: "damaged", rows, seq: mark.seq, problem: `row ${mark.seq} is not the row that the tail mark names` };
}

/** The bounded check of opening: the last rows of the chain, and the mark. */
export function inspectTail(db: Sqlite, journalPath: string): JournalState {
  const tail = tailOf(db);
  const broken = walkChain(db, Math.max(0, tail.seq - OPEN_CHECK_ROWS));
  if (broken) return { state: "damaged", rows: tail.seq, ...broken };
  return compareWithMark(db, readTailMark(tailMarkPath(journalPath)), tail) ?? { state: "ok", rows: tail.seq };
}

function verifyAll(db: Sqlite, journalPath: string): ReturnType<JournalReader["verify"]> {
  const broken = walkChain(db, 0);
  if (broken) return err(broken);
  const tail = tailOf(db);
  const difference = compareWithMark(db, readTailMark(tailMarkPath(journalPath)), tail);
  if (difference && difference.state !== "ok") return err({ seq: tail.seq, problem: difference.problem });
  return ok({ rows: tail.seq });
}

/** The reading half of a journal over an open database. Every foreign exception becomes a JournalError. */
export function readerOver(db: Sqlite, journalPath: string): JournalReader {
  const read = <T>(work: () => T): T => guarded("unreadable", `cannot read ${journalPath}`, work);
  return {
    rows: (filter) => read(() => readRows(db, filter)),
    latest: (kind) => read(() => readRows(db, { kinds: [kind], newest: true, limit: 1 })[0]),
    count: () => read(() => tailOf(db).seq),
    verify: () => read(() => verifyAll(db, journalPath)),
    opened: read(() => inspectTail(db, journalPath)),
    close: () => db.close(),
  };
}

/**
 * Opens a journal for reading only, whether or not a daemon is writing it. Throws JournalError "unreadable" when there
 * is none or it is not a journal, "newer-schema" when a later build wrote it.
 */
export function readJournal(journalPath: string): JournalReader {
  return guarded("unreadable", `cannot read ${journalPath}`, () => {
    const db = openSqliteReader(journalPath);
    refuseNewer(db, journalPath);
    if (schemaVersion(db) === 0) throw new JournalError("unreadable", `${journalPath} is not a journal`);
    return readerOver(db, journalPath);
  });
}
