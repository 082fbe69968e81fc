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
  prices: readonly number[],
  { stepMs, halfLife, needed }: { stepMs: number; halfLife: number; needed: number },
): number | null {
  const returns = logReturns(prices);
  if (returns.length < needed) return null;
  const decay = 0.5 ** (1 / halfLife);
  let weight = 1;
  let weights = 0;
  let sum = 0;
  for (let i = returns.length - 1; i >= 0; i--) {
    sum += weight * (returns[i] ?? 0) ** 2;
    weights += weight;
    weight *= decay;
  }
  const found = Math.sqrt(sum / weights) * Math.sqrt(HOUR_MS / stepMs);
  return found > 0 ? found : null;
}
