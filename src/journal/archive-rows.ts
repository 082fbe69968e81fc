/**
 * Moves the oldest rows of a journal into an archive file: they are copied, read back, their chain is compared, and only
 * then are they removed. Small steps keep the decision loop free; a crash between two steps loses nothing, and the next run
 * continues from there. Spec: fault E4.
 */
import fs from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../core/result.ts";
import { archiveDir, archivePath, listArchives } from "./archives.ts";
import { ROW_COLUMNS } from "./chain.ts";
import { baseOf, type ChainPoint, insertRow, rowAt, tailOf, walkChain } from "./query.ts";
import { journalIdOf, migrate } from "./schema.ts";
import { openSqlite, openSqliteReader, type Sqlite } from "./sqlite.ts";
import { syncDirectory } from "./tail-mark.ts";

/** What one run moved: the archive's path and how many rows left the journal for it. */
export interface Archived {
  readonly file: string;
  readonly rows: number;
}

/** What `archiveRows` should move; the newest `ROWS_THAT_STAY` rows stay regardless of `uptoSeq`. */
export interface ArchiveOrder {
  readonly journalPath: string;
  /** Everything up to and including this row goes. */
  readonly uptoSeq: number;
  /** Called between two steps, so that other work gets its turn. */
  readonly pause: () => Promise<void>;
}

/** Rows moved in one transaction: a few milliseconds of work. */
const STEP_ROWS = 500;
/** This many of the newest rows always stay, for the check at opening and the tail mark. */
export const ROWS_THAT_STAY = 1_000;

/** Null when there is nothing to move. An error says what did not fit; nothing was removed then. */
export async function archiveRows(db: Sqlite, order: ArchiveOrder): Promise<Result<Archived | null, string>> {
  const { journalPath } = order;
  const base = baseOf(db);
  const uptoSeq = Math.min(order.uptoSeq, tailOf(db).seq - ROWS_THAT_STAY);
  // An archive that was finished before a crash; its rows have not been removed yet.
  const finished = listArchives(journalPath).find(
    ({ firstSeq, lastSeq }) => firstSeq <= base.seq + 1 && lastSeq > base.seq,
  );
  const lastSeq = finished?.lastSeq ?? uptoSeq;
  const end = lastSeq > base.seq ? rowAt(db, lastSeq) : undefined;
  if (!end) return ok(null);
  const file = finished?.file ?? (await writeArchive(db, base, { ...order, uptoSeq: lastSeq }));
  const problem = compare(file, base, end);
  if (problem) return err(problem);
  const published = finished?.file ?? archivePath(journalPath, base.seq + 1, lastSeq);
  if (!finished) {
    fs.renameSync(file, published);
    syncDirectory(path.dirname(published));
  }
  await remove(db, base.seq, lastSeq, order.pause);
  return ok({ file: published, rows: lastSeq - base.seq });
}

/** Writes a copy under a name that no reader takes for an archive. */
async function writeArchive(
  db: Sqlite,
  base: ChainPoint,
  { journalPath, uptoSeq, pause }: ArchiveOrder,
): Promise<string> {
  const dir = archiveDir(journalPath);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = path.join(dir, "next.part");
  const drop = (): void =>
    ["", "-wal", "-shm", "-journal"].forEach((suffix) => fs.rmSync(`${draft}${suffix}`, { force: true }));
  drop();
  const copy = openSqlite(draft);
  let whole = false;
  try {
    migrate(copy, draft, journalIdOf(db));
    copy.run("UPDATE meta SET value = ? WHERE key = 'base_hash'", base.hash);
    copy.run("UPDATE meta SET value = ? WHERE key = 'base_seq'", String(base.seq));
    for (let fromSeq = base.seq; fromSeq < uptoSeq; fromSeq += STEP_ROWS) {
      const rows = db.all(
        `SELECT ${ROW_COLUMNS} FROM rows WHERE seq > ? AND seq <= ? ORDER BY seq`,
        fromSeq,
        Math.min(fromSeq + STEP_ROWS, uptoSeq),
      );
      copy.transaction(() => rows.forEach((row) => insertRow(copy, row)));
      await pause();
    }
    // One plain file, so that readers can open it on a read-only file system.
    copy.script("PRAGMA journal_mode = DELETE");
    whole = true;
  } finally {
    copy.close();
    // If the copy itself filled the disk, a partial copy would keep the journal from writing until tomorrow.
    if (!whole) drop();
  }
  return draft;
}

/** What is wrong with an archive that must reach from `base` to `end`; null when it does, hash by hash. */
function compare(file: string, base: ChainPoint, end: ChainPoint): string | null {
  const archive = openSqliteReader(file);
  try {
    const begins = baseOf(archive);
    const joint = begins.seq === base.seq ? begins : rowAt(archive, base.seq);
    if (joint?.hash !== base.hash) return `${file} does not begin where the journal does`;
    const broken = walkChain(archive, 0);
    if (broken) return `${file}: ${broken.problem}`;
    const tail = tailOf(archive);
    return tail.seq === end.seq && tail.hash === end.hash ? null : `${file} does not end at row ${end.seq} as it was`;
  } finally {
    archive.close();
  }
}

/** Rows and base move in one transaction, so that the file verifies at every moment. */
async function remove(db: Sqlite, fromSeq: number, uptoSeq: number, pause: () => Promise<void>): Promise<void> {
  for (let at = fromSeq; at < uptoSeq; at += STEP_ROWS) {
    const last = rowAt(db, Math.min(at + STEP_ROWS, uptoSeq));
    if (!last) return;
    db.transaction(() => {
      db.run("UPDATE meta SET value = ? WHERE key = 'base_hash'", last.hash);
      db.run("UPDATE meta SET value = ? WHERE key = 'base_seq'", String(last.seq));
      db.run("DELETE FROM rows WHERE seq <= ?", last.seq);
    });
    await pause();
  }
}
