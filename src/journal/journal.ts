/**
 * The journal: one SQLite file, one append-only table, one writer. What `append` has returned is on the disk; no write that
 * must be explained later is sent before its row has returned. It knows no trading.
 */
import type { Env } from "../core/ids.ts";
import { invariant } from "../core/invariant.ts";
import { err, type Result } from "../core/result.ts";
import { type Archived, archiveRows } from "./archive-rows.ts";
import { committerOf, type JournalDisk, type NewRow, realDisk } from "./committer.ts";
import { guarded } from "./error.ts";
import { takeLease, type Lease } from "./lease.ts";
import { tailOf } from "./query.ts";
import { readerOver, type JournalReader } from "./reader.ts";
import { openWellFormed, type Rebuilt } from "./rebuild.ts";
import { reconcileRow } from "../rows/reconcile.ts";
import type { JournalRow, RowValue } from "../rows/row.ts";
import { journalIdOf, migrate } from "./schema.ts";
import type { Sqlite } from "./sqlite.ts";
import { readTailMark, tailMarkPath } from "./tail-mark.ts";
import type { TroubleListener } from "./trouble.ts";

/** The only writer of its file, and a reader of it. Only `archive` takes more than one turn of the event loop. */
export interface Journal extends JournalReader {
  /** Not null if SQLite found the file malformed: the rows that could be read are in a new one since this opening. */
  readonly rebuilt: Rebuilt | null;
  /** Durable when it returns. Throws JournalError "write-failed"; then nothing may be sent, even if the row was written. */
  append(row: RowValue, decisionId?: string): JournalRow;
  /** All rows or none, in one commit. */
  appendMany(rows: readonly NewRow[]): readonly JournalRow[];
  /**
   * Accepts the present rows as the truth after a loss or damage: writes a reconcile row with the note and moves the tail
   * mark to it. Until then every opening reports the problem again, so that a restart cannot forget it.
   */
  acknowledge(note: string): JournalRow;
  /** Called with every disk trouble, in the middle of the commit that met it: act later, and write nothing here. */
  onTrouble(listener: TroubleListener): void;
  /**
   * Moves rows written before the instant into an archive file beside the journal, which continues the chain. Null if no
   * row was old enough. The error says why nothing was removed.
   */
  archive(beforeMs: number, pause: () => Promise<void>): Promise<Result<Archived | null, string>>;
  /** Restores the reserve if it was given back and the disk has room. True if it exists afterwards. */
  keepReserve(): boolean;
}

/** What `openJournal` needs. Lease, tail mark, reserve and archives lie beside `path`, named after it. */
export interface JournalOptions {
  readonly path: string;
  readonly env: Env;
  /** The id of this run of the process; every row carries it. */
  readonly runId: string;
  /** The process id for the lease card, for people to read. */
  readonly pid?: number;
  /** Masks secrets; applied to every text of every body before it is hashed and written. */
  readonly redact?: (text: string) => string;
  /** Bytes of disk reserved for a full disk; see `reserve.ts`. Default none. */
  readonly reserveBytes?: number;
  /** The disk, for tests that let it fail. */
  readonly disk?: JournalDisk;
}

interface Opened {
  readonly db: Sqlite;
  readonly rebuilt: Rebuilt | null;
}

function openForWriting(options: JournalOptions): Opened & { readonly lease: Lease } {
  const { path, env, runId, disk = realDisk } = options;
  const holder = { pid: options.pid ?? process.pid, boot: runId, sinceMs: env.clock.nowMs() };
  const lease = guarded("unreadable", `cannot lock ${path}`, () => takeLease(path, holder));
  try {
    return { lease, ...guarded("unreadable", `cannot open ${path}`, () => openAndMigrate(path, env, disk)) };
  } catch (error) {
    lease.release();
    throw error;
  }
}

function openAndMigrate(path: string, env: Env, disk: JournalDisk): Opened {
  const { db, rebuilt } = openWellFormed(path, disk.open);
  try {
    migrate(db, path, env.ids.next("journal"));
    const markFile = tailMarkPath(path);
    const tail = tailOf(db);
    if (tail.seq === 0 && readTailMark(markFile) === null) {
      disk.mark(markFile, { journalId: journalIdOf(db), ...tail });
    }
    return { db, rebuilt };
  } catch (error) {
    db.close();
    throw error;
  }
}

async function archiveBefore(
  db: Sqlite,
  { path, beforeMs, pause }: { readonly path: string; readonly beforeMs: number; readonly pause: () => Promise<void> },
): Promise<Result<Archived | null, string>> {
  // The first row that is young enough; a clock that was set back may have put older ones after it.
  const young = db.get("SELECT seq FROM rows WHERE at_ms >= ? ORDER BY seq LIMIT 1", beforeMs);
  const uptoSeq = young ? Number(young["seq"]) - 1 : tailOf(db).seq;
  try {
    return await archiveRows(db, { journalPath: path, uptoSeq, pause });
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * Opens or creates the journal and takes its lease. Look at `opened` first: anything but "ok" means that nothing may be
 * opened on the venue until it has been read again. Throws JournalError: "in-use" names the other process,
 * "newer-schema" the versions, "unreadable" the cause.
 */
export function openJournal(options: JournalOptions): Journal {
  const { path } = options;
  const { db, rebuilt, lease } = openForWriting(options);
  const reader = readerOver(db, path);
  const committer = committerOf(db, reader.opened.state === "ok", options);
  const append = (value: RowValue, decisionId?: string): JournalRow => {
    const [row] = committer.commit([{ ...value, decisionId }]);
    invariant(row, "a commit of one row answers one row");
    return row;
  };
  return {
    ...reader,
    rebuilt,
    append,
    appendMany: committer.commit,
    acknowledge: (note) => {
      committer.markFromHere();
      return append(reconcileRow({ event: "journal-acknowledged", note, found: reader.opened }));
    },
    archive: (beforeMs, pause) => archiveBefore(db, { path, beforeMs, pause }),
    onTrouble: committer.listen,
    keepReserve: committer.keepReserve,
    close: () => {
      if (!committer.close()) return;
      db.close();
      lease.release();
    },
  };
}
