/** A journal's disk that fails or is slow while it is given to: full, locked by somebody else, broken. Faults D1, D2, D8, D9. */
import type { JournalDisk } from "../../src/journal/committer.ts";

export type DiskTrouble = "full" | "busy" | "broken" | "slow";

const CODES = { full: "SQLITE_FULL", busy: "SQLITE_BUSY", broken: "EIO" } as const;

/** `stall` lets time pass while the process waits for the disk. */
export function troubledDisk(disk: JournalDisk, trouble: () => DiskTrouble | null, stall: () => void): JournalDisk {
  const meet = (): void => {
    const found = trouble();
    if (found !== null && found !== "slow")
      throw Object.assign(new Error(`the disk is ${found}`), { code: CODES[found] });
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
    mark: (file, mark) => {
      disk.mark(file, mark);
      if (trouble() === "slow") stall();
    },
  };
}
