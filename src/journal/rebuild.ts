/**
 * A journal that SQLite calls malformed: its pages are of different ages, as when one bit of the write-ahead log has turned
 * over after a part of the log had been copied into the file. Every row that can be read goes into a new file, which takes
 * the place of the old one; the old one is kept beside it. Whether rows are missing is then seen as after any other loss: by
 * the chain and the tail mark. Spec: fault D4.
 */
import fs from "node:fs";
import path from "node:path";
import { isMalformed } from "./error.ts";
import { baseOf, insertRow } from "./query.ts";
import { ROW_COLUMNS } from "./chain.ts";
import { journalIdOf, migrate, refuseNewer } from "./schema.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";
import { syncDirectory, tailMarkPath } from "./tail-mark.ts";

/** What became of a malformed journal: where the old file is, and how many rows the new one took from it. */
export interface Rebuilt {
  readonly aside: string;
  readonly rows: number;
}

const besides = (file: string): readonly string[] => [`${file}-wal`, `${file}-shm`];

/** A complete new file. Only a rename makes it so, and only a rename puts it in place. */
const newFile = (journalPath: string): string => `${journalPath}.rebuilt`;

/** Opens the journal with `open`, once SQLite finds it well formed; rebuilds it before that if need be. */
export function openWellFormed(
  journalPath: string,
  open: (file: string) => Sqlite,
): { readonly db: Sqlite; readonly rebuilt: Rebuilt | null } {
  // An earlier start made the new file and died before it was in place.
  if (fs.existsSync(newFile(journalPath))) putInPlace(journalPath);
  const db = openIfWellFormed(journalPath, open);
  if (db) return { db, rebuilt: null };
  const rebuilt = rebuild(journalPath);
  return { db: open(journalPath), rebuilt };
}

/** Null if the file is malformed. A file that is no database counts as a journal only if a tail mark lies beside it. */
function openIfWellFormed(journalPath: string, open: (file: string) => Sqlite): Sqlite | null {
  let db: Sqlite | null = null;
  try {
    db = open(journalPath);
    refuseNewer(db, journalPath);
    if (db.get("PRAGMA integrity_check(1)")?.["integrity_check"] === "ok") return db;
  } catch (error) {
    db?.close();
    if (!isMalformed(error) || !fs.existsSync(tailMarkPath(journalPath))) throw error;
    return null;
  }
  db.close();
  return null;
}

function rebuild(journalPath: string): Rebuilt {
  const draft = `${journalPath}.part`;
  [draft, ...besides(draft)].forEach((file) => fs.rmSync(file, { force: true }));
  const aside = copyAside(journalPath);
  const rows = copyReadable(aside, draft);
  fs.renameSync(draft, newFile(journalPath));
  syncDirectory(path.dirname(journalPath));
  putInPlace(journalPath);
  return { aside, rows };
}

/** `journal.malformed-1.db`, or the next number that is free. */
function copyAside(journalPath: string): string {
  const { dir, name, ext } = path.parse(journalPath);
  for (let n = 1; ; n++) {
    const aside = path.join(dir, `${name}.malformed-${n}${ext}`);
    if (fs.existsSync(aside)) continue;
    const log = `${journalPath}-wal`;
    if (fs.existsSync(log)) fs.copyFileSync(log, `${aside}-wal`);
    fs.copyFileSync(journalPath, aside);
    return aside;
  }
}

/** A log of the old file beside the new one would be read as its own, so it goes first. */
function putInPlace(journalPath: string): void {
  besides(journalPath).forEach((file) => fs.rmSync(file, { force: true }));
  fs.renameSync(newFile(journalPath), journalPath);
  syncDirectory(path.dirname(journalPath));
}

/** Copies rows in their order up to the first that cannot be read, and returns how many there were. */
function copyReadable(from: string, to: string): number {
  const copy = openSqlite(to);
  try {
    const rows = copy.transaction(() => readInto(from, copy));
    copy.script("PRAGMA journal_mode = DELETE");
    return rows;
  } finally {
    copy.close();
  }
}

function readInto(from: string, copy: Sqlite): number {
  let rows = 0;
  let old: Sqlite | null = null;
  try {
    old = openSqlite(from);
    // Where the identity cannot be read, the tail mark will be that of another journal: the loss is seen all the same.
    const [journalId, base] = [journalIdOf(old), baseOf(old)];
    migrate(copy, from, journalId);
    copy.run("UPDATE meta SET value = ? WHERE key = 'base_hash'", base.hash);
    copy.run("UPDATE meta SET value = ? WHERE key = 'base_seq'", String(base.seq));
    for (const row of old.each(`SELECT ${ROW_COLUMNS} FROM rows NOT INDEXED WHERE seq > ? ORDER BY seq`, base.seq)) {
      insertRow(copy, row);
      rows += 1;
    }
  } catch (error) {
    if (!isMalformed(error) && !isNoRow(error)) throw error;
  } finally {
    old?.close();
  }
  return rows;
}

/** What was read does not fit the table: a number where there was text, or a second row of one number. */
const isNoRow = (error: unknown): boolean =>
  /^SQLITE_CONSTRAINT/.test(String((error as { code?: unknown } | null | undefined)?.code));
