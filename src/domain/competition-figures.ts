/**
 * Sharpe ratio and drawdown as the organiser computes them from hourly readings: a day's return is the reading of 23:00 UTC
 * against that of 00:00, drawdown the largest fall from the peak before it. Records §8.3.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import { atFullHours, type EquityPoint } from "./hourly-equity.ts";

export type { EquityPoint } from "./hourly-equity.ts";

export interface CompetitionFigures {
  readonly dailyReturns: readonly number[];
  /** Midnight UTC of each of them, epoch ms. */
  readonly days: readonly number[];
  /** Annualised by the root of 365; null with fewer than two days, 0 without any variation. */
  readonly sharpe: number | null;
  /** Largest fall from the peak before it, over the readings at full hours; fraction. */
  readonly maxDrawdown: number;
}

/**
 * Points oldest first, at any instants: those of a daemon fall shortly after the full hour. A day that does not have both 00:00
 * and 23:00 within the points does not count.
 */
export function competitionFigures(points: readonly EquityPoint[]): CompetitionFigures {
  const hourly = atFullHours(points);
  const at = new Map(hourly.map(({ atMs, equityUsdt }) => [atMs, equityUsdt]));
  const whole = hourly.flatMap(({ atMs, equityUsdt }) => {
    const closed = at.get(atMs + 23 * HOUR_MS);
    const counts = atMs % DAY_MS === 0 && closed !== undefined && equityUsdt > 0;
    return counts ? [{ atMs, fraction: closed / equityUsdt - 1 }] : [];
  });
  const dailyReturns = whole.map(({ fraction }) => fraction);
  let [peak, maxDrawdown] = [0, 0];
  for (const { equityUsdt } of hourly) {
    peak = Math.max(peak, equityUsdt);
    if (peak > 0) maxDrawdown = Math.max(maxDrawdown, (peak - equityUsdt) / peak);
  }
  return { dailyReturns, days: whole.map(({ atMs }) => atMs), sharpe: annualised(dailyReturns), maxDrawdown };
}

/** Of daily returns, by the root of 365; null with fewer than two, 0 without any variation. */
export function annualised(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread === 0 ? 0 : (mean([...returns]) / spread) * Math.sqrt(365);
}
