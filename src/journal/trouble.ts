/** Problems with the journal's disk, reported while the program runs, and their listeners. */

export type JournalTrouble =
  /** No room was left. A part of the reserve, if there was any, has been given back. */
  | { readonly kind: "full"; readonly reserveFreed: boolean; readonly message: string }
  /** Another process held the write lock; `inARow` commits in a row have failed for this. */
  | { readonly kind: "busy"; readonly inARow: number; readonly message: string }
  /** The disk failed. The journal accepts no more rows, and the process must end. */
  | { readonly kind: "io"; readonly message: string }
  /** A commit took long; what the caller read before it is out of date by now. */
  | { readonly kind: "slow"; readonly tookMs: number }
  /** Rows are written again after "full" or "busy". */
  | { readonly kind: "mended" };

/** Called in the middle of the commit that met the trouble: must not write to the journal and must not throw. */
export type TroubleListener = (trouble: JournalTrouble) => void;

/** A commit that takes longer than this is reported. */
export const SLOW_COMMIT_MS = 500;

/** Listeners stay for the life of the journal and are called in the order in which they were added. */
export interface Troubles {
  listen(listener: TroubleListener): void;
  report(trouble: JournalTrouble): void;
}

/** A list of listeners for one committer. */
export function troubles(): Troubles {
  const listeners: TroubleListener[] = [];
  return {
    listen: (listener) => void listeners.push(listener),
    report: (trouble) => {
      for (const listener of listeners) listener(trouble);
    },
  };
}
