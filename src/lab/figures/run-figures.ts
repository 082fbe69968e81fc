/**
 * The performance of a run by the venue's account: return, drawdown, Sharpe, costs. Statistics are floats; paid money
 * is exact. Definitions: records §8.3.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Decimal } from "../../core/decimal.ts";
import { DAY_MS } from "../../core/time.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import type { ModelSummary } from "../models/model-summary.ts";

/** One strategy's run over a stretch of market. */
export interface BacktestRun {
  readonly strategy: string;
  /** Oldest first, at least two. */
  readonly points: readonly EquityPoint[];
  readonly executions: number;
  readonly closedPositions: number;
  /** Share of closed positions with a profit after fees and funding; null without any. */
  readonly winRate: number | null;
  readonly decisions: number;
  /** Positive: the account paid. */
  readonly feesUsdt: Decimal;
  /** Positive: the account paid; negative: it received. */
  readonly fundingUsdt: Decimal;
  readonly modelUsd: Decimal;
  /** Names of the models that answered; empty if none was asked. */
  readonly models: readonly string[];
  /** The outcome of its questions, if a gateway or the replies of an earlier run answered them. */
  readonly questions?: ModelSummary;
  readonly eliminated: boolean;
  /** Why the run ended early; null otherwise. */
  readonly ended: string | null;
}

/** Decisions without a usable answer of the strategy, made by the fallback as in live trading. */
export interface FailedDecisions {
  readonly count: number;
  readonly firstMs: number;
  /** Reason of the first one. */
  readonly reason: string;
}

/** A run with its closed trades, oldest first. */
export interface TradedRun extends BacktestRun {
  readonly trades: readonly ClosedTradeRow[];
}

/** Fractions are of 1; the return is relative to the first equity. */
export interface BacktestFigures {
  readonly returnFraction: number;
  readonly worstEquityUsdt: number;
  /** Largest fall from the running peak, as a fraction of the peak. */
  readonly maxDrawdown: number;
  /** Annualised over whole days; null with fewer than two. */
  readonly sharpe: number | null;
}

/** Points oldest first. Without points: no return, and a worst equity of Infinity. */
export function figuresOf(points: readonly EquityPoint[]): BacktestFigures {
  const first = points[0]?.equityUsdt ?? 0;
  const last = points.at(-1)?.equityUsdt ?? 0;
  let peak = -Infinity;
  let worst = Infinity;
  let maxDrawdown = 0;
  for (const { equityUsdt } of points) {
    peak = Math.max(peak, equityUsdt);
    worst = Math.min(worst, equityUsdt);
    if (peak > 0) maxDrawdown = Math.max(maxDrawdown, (peak - equityUsdt) / peak);
  }
  return {
    returnFraction: first > 0 ? last / first - 1 : 0,
    worstEquityUsdt: worst,
    maxDrawdown,
    sharpe: sharpeOf(dailyReturns(points)),
  };
}

/** Returns from one midnight UTC to the next, between the first points at or after each. */
export function dailyReturns(points: readonly EquityPoint[]): readonly number[] {
  const opens: number[] = [];
  let day = -1;
  for (const { atMs, equityUsdt } of points) {
    const today = Math.floor(atMs / DAY_MS);
    if (today === day) continue;
    // The first day counts only if the run began at midnight.
    if (day !== -1 || atMs % DAY_MS === 0) opens.push(equityUsdt);
    day = today;
  }
  return opens.slice(1).map((equity, index) => equity / (opens[index] ?? equity) - 1);
}

function sharpeOf(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread === 0 ? 0 : (mean([...returns]) / spread) * Math.sqrt(365);
}
