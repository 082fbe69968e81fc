/** Correlation of one symbol's minute returns with the leader's. */
import { sampleCorrelation } from "simple-statistics";
import { MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";

/** With the running bar. */
export const MINUTES_COMPARED = 121;
const PAIRS_NEEDED = 20;

/** Returns of minutes that follow the one before them without a gap, newest first. */
interface MinuteReturns {
  readonly openMs: readonly number[];
  readonly values: readonly number[];
}

/** Those of the leader are compared with every symbol's. */
const known = new WeakMap<readonly Candle[], MinuteReturns>();

/** Without the running bar. */
function minuteReturns(bars: readonly Candle[]): MinuteReturns {
  const found = known.get(bars);
  if (found) return found;
  const openMs: number[] = [];
  const values: number[] = [];
  const newest = bars.length - 1;
  for (let age = 1; age < newest; age++) {
    const [bar, before] = [bars[newest - age], bars[newest - age - 1]];
    if (!bar || !before || bar.openMs - before.openMs !== MINUTE_MS) continue;
    openMs.push(bar.openMs);
    values.push(bar.close / before.close - 1);
  }
  const returns = { openMs, values };
  known.set(bars, returns);
  return returns;
}

/**
 * Pearson correlation of the common minutes of two lists of minute bars, -1 to 1, without the running bar; null with
 * fewer than 20 of them or a flat series. Both are walked side by side, newest first.
 */
export function minuteCorrelation(own: readonly Candle[], leader: readonly Candle[]): number | null {
  const [a, b] = [minuteReturns(own), minuteReturns(leader)];
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 0, j = 0; i < a.openMs.length && j < b.openMs.length;) {
    const ahead = (a.openMs[i] ?? NaN) - (b.openMs[j] ?? NaN);
    if (ahead === 0) {
      xs.push(a.values[i] ?? NaN);
      ys.push(b.values[j] ?? NaN);
    }
    if (ahead >= 0) i++;
    if (ahead <= 0) j++;
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
