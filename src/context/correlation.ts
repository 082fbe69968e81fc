/** Correlation of one symbol's minute returns with the leader's. */
import { sampleCorrelation } from "simple-statistics";
import { MINUTE_MS } from "../core/time.ts";
import type { CandleSeries } from "./candles.ts";

const MINUTES = 120;
const PAIRS_NEEDED = 20;

/** Whether the bar of that age follows the one before it without a gap. */
const follows = (series: CandleSeries, age: number): boolean =>
  series.openMs(age) - series.openMs(age + 1) === MINUTE_MS;
const returnOf = (series: CandleSeries, age: number): number => series.close(age) / series.close(age + 1) - 1;

/**
 * Pearson correlation of the common minutes, -1 to 1, without the running bar; null with fewer than 20 of them or a flat
 * series. Both series are walked side by side, newest first.
 */
export function minuteCorrelation(own: CandleSeries, leader: CandleSeries): number | null {
  const xs: number[] = [];
  const ys: number[] = [];
  const ownEnd = Math.min(MINUTES, own.size - 1);
  const leaderEnd = Math.min(MINUTES, leader.size - 1);
  for (let a = 1, b = 1; a < ownEnd && b < leaderEnd;) {
    const ahead = own.openMs(a) - leader.openMs(b);
    if (ahead === 0 && follows(own, a) && follows(leader, b)) {
      xs.push(returnOf(own, a));
      ys.push(returnOf(leader, b));
    }
    if (ahead >= 0) a++;
    if (ahead <= 0) b++;
  }
  return xs.length < PAIRS_NEEDED ? null : bounded(sampleCorrelation(xs, ys));
}

const bounded = (found: number): number | null => (Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : null);

/** Null when either side does not vary. */
export const pearson = (pairs: readonly (readonly [number, number])[]): number | null =>
  bounded(
    sampleCorrelation(
      pairs.map(([x]) => x),
      pairs.map(([, y]) => y),
    ),
  );
