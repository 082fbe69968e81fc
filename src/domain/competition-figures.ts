/**
 * Sharpe ratio and drawdown as the organiser computes them from hourly readings: a day's return is the reading of 23:00 UTC
 * against that of 00:00, drawdown the largest fall from the peak before it. Records §8.3.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { HOUR_MS } from "../core/time.ts";
import { atFullHours, type EquityPoint } from "./hourly-equity.ts";

export type { EquityPoint } from "./hourly-equity.ts";

const DAY_HOURS = 24;

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
export const competitionFigures = (points: readonly EquityPoint[]): CompetitionFigures =>
  figuresOfHours(atFullHours(points));

/** The same of the readings of full hours, oldest first, without a gap. */
export function figuresOfHours(hourly: readonly EquityPoint[]): CompetitionFigures {
  const whole: { readonly atMs: number; readonly fraction: number }[] = [];
  for (let at = hoursToMidnight(hourly[0]); at < hourly.length; at += DAY_HOURS) {
    const [opened, closed] = [hourly[at], hourly[at + DAY_HOURS - 1]];
    if (opened && closed && opened.equityUsdt > 0)
      whole.push({ atMs: opened.atMs, fraction: closed.equityUsdt / opened.equityUsdt - 1 });
  }
  const dailyReturns = whole.map(({ fraction }) => fraction);
  let [peak, maxDrawdown] = [0, 0];
  for (const { equityUsdt } of hourly) {
    peak = Math.max(peak, equityUsdt);
    if (peak > 0) maxDrawdown = Math.max(maxDrawdown, (peak - equityUsdt) / peak);
  }
  return { dailyReturns, days: whole.map(({ atMs }) => atMs), sharpe: annualised(dailyReturns), maxDrawdown };
}

const hoursToMidnight = (first: EquityPoint | undefined): number =>
  first === undefined ? 0 : (DAY_HOURS - (Math.floor(first.atMs / HOUR_MS) % DAY_HOURS)) % DAY_HOURS;

/** Of daily returns, by the root of 365; null with fewer than two, 0 without any variation. */
export function annualised(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread === 0 ? 0 : (mean([...returns]) / spread) * Math.sqrt(365);
}
