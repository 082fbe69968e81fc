/**
 * A journal disk for runs without power failures: the same files, without waiting for durable writes. Never for real
 * money.
 */
import { writeFileSync } from "node:fs";
import type { JournalDisk } from "../journal/committer.ts";
import { openSqlite, type Sqlite } from "../journal/sqlite.ts";
import type { TailMark } from "../journal/tail-mark.ts";

const write = (file: string, mark: TailMark): void => writeFileSync(file, JSON.stringify(mark), { mode: 0o600 });

function openRelaxed(path: string): Sqlite {
  const db = openSqlite(path);
  db.script("PRAGMA synchronous = OFF");
  return db;
}

/** Its rows survive a killed process, but not a power cut. */
export const relaxedDisk: JournalDisk = { open: openRelaxed, mark: write };

/** The same, with the tail mark kept in memory until the journal is closed; killing the simulated process closes it too. */
export function forgetfulDisk(): JournalDisk {
  const marks = new Map<string, TailMark>();
  return {
    open: (path) => {
      const db = openRelaxed(path);
      return {
        ...db,
        close: () => {
          for (const [file, mark] of marks) write(file, mark);
          marks.clear();
          db.close();
        },
      };
    },
    mark: (file, mark) => void marks.set(file, mark),
  };
}
