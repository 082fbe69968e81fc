/** Queries on the table of rows in any file that holds it: the journal itself or an archive of it. */
import { chainProblem, GENESIS_HASH, journalRow, ROW_COLUMNS, storedRow, type StoredRow } from "./chain.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import type { Sqlite, SqlRow, SqlValue } from "./sqlite.ts";

/** Conditions that must all hold; an omitted one does not restrict. */
export interface RowFilter {
  readonly kinds?: readonly RowKind[];
  readonly decisionId?: string;
  /** Rows after this one. */
  readonly sinceSeq?: number;
  /** Rows up to and including this one. */
  readonly untilSeq?: number;
  /** Rows written at or after this wall time. */
  readonly sinceMs?: number;
  readonly limit?: number;
  /** With `limit`: the newest rows instead of the oldest. The answer is oldest first all the same. */
  readonly newest?: boolean;
}

/** A position in the chain: `seq` and `hash` of the last row before it. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** Where the rows of this file begin: after what was archived, else before the first row. */
export function baseOf(db: Sqlite): ChainPoint {
  const meta = (key: string): string | undefined => {
    const value = db.get("SELECT value FROM meta WHERE key = ?", key)?.["value"];
    return typeof value === "string" ? value : undefined;
  };
  return { seq: Number(meta("base_seq") ?? 0), hash: meta("base_hash") ?? GENESIS_HASH };
}

/** The last row, or where the rows begin when there is none. */
export const tailOf = (db: Sqlite): ChainPoint => {
  const row = db.get("SELECT seq, hash FROM rows ORDER BY seq DESC LIMIT 1");
  return row ? { seq: Number(row["seq"]), hash: String(row["hash"]) } : baseOf(db);
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
  if (filter.untilSeq !== undefined) need("seq <= ?", filter.untilSeq);
  if (filter.sinceMs !== undefined) need("at_ms >= ?", filter.sinceMs);
  const where = parts.length > 0 ? ` WHERE ${parts.join(" AND ")}` : "";
  values.push(filter.limit ?? -1);
  return {
    sql: `SELECT ${ROW_COLUMNS} FROM rows${where} ORDER BY seq ${filter.newest ? "DESC" : "ASC"} LIMIT ?`,
    values,
  };
}

/** Oldest first, from this one file: `archives.ts` handles archives. */
export function readRows(db: Sqlite, filter: RowFilter = {}): readonly JournalRow[] {
  const { sql, values } = select(filter);
  const rows = db.all(sql, ...values).map((row) => journalRow(storedRow(row)));
  return filter.newest ? rows.reverse() : rows;
}

/** Undefined if this file does not hold the row, because it was archived or never written. */
export const rowAt = (db: Sqlite, seq: number): StoredRow | undefined => {
  const row = db.get(`SELECT ${ROW_COLUMNS} FROM rows WHERE seq = ?`, seq);
  return row && storedRow(row);
};

const COLUMNS = ROW_COLUMNS.split(", ");
const INSERT = `INSERT INTO rows (${ROW_COLUMNS}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

/** Copies a row of another file into this one as it is: neither its chain nor its values are checked. */
export const insertRow = (db: Sqlite, row: SqlRow): void => db.run(INSERT, ...COLUMNS.map((name) => row[name] ?? null));

/** Walks the chain from the row after `fromSeq`, or from where the rows begin, to the end; null when it holds. */
export function walkChain(db: Sqlite, fromSeq: number): { seq: number; problem: string } | null {
  const base = baseOf(db);
  const start = fromSeq > base.seq ? rowAt(db, fromSeq) : undefined;
  let before: ChainPoint = start ?? (fromSeq > base.seq ? { seq: fromSeq, hash: GENESIS_HASH } : base);
  for (const found of db.each(`SELECT ${ROW_COLUMNS} FROM rows WHERE seq > ? ORDER BY seq`, before.seq)) {
    const row = storedRow(found);
    const problem = chainProblem(row, before);
    if (problem) return { seq: before.seq + 1, problem };
    before = row;
  }
  return null;
}
