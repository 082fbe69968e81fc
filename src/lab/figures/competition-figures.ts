/**
 * Sharpe ratio and drawdown as the organiser was seen to compute them: a day's return from its first and its last equity
 * (UTC), drawdown from hourly equity. Records §8.3.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { EquityPoint } from "./run-figures.ts";

export interface CompetitionFigures {
  readonly dailyReturns: readonly number[];
  /** Annualised by the root of 365; null with fewer than two days, 0 without any variation. */
  readonly sharpe: number | null;
  /** Largest fall from the peak before it, over the readings at full hours; fraction. */
  readonly maxDrawdown: number;
}

/** Points oldest first. A day that the run covers only in part counts with what it has. */
export function competitionFigures(points: readonly EquityPoint[]): CompetitionFigures {
  const dailyReturns = ends(points, DAY_MS).map(({ first, last }) => last / first - 1);
  let [peak, maxDrawdown] = [0, 0];
  for (const { last } of ends(points, HOUR_MS)) {
    peak = Math.max(peak, last);
    maxDrawdown = Math.max(maxDrawdown, (peak - last) / peak);
  }
  return { dailyReturns, sharpe: annualised(dailyReturns), maxDrawdown };
}

function annualised(returns: readonly number[]): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread === 0 ? 0 : (mean([...returns]) / spread) * Math.sqrt(365);
}

/** First and last equity of every span. */
function ends(
  points: readonly EquityPoint[],
  spanMs: number,
): readonly { readonly first: number; readonly last: number }[] {
  const found: { span: number; first: number; last: number }[] = [];
  for (const { atMs, equityUsdt } of points) {
    const span = Math.floor(atMs / spanMs);
    const open = found.at(-1);
    if (open?.span === span) open.last = equityUsdt;
    else found.push({ span, first: equityUsdt, last: equityUsdt });
  }
  return found;
}
