/**
 * Confidence intervals for any statistic of a series, by the stationary bootstrap of Politis and Romano 1994: blocks
 * preserve dependence.
 */
import { quantileSorted } from "simple-statistics";
import type { Entropy } from "../../core/entropy.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly entropy: Entropy;
  /** Default 1,000. */
  readonly draws?: number;
  /** Mean length of a block; default the cube root of the count, at least 2. */
  readonly blockLength?: number;
  /** Share of the draws within the interval. Default 0.9. */
  readonly level?: number;
}

/** Null with fewer than four values. Draws with a statistic that is not finite are left out. */
export function bootstrapInterval(
  values: readonly number[],
  figure: (resampled: readonly number[]) => number,
  { entropy, draws = 1_000, level = 0.9, blockLength }: BootstrapOptions,
): Interval | null {
  const count = values.length;
  if (count < 4) return null;
  const length = blockLength ?? Math.max(2, Math.round(Math.cbrt(count)));
  const found: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const resampled: number[] = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      const starts = i === 0 || entropy.chance("bootstrap:block", 1 / length);
      at = starts ? entropy.int("bootstrap:at", 0, count) : (at + 1) % count;
      resampled.push(values[at] ?? 0);
    }
    const value = figure(resampled);
    if (Number.isFinite(value)) found.push(value);
  }
  if (found.length === 0) return null;
  found.sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { low: quantileSorted(found, tail), high: quantileSorted(found, 1 - tail) };
}
