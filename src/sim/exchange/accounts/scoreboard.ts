/** The competition's table: return, Sharpe, drawdown, win rate and the composite score of track A. Spec: records §8.3. */
import { errorFunction, mean, sampleStandardDeviation } from "simple-statistics";
import { toFloat, toWire } from "../../../core/decimal.ts";
import type { ScoreRow } from "../contract/api.ts";
import { portfolioEquity } from "../positions/margin.ts";
import { closedAndWon, tradedValue } from "../records/scored.ts";
import type { NavMark, Portfolio, World } from "../state/state.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WEIGHTS = { sharpe: 0.4, pnl: 0.25, roi: 0.2, drawdown: 0.15 };

/** Largest fall from the running peak, as a fraction of the peak. Never shrinks. */
function maxDrawdown(navs: readonly number[]): number {
  let peak = -Infinity;
  let worst = 0;
  for (const nav of navs) {
    peak = Math.max(peak, nav);
    if (peak > 0) worst = Math.max(worst, (peak - nav) / peak);
  }
  return worst;
}

/** Each completed day's return: the reading of 23:00 UTC against that of 00:00 UTC. */
function dailyReturns(navs: readonly NavMark[]): number[] {
  const byTime = new Map(navs.map(({ atMs, equity }) => [atMs, toFloat(equity)]));
  const returns: number[] = [];
  for (const [atMs, opened] of byTime) {
    const closed = byTime.get(atMs + 23 * HOUR_MS);
    if (atMs % DAY_MS === 0 && closed !== undefined && opened > 0) returns.push(closed / opened - 1);
  }
  return returns;
}

/** Null with fewer than two completed days; zero if all returns are equal. */
function sharpe(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread === 0 ? 0 : (mean([...returns]) / spread) * Math.sqrt(365);
}

/** Distribution function of the standard normal. */
const normalCdf = (z: number): number => (1 + errorFunction(z / Math.SQRT2)) / 2;

/** Percentile score of a value in its field, 0 to 100; 50 if all values are equal. */
function percentile(value: number, field: readonly number[]): number {
  const spread = field.length < 2 ? 0 : sampleStandardDeviation([...field]);
  return spread === 0 ? 50 : 100 * normalCdf((value - mean([...field])) / spread);
}

/** The borders of the tiers are not public; these steps are a guess. A drawdown of a fifth is close to elimination. */
const DRAWDOWN_TIERS: readonly (readonly [upTo: number, score: number])[] = [
  [0.01, 100],
  [0.03, 80],
  [0.05, 60],
  [0.1, 40],
  [0.15, 20],
];

/** 100 for up to 1 % down to 0 above 15 %; the argument is a fraction. */
export const drawdownScore = (drawdown: number): number => DRAWDOWN_TIERS.find(([upTo]) => drawdown <= upTo)?.[1] ?? 0;

/** One portfolio's current figures. Fractions, not percents; `scores` 0..100; `rank` from 1. Records §8.3. */
export interface Score {
  readonly portfolio: Portfolio;
  readonly equity: number;
  readonly equityText: string;
  readonly pnl: number;
  readonly roi: number;
  readonly sharpe: number | null;
  readonly maxDrawdown: number;
  readonly winRate: number | null;
  readonly quoteVolume: string;
  readonly trades: number;
  readonly scores: { readonly sharpe: number; readonly pnl: number; readonly roi: number; readonly drawdown: number };
  readonly composite: number;
  readonly rank: number;
}

function measure(world: World, portfolio: Portfolio) {
  const equity = portfolioEquity(world, portfolio);
  const initial = toFloat(portfolio.initialUsdt);
  const now = toFloat(equity);
  const { closed, won } = closedAndWon(portfolio);
  return {
    portfolio,
    equity: now,
    equityText: toWire(equity),
    pnl: now - initial,
    roi: initial === 0 ? 0 : now / initial - 1,
    sharpe: sharpe(dailyReturns(portfolio.navs)),
    maxDrawdown: maxDrawdown([...portfolio.navs.map((nav) => toFloat(nav.equity)), now]),
    winRate: closed === 0 ? null : won / closed,
    quoteVolume: toWire(tradedValue(portfolio)),
    trades: portfolio.scored.trades,
  };
}

/** All portfolios, best first. Eliminated ones leave the pool and come last. */
export function scores(world: World): readonly Score[] {
  const measured = [...world.portfolios.values()].map((portfolio) => measure(world, portfolio));
  const pool = measured.filter(({ portfolio }) => portfolio.eliminatedAtMs === null);
  const fields = {
    sharpe: pool.map((row) => row.sharpe ?? 0),
    pnl: pool.map((row) => row.pnl),
    roi: pool.map((row) => row.roi),
  };
  const rows = measured.map((row) => {
    const out = row.portfolio.eliminatedAtMs !== null;
    const parts = {
      sharpe: out ? 0 : percentile(row.sharpe ?? 0, fields.sharpe),
      pnl: out ? 0 : percentile(row.pnl, fields.pnl),
      roi: out ? 0 : percentile(row.roi, fields.roi),
      drawdown: out ? 0 : drawdownScore(row.maxDrawdown),
    };
    const { sharpe: s, pnl, roi, drawdown } = WEIGHTS;
    const composite = s * parts.sharpe + pnl * parts.pnl + roi * parts.roi + drawdown * parts.drawdown;
    return { ...row, scores: parts, composite };
  });
  rows.sort((a, b) => b.composite - a.composite || b.equity - a.equity || a.portfolio.no - b.portfolio.no);
  return rows.map((row, i) => ({ ...row, rank: i + 1 }));
}

/** The same as `scores`, in the form of `/control/scoreboard`. */
export const scoreboard = (world: World): readonly ScoreRow[] =>
  scores(world).map((row) => ({
    accountId: row.portfolio.accountId,
    teamName: row.portfolio.teamName,
    equityUsdt: row.equityText,
    returnFraction: row.roi,
    sharpe: row.sharpe,
    maxDrawdown: row.maxDrawdown,
    winRate: row.winRate,
    trades: row.trades,
    quoteVolume: row.quoteVolume,
    compositeScore: row.composite,
    rank: row.rank,
    eliminated: row.portfolio.eliminatedAtMs !== null,
  }));
