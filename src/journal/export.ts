/** Rows as JSON lines, oldest first, archives included, with every column, so that the chain can be checked anywhere. */
import { isoTime } from "../core/time.ts";
import { type ArchiveFile, listArchives } from "./archives.ts";
import { ROW_COLUMNS, storedRow, type StoredRow } from "./chain.ts";
import { refuseNewer } from "./schema.ts";
import { openSqliteReader, type Sqlite } from "./sqlite.ts";

/** Which rows to export; a bound that is left out is open. */
export interface ExportSpan {
  /** Wall time of the rows, epoch ms: from this instant on, and before the other. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** One line without its line end. The body is exactly as stored, since the hash covers that text. */
export function exportLine(row: StoredRow): string {
  const { seq, runId, atMs, monoMs, kind, decisionId, body, prevHash, hash } = row;
  const head = JSON.stringify({ seq, boot: runId, at: isoTime(atMs), atMs, monoMs, kind, decisionId });
  return `${head.slice(0, -1)},"body":${body},"prevHash":"${prevHash}","hash":"${hash}"}`;
}

/** An open read holds up the writer's checkpoints, and a pipe may stall for hours: so reads are short. */
const BATCH = `SELECT ${ROW_COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT 500`;

/** Every line of the span. The journal may have a writer at the same time. */
export function* exportLines(
  journalPath: string,
  { fromMs = -Infinity, toMs = Infinity }: ExportSpan,
): Generator<string> {
  const db = openSqliteReader(journalPath);
  try {
    refuseNewer(db, journalPath);
    for (let lastSeq = 0; ;) {
      const batch = batchAfter(lastSeq, db, journalPath);
      for (const row of batch) if (row.atMs >= fromMs && row.atMs < toMs) yield exportLine(row);
      const last = batch.at(-1);
      if (!last) return;
      lastSeq = last.seq;
    }
  } finally {
    db.close();
  }
}

/** The rows that follow. Rows missing from the journal may have moved to an archive since the previous batch. */
function batchAfter(lastSeq: number, db: Sqlite, journalPath: string): readonly StoredRow[] {
  const own = db.all(BATCH, lastSeq).map(storedRow);
  const archive = own[0]?.seq === lastSeq + 1 ? undefined : archiveAfter(lastSeq, journalPath);
  const moved = archive === undefined ? [] : archivedAfter(lastSeq, archive.file);
  return moved.length > 0 ? moved : own;
}

const archiveAfter = (lastSeq: number, journalPath: string): ArchiveFile | undefined =>
  listArchives(journalPath).find((archive) => archive.lastSeq > lastSeq);

function archivedAfter(lastSeq: number, file: string): readonly StoredRow[] {
  const db = openSqliteReader(file);
  try {
    refuseNewer(db, file);
    return db.all(BATCH, lastSeq).map(storedRow);
  } finally {
    db.close();
  }
}
