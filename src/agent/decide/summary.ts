/** A short summary of a snapshot for the journal: every figure a decision may rest on, without the candles behind them. */
import { hashOf } from "../../core/hash.ts";
import type { Snapshot, SymbolView } from "../../context/snapshot.ts";
import type { SnapshotSummary } from "../../rows/decision.ts";

const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(8)));

const symbolSummary = (view: SymbolView) => ({
  symbol: view.symbol,
  bid: short(view.bid),
  ask: short(view.ask),
  mark: short(view.mark),
  vol: short(view.volatilityHour),
  flow: short(view.tradeFlow),
  imbalance: short(view.depthImbalance),
  funding: short(view.fundingRate),
  returns: Object.fromEntries(Object.entries(view.returns).map(([span, value]) => [span, short(value)])),
  bookAgeMs: Number.isFinite(view.ageMs.book) ? Math.round(view.ageMs.book) : null,
});

const factSummary = ({ facts }: Snapshot) =>
  Object.entries(facts).map(([source, { values, atMs, stale }]) => ({ source, values, atMs, stale }));

/** Goes into the `decision` row. Signals to eight significant digits; `hash` covers the symbols' figures alone. */
export function summarize(snapshot: Snapshot): SnapshotSummary {
  const symbols = snapshot.symbols.map(symbolSummary);
  const { account, headroom } = snapshot;
  return {
    atMs: snapshot.atMs,
    hash: hashOf(symbols),
    symbols,
    news: snapshot.news.map((item) => ({ key: item.key, title: item.title.slice(0, 120) })),
    account: account && {
      equityUsdt: account.equityUsdt,
      positions: account.positions.map((held) => ({
        symbol: held.position.symbol,
        side: held.position.side,
        qty: held.position.qty,
        avgPrice: held.position.avgPrice,
        stopPrice: held.stopPrice,
      })),
    },
    headroom: {
      mayOpen: headroom.mayOpen,
      reason: headroom.reason,
      perOrderUsdt: headroom.perOrderUsdt,
      totalUsdt: headroom.totalUsdt,
      cushionMajorUsdt: headroom.cushionMajorUsdt,
    },
    ...(Object.keys(snapshot.facts).length === 0 ? {} : { facts: factSummary(snapshot) }),
    missing: snapshot.missing,
  };
}
