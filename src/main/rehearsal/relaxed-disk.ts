/** The journal's disk where no power can fail: the same file, without waiting for it to be safe. Never for real money. */
import { writeFileSync } from "node:fs";
import type { JournalDisk } from "../../journal/committer.ts";
import { openSqlite } from "../../journal/sqlite.ts";

export const relaxedDisk: JournalDisk = {
  open: (path) => {
    const db = openSqlite(path);
    db.script("PRAGMA synchronous = OFF");
    return db;
  },
  mark: (file, mark) => writeFileSync(file, JSON.stringify(mark), { mode: 0o600 }),
};
