/** What a member's past says about its next vote: a bounded factor, from own closed trades alone. Deterministic. */
import type { TradeOutcome } from "./outcomes.ts";

/** A single trade counts at most so much, fraction of its value: one lucky gap is no record. */
const SHARE_CAP = 0.05;

/** Trades of a strategy of its own, and those of others that it voted for. */
export const recordOf = (name: string, outcomes: readonly TradeOutcome[]): readonly number[] =>
  outcomes
    .filter(({ strategy, facts }) => strategy === name || facts.votes?.[name] !== undefined)
    .map(({ share }) => Math.max(-SHARE_CAP, Math.min(SHARE_CAP, share)));

/**
 * -1 to 1: the sum of results in units of their own size, held back by the doubt that `doubtTrades` trades would end.
 * Zero without a record.
 */
export function recordScore(results: readonly number[], doubtTrades: number): number {
  const squares = results.reduce((sum, result) => sum + result ** 2, 0);
  if (!(squares > 0)) return 0;
  const sum = results.reduce((so, result) => so + result, 0);
  return sum / Math.sqrt(squares) / Math.sqrt(results.length + doubtTrades);
}

/** Between one `power`-th and `power` times. */
export const recordFactor = (score: number, power: number): number => power ** Math.max(-1, Math.min(1, score));
