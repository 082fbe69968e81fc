/** Correlation of one symbol's minute returns with the leader's. */
import { sampleCorrelation } from "simple-statistics";
import { MINUTE_MS } from "../core/time.ts";
import type { CandleSeries } from "./candles.ts";

const MINUTES = 120;
const PAIRS_NEEDED = 20;

/** Minute returns by the bar's open time, only between consecutive bars and without the running bar. */
function minuteReturns(series: CandleSeries): Map<number, number> {
  const returns = new Map<number, number>();
  for (let age = 1; age < Math.min(MINUTES, series.size - 1); age++) {
    const openMs = series.openMs(age);
    if (openMs - series.openMs(age + 1) === MINUTE_MS)
      returns.set(openMs, series.close(age) / series.close(age + 1) - 1);
  }
  return returns;
}

/** Pearson correlation of the common minutes, -1 to 1; null with fewer than 20 of them or a flat series. */
export function minuteCorrelation(own: CandleSeries, leader: CandleSeries): number | null {
  const leaders = minuteReturns(leader);
  const pairs: [number, number][] = [];
  for (const [openMs, value] of minuteReturns(own)) {
    const other = leaders.get(openMs);
    if (other !== undefined) pairs.push([value, other]);
  }
  return pairs.length < PAIRS_NEEDED ? null : pearson(pairs);
}

/** Null when either side does not vary. */
export function pearson(pairs: readonly (readonly [number, number])[]): number | null {
  const found = sampleCorrelation(
    pairs.map(([x]) => x),
    pairs.map(([, y]) => y),
  );
  return Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : null;
}
