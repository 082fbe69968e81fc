/**
 * A crash at a boundary of the journal: the process ends just before the n-th row of its run is written, or right after
 * it and before anything else. Only the file survives. Faults P1, P2.
 */
import type { Journal } from "../journal/journal.ts";

/** The append at which a run ends. */
export interface CrashToken {
  /** Counted from 1 in each run of the process. */
  readonly append: number;
  readonly when: "before" | "after";
}

/** Thrown where code of the ended process would continue. It is not an error of the program. */
export class Death extends Error {
  override readonly name = "Death";
}

/** The journal of a process that crashes at the token, and accepts no row afterwards. */
export function crashingJournal(
  journal: Journal,
  { token, alive, die }: { readonly token: CrashToken | null; alive(): boolean; die(): void },
): Journal {
  let count = 0;
  const bounded = <T>(write: () => T): T => {
    if (!alive()) throw new Death("the process has crashed");
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
