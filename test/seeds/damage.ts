/**
 * A journal whose write-ahead log is not what was written: cut off by a power failure, or with one bit turned over. SQLite
 * recovers such a file to a prefix without a word. Faults D3, D4.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { journalPath } from "../../src/ops/run-file.ts";
import { isMalformed } from "../../src/journal/error.ts";
import { openSqliteReader } from "../../src/journal/sqlite.ts";
import { readTailMark, tailMarkPath } from "../../src/journal/tail-mark.ts";
import { decodeRow, type Row } from "../../src/verify/rows.ts";

export interface Damage {
  readonly how: "cut" | "flip";
  /** Where in the log, as a share of its length. */
  readonly at: number;
}

/** Rows that were durable and are gone. */
export interface Loss {
  /** The first that is gone had this number. */
  readonly fromSeq: number;
  readonly rows: readonly Row[];
  /** The tail mark reports one of them; of beats and the like it does not say. */
  readonly marked: boolean;
}

/** The files as they are while the process lives; closing them tidily would leave no log to damage. */
export interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
  readonly rows: readonly Row[];
}

const logPath = (dataDir: string): string => `${journalPath(dataDir)}-wal`;

/** Up to the first that cannot be read. */
function rowsIn(dataDir: string): readonly Row[] {
  const rows: Row[] = [];
  const db = openSqliteReader(journalPath(dataDir));
  try {
    if (!db.get("SELECT 1 FROM sqlite_master WHERE name = 'rows'")) return [];
    for (const row of db.each("SELECT * FROM rows NOT INDEXED ORDER BY seq")) rows.push(decodeRow(row));
    return rows;
  } catch (error) {
    if (isMalformed(error)) return rows;
    throw error;
  } finally {
    db.close();
  }
}

export const filesOf = (dataDir: string): Files => ({
  database: readFileSync(journalPath(dataDir)),
  log: readFileSync(logPath(dataDir)),
  rows: rowsIn(dataDir),
});

/** Puts the files back as they were, the log damaged. Null when no row is lost. */
export function damaged(dataDir: string, { database, log, rows }: Files, { how, at }: Damage): Loss | null {
  const where = Math.min(log.length - 1, Math.floor(log.length * at));
  const bytes = Buffer.from(how === "cut" ? log.subarray(0, where) : log);
  if (how === "flip") bytes[where] = (bytes[where] ?? 0) ^ 0x10;
  rmSync(`${journalPath(dataDir)}-shm`, { force: true });
  writeFileSync(journalPath(dataDir), database);
  writeFileSync(logPath(dataDir), bytes);
  const left = rowsIn(dataDir).length;
  const gone = rows.slice(left);
  const marked = (readTailMark(tailMarkPath(journalPath(dataDir)))?.seq ?? 0) > left;
  return gone.length === 0 ? null : { fromSeq: left + 1, rows: gone, marked };
}
