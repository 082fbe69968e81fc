/**
 * Symbols about which the venue has contradicted us: it refused an order for tick, lot, minimum, margin, leverage or
 * state. Their rules are read again before the next attempt there; this never delays an exit.
 */
import type { Rejected } from "../../core/outcome.ts";
import type { At } from "../contract/effects.ts";

/** A reading that has not come by then is asked for again. */
const ASK_AGAIN_MS = 10_000;

/** By symbol, for this run. An entry ends once both the rules and the leverage of its symbol have been read. */
export interface StaleRules {
  /** The venue refused an order. True when that makes the rules of its symbol stale. */
  refused(symbol: string, rejected: Rejected, at: At): boolean;
  /** The same for a refusal that came as a push, without a code. */
  raise(symbol: string, reason: string, at: At): void;
  /** Symbol rules, or leverage, of these symbols were read. */
  rulesRead(symbols: readonly string[]): void;
  leverageRead(symbols: readonly string[]): void;
  /** Why nothing is opened in a symbol until it has been read; null when nothing is stale. */
  of(symbol: string): string | null;
  /** Asks again for what has not come. */
  look(at: At): void;
  all(): readonly { readonly symbol: string; readonly reason: string }[];
}

interface Staleness {
  readonly reason: string;
  rules: boolean;
  leverage: boolean;
}

/** A new entry asks for the readings at once; `look` asks again every 10 s until they have come. */
export function createStaleRules(): StaleRules {
  const staleRules = new Map<string, Staleness>();
  let askedMs = -Infinity;
  const ask = ({ nowMs, out }: At): void => {
    askedMs = nowMs;
    const open = [...staleRules.values()];
    if (open.some((stale) => stale.rules)) out.ask({ kind: "load-rules" });
    if (open.some((stale) => stale.leverage)) out.ask({ kind: "read-leverage" });
  };
  const cleared = (symbols: readonly string[], what: "rules" | "leverage"): void => {
    for (const symbol of symbols) {
      const stale = staleRules.get(symbol);
      if (!stale) continue;
      stale[what] = false;
      if (!stale.rules && !stale.leverage) staleRules.delete(symbol);
    }
  };
  const raise: StaleRules["raise"] = (symbol, reason, at) => {
    staleRules.set(symbol, { reason, rules: true, leverage: true });
    ask(at);
  };
  return {
    raise,
    refused: (symbol, { reason, code }, at) => {
      if (reason !== "stale-rules") return false;
      raise(symbol, `the venue refused an order with ${code}`, at);
      return true;
    },
    rulesRead: (symbols) => cleared(symbols, "rules"),
    leverageRead: (symbols) => cleared(symbols, "leverage"),
    of: (symbol) => {
      const stale = staleRules.get(symbol);
      return stale ? `${stale.reason}: its rules are being read again` : null;
    },
    look: (at) => {
      if (staleRules.size > 0 && at.nowMs - askedMs >= ASK_AGAIN_MS) ask(at);
    },
    all: () => [...staleRules].map(([symbol, { reason }]) => ({ symbol, reason })),
  };
}
