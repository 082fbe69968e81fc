/** Volatility as a fraction per hour. Pure arithmetic over evenly spaced closes. */
import { HOUR_MS } from "../core/time.ts";

/** Log returns between neighbours; pairs without positive prices are omitted. */
export function logReturns(prices: readonly number[]): number[] {
  const returns: number[] = [];
  for (let i = 1; i < prices.length; i++) {
    const before = prices[i - 1] ?? NaN;
    const after = prices[i] ?? NaN;
    if (before > 0 && after > 0) returns.push(Math.log(after / before));
  }
  return returns;
}

/**
 * Root mean square of returns with exponential weights (half after `halfLife` returns), scaled from the step to one
 * hour. Null with fewer than `needed` returns or a constant price.
 */
export function hourlyVolatility(
  prices: ArrayLike<number>,
  { stepMs, halfLife, needed }: { stepMs: number; halfLife: number; needed: number },
): number | null {
  const decay = 0.5 ** (1 / halfLife);
  let count = 0;
  let weight = 1;
  let weights = 0;
  let sum = 0;
  for (let i = prices.length - 1; i > 0; i--) {
    const [before = NaN, after = NaN] = [prices[i - 1], prices[i]];
    if (!(before > 0 && after > 0)) continue;
    count += 1;
    sum += weight * Math.log(after / before) ** 2;
    weights += weight;
    weight *= decay;
  }
  if (count < needed) return null;
  const found = Math.sqrt(sum / weights) * Math.sqrt(HOUR_MS / stepMs);
  return found > 0 ? found : null;
}
