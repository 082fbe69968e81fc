/** Correlation of one symbol's minute returns with the leader's. */
import { sampleCorrelation } from "simple-statistics";
import { MINUTE_MS } from "../core/time.ts";
import type { CandleSeries } from "./candles.ts";

const MINUTES = 120;
const PAIRS_NEEDED = 20;

/** Returns of minutes that follow the one before them without a gap, newest first. */
export interface MinuteReturns {
  readonly version: number;
  readonly openMs: readonly number[];
  readonly values: readonly number[];
}

/** Those of the leader are compared with every symbol's. */
const known = new WeakMap<CandleSeries, MinuteReturns>();

/** Without the running bar; the same object until a bar has ended. */
export function minuteReturns(series: CandleSeries): MinuteReturns {
  const found = known.get(series);
  if (found?.version === series.version) return found;
  const openMs: number[] = [];
  const values: number[] = [];
  const end = Math.min(MINUTES, series.size - 1);
  for (let age = 1; age < end; age++) {
    const atMs = series.openMs(age);
    if (atMs - series.openMs(age + 1) !== MINUTE_MS) continue;
    openMs.push(atMs);
    values.push(series.close(age) / series.close(age + 1) - 1);
  }
  const returns = { version: series.version, openMs, values };
  known.set(series, returns);
  return returns;
}

/**
 * Pearson correlation of the common minutes, -1 to 1, without the running bar; null with fewer than 20 of them or a flat
 * series. Both are walked side by side, newest first.
 */
export function minuteCorrelation(a: MinuteReturns, b: MinuteReturns): number | null {
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
