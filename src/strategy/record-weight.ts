/**
 * A bounded weight factor for a member's next vote, from its closed trades and from its paper record if it runs as a
 * shadow. Deterministic.
 */
import type { StrategyRecord } from "../context/memory.ts";
import { type Snapshot, symbolView } from "../context/snapshot.ts";
import { toFloat } from "../core/decimal.ts";
import { factsOf, type ThesisFacts } from "./thesis.ts";

/** Cap on one trade's contribution, as a fraction of its value: one lucky gap is not a record. */
const SHARE_CAP = 0.05;

/** Trades of a strategy of its own, and those of others that it voted for. */
export const recordOf = (name: string, outcomes: readonly TradeOutcome[]): readonly number[] =>
  outcomes
    .filter(({ strategy, facts }) => strategy === name || facts.votes?.[name] !== undefined)
    .map(({ share }) => Math.max(-SHARE_CAP, Math.min(SHARE_CAP, share)));

/**
 * -1 to 1: the sum of results relative to their own size, shrunk as if `priorTrades` further trades had shown
 * nothing. Zero without a record.
 */
export function recordScore(results: readonly number[], priorTrades: number): number {
  const squares = results.reduce((sum, result) => sum + result ** 2, 0);
  if (!(squares > 0)) return 0;
  const sum = results.reduce((so, result) => so + result, 0);
  return sum / Math.sqrt(squares) / Math.sqrt(results.length + priorTrades);
}

/**
 * The same for a shadow: its return relative to return plus drawdown, shrunk in the same way. Of several shadows of
 * one strategy the one with the most trades counts.
 */
export function paperScore(name: string, records: readonly StrategyRecord[], priorTrades: number): ShadowScore {
  const own = records.filter(({ strategy, trades }) => strategy === name && trades > 0);
  const [best] = [...own].sort((a, b) => b.trades - a.trades || (a.name < b.name ? -1 : 1));
  const range = best ? Math.abs(best.returnAfterCosts) + Math.max(0, best.maxDrawdown) : 0;
  if (!best || !(range > 0)) return { score: 0, trades: 0 };
  const { returnAfterCosts, trades } = best;
  return { score: (returnAfterCosts / range) * Math.sqrt(trades / (trades + priorTrades)), trades };
}

/** `score` is -1 to 1, 0 without a record; `trades` is its weight beside own trades. */
export interface ShadowScore {
  readonly score: number;
  readonly trades: number;
}

/** A member's factor: trades and paper record, each weighted by its number of trades. */
export function memberFactor(
  name: string,
  snapshot: Snapshot,
  { priorTrades, power }: { readonly priorTrades: number; readonly power: number },
): number {
  const results = recordOf(name, outcomesOf(snapshot));
  const paper = paperScore(name, snapshot.records ?? [], priorTrades);
  const trades = results.length + paper.trades;
  if (trades === 0) return 1;
  const score = recordScore(results, priorTrades) * results.length + paper.score * paper.trades;
  return recordFactor(score / trades, power);
}

/** Between 1 / `power` and `power`. */
export const recordFactor = (score: number, power: number): number => power ** Math.max(-1, Math.min(1, score));

/** One closed trade; `facts` is empty if the thesis of its opening had none. */
export interface TradeOutcome {
  readonly strategy: string | null;
  /** Result after fees and funding, divided by the value at entry. */
  readonly share: number;
  readonly won: boolean;
  readonly facts: ThesisFacts;
}

/** Newest first. A trade with an unknown exit is omitted. */
export function outcomesOf(snapshot: Snapshot): readonly TradeOutcome[] {
  return (snapshot.account?.recentTrades ?? []).flatMap((trade) => {
    const contract = symbolView(snapshot, trade.symbol)?.rules?.contractSize;
    const value = toFloat(trade.qty) * toFloat(trade.entryPrice) * (contract ? toFloat(contract) : 1);
    if (!(value > 0) || trade.netUsdt === null) return [];
    const net = toFloat(trade.netUsdt);
    return [{ strategy: trade.strategy, share: net / value, won: net > 0, facts: factsOf(trade.thesis) }];
  });
}
