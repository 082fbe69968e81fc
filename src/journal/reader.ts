/**
 * Reading the journal: rows by kind, decision, time; the check of the chain; and the comparison with the tail mark.
 * Used by the writer itself and by `readJournal`, which opens beside a running daemon or without one.
 */
import { err, ok, type Result } from "../core/result.ts";
import { DAY_MS } from "../core/time.ts";
import { openArchives } from "./archives.ts";
import { guarded, JournalError } from "./error.ts";
import { baseOf, readRows, type RowFilter, rowAt, tailOf, walkChain } from "./query.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";
import { journalIdOf, refuseNewer, schemaVersion } from "./schema.ts";
import { openSqliteReader, type Sqlite } from "./sqlite.ts";
import { readTailMark, tailMarkPath, type TailMark } from "./tail-mark.ts";

/** "tail-lost": the rows are a true prefix of what was durable; the end is missing. "damaged": something was changed. */
export type JournalState =
  | { readonly state: "ok"; readonly rows: number }
  | { readonly state: "tail-lost"; readonly rows: number; readonly lostRows: number; readonly problem: string }
  | { readonly state: "damaged"; readonly rows: number; readonly seq: number; readonly problem: string };

/** Answers include archived rows. Every query throws JournalError "unreadable" if a read fails. */
export interface JournalReader {
  /** Oldest first. */
  rows(filter?: RowFilter): readonly JournalRow[];
  latest(kind: RowKind): JournalRow | undefined;
  count(): number;
  /** Walks the whole chain and compares its end with the tail mark. Takes seconds for a million rows. */
  verify(): Result<{ readonly rows: number }, { readonly seq: number; readonly problem: string }>;
  /** What the end of the chain and the tail mark show, checked once when first asked for; a writer asks before it writes. */
  readonly opened: JournalState;
  close(): void;
}

/** How many rows from the end are verified on opening. */
const OPEN_CHECK_ROWS = 512;

/** The problem that the tail mark shows; null if mark and rows agree. A mark behind the end is normal. */
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
  const base = baseOf(db);
  const marked = mark.seq === base.seq ? base.hash : rowAt(db, mark.seq)?.hash;
  if (marked === mark.hash) return null;
  return { state: "damaged", rows, seq: mark.seq, problem: `row ${mark.seq} is not the row that the tail mark names` };
}

/** The bounded check at opening: the last rows of the chain, and the mark. */
export function inspectTail(db: Sqlite, journalPath: string): JournalState {
  const tail = tailOf(db);
  const broken = walkChain(db, Math.max(0, tail.seq - OPEN_CHECK_ROWS));
  if (broken) return { state: "damaged", rows: tail.seq, ...broken };
  return compareWithMark(db, readTailMark(tailMarkPath(journalPath)), tail) ?? { state: "ok", rows: tail.seq };
}

function verifyAll(db: Sqlite, journalPath: string): ReturnType<JournalReader["verify"]> {
  const broken = walkChain(db, 0) ?? archivesProblem(db, journalPath);
  if (broken) return err(broken);
  const tail = tailOf(db);
  const difference = compareWithMark(db, readTailMark(tailMarkPath(journalPath)), tail);
  if (difference && difference.state !== "ok") return err({ seq: tail.seq, problem: difference.problem });
  return ok({ rows: tail.seq });
}

function archivesProblem(db: Sqlite, journalPath: string): { seq: number; problem: string } | null {
  const archives = openArchives(journalPath, baseOf(db));
  try {
    return archives.verify();
  } finally {
    archives.close();
  }
}

/** False if no archived row can be as young as the filter asks. Clocks may have been set back by some hours. */
function reachesBack(db: Sqlite, { sinceMs }: RowFilter): boolean {
  if (sinceMs === undefined) return true;
  const first = db.get("SELECT at_ms FROM rows ORDER BY seq LIMIT 1");
  return first === undefined || sinceMs < Number(first["at_ms"]) + DAY_MS;
}

/**
 * The reading half of a journal over an open database, including the archives that still lie beside it. Every foreign
 * foreign exception becomes a JournalError.
 */
export function readerOver(db: Sqlite, journalPath: string): JournalReader {
  const read = <T>(work: () => T): T => guarded("unreadable", `cannot read ${journalPath}`, work);
  const rows = (filter: RowFilter = {}): readonly JournalRow[] => {
    const own = readRows(db, filter);
    const base = baseOf(db);
    const full = filter.newest && own.length >= (filter.limit ?? Infinity);
    if (full || base.seq <= (filter.sinceSeq ?? 0) || !reachesBack(db, filter)) return own;
    const archives = openArchives(journalPath, base);
    try {
      return archives.before(own, filter);
    } finally {
      archives.close();
    }
  };
  let opened: JournalState | undefined;
  return {
    rows: (filter) => read(() => rows(filter)),
    latest: (kind) => read(() => rows({ kinds: [kind], newest: true, limit: 1 })[0]),
    count: () => read(() => tailOf(db).seq),
    verify: () => read(() => verifyAll(db, journalPath)),
    get opened() {
      return (opened ??= read(() => inspectTail(db, journalPath)));
    },
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
