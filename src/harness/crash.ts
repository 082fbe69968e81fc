/**
 * Death at a boundary of the journal: the process ends just before the n-th row of its life is written, or just after it
 * and before anything that follows. What survives is the file. Faults P1, P2.
 */
import type { Journal } from "../journal/journal.ts";

/** Which append of a life is its last. */
export interface CrashToken {
  /** Counted from 1 in each life of the process. */
  readonly append: number;
  readonly when: "before" | "after";
}

/** What the dead code meets where it would have gone on. It is no error of the program. */
export class Death extends Error {
  override readonly name = "Death";
}

/** The journal of a process that dies at the token, and takes no row after any death. */
export function dyingJournal(
  journal: Journal,
  { token, alive, die }: { readonly token: CrashToken | null; alive(): boolean; die(): void },
): Journal {
  let count = 0;
  const bounded = <T>(write: () => T): T => {
    if (!alive()) throw new Death("the process is dead");
    count += 1;
    const last = token !== null && count >= token.append;
    if (last && token.when === "before") {
      die();
      throw new Death(`before row ${count}`);
    }
    const written = write();
    if (!last) return written;
    die();
    throw new Death(`after row ${count}`);
  };
  return {
    ...journal,
    append: (row, decisionId) => bounded(() => journal.append(row, decisionId)),
    appendMany: (rows) => bounded(() => journal.appendMany(rows)),
    acknowledge: (note) => bounded(() => journal.acknowledge(note)),
  };
}
