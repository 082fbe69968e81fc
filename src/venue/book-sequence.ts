/** Whether a book message continues the previous one, by sequence number. Spec: records §10.5; fault M4. */

export interface BookSequence {
  /**
   * "take": pass it on. "drop": old or repeated. "gap": a message is missing, so the book must restart from a
   * snapshot.
   */
  judge(symbol: string, message: BookMessage): "take" | "drop" | "gap";
  forget(symbol: string): void;
}

/** The relevant fields of an ORDER_BOOK push, in either generation's place and type. */
export interface BookMessage {
  readonly updatetype: unknown;
  readonly seq: unknown;
  readonly preSeq: unknown;
}

/** After this many consecutive numbers a hole counts as a loss; before, the venue may count in another way. */
const STREAK_TRUSTED = 3;
/** About a minute without a hole: the venue counts by one, so an earlier hole was a loss. */
const STREAK_PROVEN = 240;

/** The sequence of one book since its snapshot. */
interface Run {
  seq: number;
  streak: number;
  /** A hole passed that may have been a loss. */
  missed: boolean;
}

/** For one connection. At its beginning and after a gap a symbol needs a snapshot before updates are accepted. */
export function createBookSequence(): BookSequence {
  const runs = new Map<string, Run>();
  /** Doubles with each hole that cost a snapshot, so that a venue that skips numbers is soon left alone. */
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
      // The frame reader refuses malformed messages with a reason.
      if (!Number.isFinite(seq)) return "take";
      if (message.updatetype === "snapshot" || message.updatetype === "all") {
        runs.set(symbol, { seq, streak: 0, missed: false });
        return "take";
      }
      const run = runs.get(symbol);
      if (run === undefined) return "gap";
      if (seq <= run.seq) return "drop";
      const reported = message.preSeq !== undefined && message.preSeq !== null;
      if (reported ? Number(message.preSeq) !== run.seq : isLoss(symbol, run, seq)) {
        runs.delete(symbol);
        return "gap";
      }
      run.seq = seq;
      return "take";
    },
    forget: (symbol) => void runs.delete(symbol),
  };
}
