/** A snapshot as plain facts for a person: what was known, how old it was, and what was missing. */
import { toWire } from "../../core/decimal.ts";
import type { Snapshot, SymbolView } from "../../context/snapshot.ts";
import type { SeenFacts, SymbolFacts } from "./seen-text.ts";

const age = (ms: number): number | null => (Number.isFinite(ms) ? Math.round(ms) : null);

/** Ages in whole ms; null for what was never reported. */
export const symbolFacts = (view: SymbolView): SymbolFacts => ({
  symbol: view.symbol,
  bid: view.bid,
  ask: view.ask,
  mark: view.mark,
  funding: view.fundingRate,
  volatilityHour: view.volatilityHour,
  flow: view.tradeFlow,
  ret1h: view.returns["1h"] ?? null,
  bookAgeMs: age(view.ageMs.book),
  markAgeMs: age(view.ageMs.mark),
  tradeAgeMs: age(view.ageMs.trade),
});

/** Equity to two places and headroom to whole USDT: for reading, not for arithmetic. */
export function seenFacts({ atMs, account, headroom, symbols, news, facts, missing }: Snapshot): SeenFacts {
  return {
    atMs,
    account: account && {
      equityUsdt: account.equityUsdt.toFixed(2),
      floorUsdt: toWire(account.floorUsdt),
      availableUsdt: account.availableMarginUsdt.toFixed(2),
      ageMs: age(account.ageMs),
      positions: account.positions.map(({ position, stopPrice }) => ({
        symbol: position.symbol,
        side: position.side,
        qty: toWire(position.qty),
        avgPrice: toWire(position.avgPrice),
        stopPrice: stopPrice && toWire(stopPrice),
      })),
    },
    headroom: {
      mayOpen: headroom.mayOpen,
      reason: headroom.reason,
      perOrderUsdt: headroom.perOrderUsdt.toFixed(0),
      totalUsdt: headroom.totalUsdt.toFixed(0),
    },
    symbols: symbols.map(symbolFacts),
    news: news.map(({ key, kind, title, currencies, firstSeenMs }) => ({
      key,
      kind,
      title,
      currencies,
      ageMs: Math.max(0, atMs - firstSeenMs),
    })),
    facts: Object.entries(facts).map(([source, { values, ageMs, stale }]) => ({
      source,
      values,
      ageMs: age(ageMs),
      stale,
    })),
    missing,
  };
}
