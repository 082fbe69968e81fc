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

/** For one connection: after a gap, or at its beginning, a symbol needs a snapshot before updates are taken. */
export function createBookSequence(): BookSequence {
  const last = new Map<string, number>();
  return {
    judge: (symbol, message) => {
      const seq = Number(message.seq);
      // What is malformed is for the frame reader to refuse, with a reason.
      if (!Number.isFinite(seq)) return "take";
      if (message.updatetype === "snapshot" || message.updatetype === "all") {
        last.set(symbol, seq);
        return "take";
      }
      const before = last.get(symbol);
      if (before === undefined) return "gap";
      if (seq <= before) return "drop";
      if (message.preSeq !== undefined && message.preSeq !== null && Number(message.preSeq) !== before) {
        last.delete(symbol);
        return "gap";
      }
      last.set(symbol, seq);
      return "take";
    },
    forget: (symbol) => void last.delete(symbol),
  };
}
