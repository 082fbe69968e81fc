/**
 * A copy of the journal, taken beside a running agent or without one: the database as of one instant, and its tail mark, so
 * that the copy can be opened as a journal. Archives never change once written; they are copied by other means.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { tailOf, walkChain } from "./query.ts";
import { guarded, JournalError } from "./error.ts";
import { journalIdOf, refuseNewer, schemaVersion } from "./schema.ts";
import { copySqlite, openSqlite } from "./sqlite.ts";
import { tailMarkPath, writeTailMark } from "./tail-mark.ts";

export interface BackedUp {
  readonly rows: number;
  /** Files written. */
  readonly files: readonly string[];
}

/** Never overwrites. The copy's whole chain is checked before the copy gets its name. Throws JournalError. */
export async function backUp(journalPath: string, to: string): Promise<BackedUp> {
  const mark = tailMarkPath(to);
  for (const file of [to, mark])
    if (existsSync(file)) throw new JournalError("unreadable", `${file} exists; name a file that does not`);
  const draft = `${to}.part`;
  const drop = (): void => {
    for (const file of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(file, { force: true });
  };
  drop();
  try {
    await copySqlite(journalPath, draft);
    const tail = checked(draft);
    renameSync(draft, to);
    writeTailMark(mark, tail);
    return { rows: tail.seq, files: [to, mark] };
  } catch (cause) {
    drop();
    if (cause instanceof JournalError) throw cause;
    throw new JournalError(
      "unreadable",
      `cannot back up ${journalPath}: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
}

/** The mark for the copy. Closing it leaves one file, without a write-ahead log. */
function checked(file: string): { readonly journalId: string; readonly seq: number; readonly hash: string } {
  return guarded("unreadable", `cannot read the copy ${file}`, () => {
    const db = openSqlite(file);
    try {
      refuseNewer(db, file);
      if (schemaVersion(db) === 0) throw new JournalError("unreadable", "this is not a journal");
      const broken = walkChain(db, 0);
      if (broken) throw new JournalError("unreadable", `row ${broken.seq} is damaged: ${broken.problem}`);
      return { journalId: journalIdOf(db), ...tailOf(db) };
    } finally {
      db.close();
    }
  });
}
