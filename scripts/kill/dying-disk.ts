/**
 * A journal disk that kills the process, by a signal that cannot be caught, at the n-th commit of its run: before the
 * commit; after the commit and before anything else; or a moment later, while the permitted request is on its way. Only
 * what the machine stored survives. Faults P1, P2.
 */
import type { JournalDisk } from "../../src/journal/committer.ts";
import type { Sqlite } from "../../src/journal/sqlite.ts";

export const MOMENTS = ["before", "after", "soon"] as const;
export type Moment = (typeof MOMENTS)[number];

export interface DeathToken {
  /** Counted from 1 in each run, starting with the steps that create the tables. */
  readonly commit: number;
  readonly when: Moment;
}

export const tokenText = ({ commit, when }: DeathToken): string => `${commit}:${when}`;

export function readToken(text: string): DeathToken | null {
  const [commit, when] = text.split(":");
  const moment = MOMENTS.find((each) => each === when);
  return moment && Number.isInteger(Number(commit)) && Number(commit) > 0
    ? { commit: Number(commit), when: moment }
    : null;
}

/** Long enough for a request to leave, too short for its reply to be recorded. */
const SOON_MS = 2;

export interface DyingDisk {
  readonly disk: JournalDisk;
  /** Commits of this run so far. */
  commits(): number;
}

export function dyingDisk(disk: JournalDisk, token: DeathToken | null, die: () => never): DyingDisk {
  let commits = 0;
  const bounded = (db: Sqlite): Sqlite => ({
    ...db,
    transaction: (work) => {
      commits += 1;
      const when = commits === token?.commit ? token.when : null;
      const done = db.transaction(() => {
        const worked = work();
        if (when === "before") die();
        return worked;
      });
      if (when === "after") die();
      if (when === "soon") setTimeout(die, SOON_MS);
      return done;
    },
  });
  return { disk: { ...disk, open: (path) => bounded(disk.open(path)) }, commits: () => commits };
}
