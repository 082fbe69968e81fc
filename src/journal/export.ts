/** Rows as JSON lines, oldest first, archives included: with every column, so that the chain can be checked anywhere. */
import { isoTime } from "../core/time.ts";
import { listArchives } from "./archives.ts";
import { ROW_COLUMNS, storedRow, type StoredRow } from "./chain.ts";
import { refuseNewer } from "./schema.ts";
import { openSqliteReader } from "./sqlite.ts";

/** Which rows to export; a bound that is left out is open. */
export interface ExportSpan {
  /** Wall time of the rows, epoch ms: from this instant on, and before the other. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** One line without its line end. The body stands as it lies in the file, since the hash covers its very text. */
export function exportLine(row: StoredRow): string {
  const { seq, boot, atMs, monoMs, kind, decisionId, body, prevHash, hash } = row;
  const head = JSON.stringify({ seq, boot, at: isoTime(atMs), atMs, monoMs, kind, decisionId });
  return `${head.slice(0, -1)},"body":${body},"prevHash":"${prevHash}","hash":"${hash}"}`;
}

/** A reader that stays in the file holds up the writer's checkpoints, and a pipe may stand for hours: so no long reads. */
const BATCH = `SELECT ${ROW_COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT 500`;

/** Every line of the span. A journal that is being written may be read beside its writer. */
export function* exportLines(
  journalPath: string,
  { fromMs = -Infinity, toMs = Infinity }: ExportSpan,
): Generator<string> {
  let lastSeq = 0;
  const files = [...listArchives(journalPath).map(({ file }) => file), journalPath];
  for (const file of files) {
    const db = openSqliteReader(file);
    try {
      refuseNewer(db, file);
      for (;;) {
        const batch = db.all(BATCH, lastSeq).map(storedRow);
        for (const row of batch) if (row.atMs >= fromMs && row.atMs < toMs) yield exportLine(row);
        const last = batch.at(-1);
        if (!last) break;
        lastSeq = last.seq;
      }
    } finally {
      db.close();
    }
  }
}
