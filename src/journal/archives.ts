/**
 * Rows that have left the journal: files beside it, each a part of the chain that begins where the previous one ended.
 * Readers include them, so nobody needs to know where a row is stored. If archives are carried away, their rows go with
 * them, and the journal still verifies from its own beginning.
 */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { baseOf, type ChainPoint, readRows, type RowFilter, rowAt, walkChain } from "./query.ts";
import type { JournalRow } from "../rows/row.ts";
import { openSqliteReader, type Sqlite } from "./sqlite.ts";

/** One archive according to its file name, not opened yet; both row numbers are inclusive. */
export interface ArchiveFile {
  readonly file: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

const NAME = /^(\d{12})-(\d{12})\.db$/;
const digits = (seq: number): string => String(seq).padStart(12, "0");

/** `journal.archive/` beside `journal.db`. */
export function archiveDir(journalPath: string): string {
  const { dir, name } = path.parse(journalPath);
  return path.join(dir, `${name}.archive`);
}

/** Row numbers have twelve digits, so that names sort by age: `000000000001-000000005000.db`. */
export const archivePath = (journalPath: string, firstSeq: number, lastSeq: number): string =>
  path.join(archiveDir(journalPath), `${digits(firstSeq)}-${digits(lastSeq)}.db`);

/** Oldest first. */
export function listArchives(journalPath: string): readonly ArchiveFile[] {
  const dir = archiveDir(journalPath);
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .flatMap((name) => {
      const found = NAME.exec(name);
      return found ? [{ file: path.join(dir, name), firstSeq: Number(found[1]), lastSeq: Number(found[2]) }] : [];
    })
    .sort((a, b) => a.firstSeq - b.firstSeq);
}

/** The archives of one journal, for a reader that opens them for one question and closes them after it. */
export interface Archives {
  /** `own` preceded by what the archives hold, under the same filter. */
  before(own: readonly JournalRow[], filter: RowFilter): readonly JournalRow[];
  /** Every archive's chain, and that each begins where the one before ends and the last where the journal begins. */
  verify(): { readonly seq: number; readonly problem: string } | null;
  close(): void;
}

/** The archives up to where the journal begins. Files are opened when they are needed. */
export function openArchives(journalPath: string, base: ChainPoint): Archives {
  // An archive whose rows are still being removed from the journal reaches beyond the base: only the part before it counts.
  const files = listArchives(journalPath).filter(({ firstSeq }) => firstSeq <= base.seq);
  const open = new Map<string, Sqlite>();
  const at = ({ file }: ArchiveFile): Sqlite => {
    const known = open.get(file) ?? openSqliteReader(file);
    open.set(file, known);
    return known;
  };
  return {
    before: (own, filter) => {
      const { newest, limit = Infinity, sinceSeq = 0 } = filter;
      let found = [...own];
      for (const archive of files.toReversed()) {
        if (archive.lastSeq <= sinceSeq || (newest && found.length >= limit)) break;
        // A writer may have moved rows between the two queries: rows already read are not read twice.
        const untilSeq = Math.min(base.seq, filter.untilSeq ?? Infinity, (own[0]?.seq ?? Infinity) - 1);
        const bounded = { ...filter, untilSeq };
        const wanted = newest && limit !== Infinity ? { ...bounded, limit: limit - found.length } : bounded;
        found = [...readRows(at(archive), wanted), ...found];
      }
      return newest ? found : found.slice(0, limit);
    },
    verify: () => {
      let after = base;
      for (const archive of files.toReversed()) {
        const db = at(archive);
        const broken = walkChain(db, 0);
        if (broken) return broken;
        if (rowAt(db, after.seq)?.hash !== after.hash)
          return {
            seq: archive.lastSeq,
            problem: `the archive ${archive.file} does not hold the row that its successor follows`,
          };
        after = baseOf(db);
      }
      return null;
    },
    close: () => {
      for (const db of open.values()) db.close();
      open.clear();
    },
  };
}
