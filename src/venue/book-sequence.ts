/** Whether a book message continues what came before. Spec: records §10.5; faults M4. Looks at sequence numbers only. */

export interface BookSequence {
  /** "take": pass it on. "drop": old or repeated. "gap": something is missing, the book must begin anew. */
  judge(symbol: string, message: BookMessage): "take" | "drop" | "gap";
  forget(symbol: string): void;
}

/** The parts of an ORDER_BOOK push that matter here, in either generation's place and type. */
export interface BookMessage {
  readonly updatetype: unknown;
  readonly seq: unknown;
  readonly preSeq: unknown;
}

/** Numbers that ran without a hole for so long make the next hole a loss; before that the venue may count otherwise. */
const STREAK_TRUSTED = 3;
/** About a minute without a hole: the venue counts by one, and what it skipped before was lost. */
const STREAK_PROVEN = 240;

/** What the numbers of one book did since its snapshot. */
interface Run {
  seq: number;
  streak: number;
  /** A hole was let pass that may have been a loss. */
  missed: boolean;
}

/** For one connection: after a gap, or at its beginning, a symbol needs a snapshot before updates are taken. */
export function createBookSequence(): BookSequence {
  const runs = new Map<string, Run>();
  /** Doubles with each hole that cost a new snapshot, so that a venue that skips numbers is soon left alone. */
  const needed = new Map<string, number>();

  /** Without `pre_seq` a loss shows only as a hole in numbers that rose by one before. */
  const isLoss = (symbol: string, run: Run, seq: number): boolean => {
    const enough = needed.get(symbol) ?? STREAK_TRUSTED;
    if (seq === run.seq + 1) {
      if (++run.streak < STREAK_PROVEN) return false;
      needed.delete(symbol);
      return run.missed;
    }
    if (run.streak >= enough) {
      needed.set(symbol, Math.min(enough * 2, STREAK_PROVEN));
      return true;
    }
    run.missed ||= run.streak >= STREAK_TRUSTED;
    run.streak = 0;
    return false;
  };
  return {
    judge: (symbol, message) => {
      const seq = Number(message.seq);
      // What is malformed is for the frame reader to refuse, with a reason.
      if (!Number.isFinite(seq)) return "take";
      if (message.updatetype === "snapshot" || message.updatetype === "all") {
        runs.set(symbol, { seq, streak: 0, missed: false });
        return "take";
      }
      const run = runs.get(symbol);
      if (run === undefined) return "gap";
      if (seq <= run.seq) return "drop";
      const told = message.preSeq !== undefined && message.preSeq !== null;
      if (told ? Number(message.preSeq) !== run.seq : isLoss(symbol, run, seq)) {
        runs.delete(symbol);
        return "gap";
      }
      run.seq = seq;
      return "take";
    },
    forget: (symbol) => void runs.delete(symbol),
  };
}
