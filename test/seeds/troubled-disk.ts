/** A journal's disk that fails while it is told to: full, locked by somebody else, broken. Faults D1, D2, D8. */
import type { JournalDisk } from "../../src/journal/committer.ts";

export type DiskTrouble = "full" | "busy" | "broken";

const CODES: Readonly<Record<DiskTrouble, string>> = { full: "SQLITE_FULL", busy: "SQLITE_BUSY", broken: "EIO" };

export function troubledDisk(disk: JournalDisk, trouble: () => DiskTrouble | null): JournalDisk {
  const meet = (): void => {
    const found = trouble();
    if (found !== null) throw Object.assign(new Error(`the disk is ${found}`), { code: CODES[found] });
  };
  return {
    open: (path) => {
      const db = disk.open(path);
      return {
        ...db,
        run: (sql, ...values) => {
          if (sql.startsWith("INSERT INTO rows")) meet();
          db.run(sql, ...values);
        },
      };
    },
    mark: (file, mark) => disk.mark(file, mark),
  };
}
