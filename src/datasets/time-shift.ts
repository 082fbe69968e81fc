/**
 * Whether two price series are written in different time zones: coins move together within the hour, so that the returns of
 * one agree with those of another best at a shift of zero. A shift of whole hours that agrees far better is a zone.
 */
import { HOUR_MS } from "../core/time.ts";

export interface PriceSeries {
  readonly times: readonly number[];
  readonly closes: readonly number[];
}

const HOURS_MAX = 14;
/** Fewer common hours prove nothing. */
const HOURS_NEEDED = 100;
const AGREES = 0.3;
const BETTER_BY = 0.25;

/** The last close of each hour, as returns by the hour's number. */
function hourlyReturns({ times, closes }: PriceSeries): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  times.forEach((atMs, at) => last.set(Math.floor(atMs / HOUR_MS), closes[at] ?? NaN));
  const returns = new Map<number, number>();
  for (const [hour, close] of last) {
    const before = last.get(hour - 1);
    if (before !== undefined && before > 0 && close > 0) returns.set(hour, Math.log(close / before));
  }
  return returns;
}

function correlation(own: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>, shift: number): number {
  let [n, sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0, 0];
  for (const [hour, x] of own) {
    const y = other.get(hour - shift);
    if (y === undefined) continue;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  if (n < HOURS_NEEDED) return NaN;
  const spread = Math.sqrt((sxx - (sx * sx) / n) * (syy - (sy * sy) / n));
  return spread === 0 ? NaN : (sxy - (sx * sy) / n) / spread;
}

/** By how many hours `own` runs late against `reference`; null if both fit, or it cannot be determined. */
export function hoursLate(own: PriceSeries, reference: PriceSeries): number | null {
  const [mine, theirs] = [hourlyReturns(own), hourlyReturns(reference)];
  const straight = correlation(mine, theirs, 0);
  if (Number.isNaN(straight)) return null;
  let [best, shift] = [straight, 0];
  for (let hours = -HOURS_MAX; hours <= HOURS_MAX; hours++) {
    const found = correlation(mine, theirs, hours);
    if (found > best) [best, shift] = [found, hours];
  }
  return shift !== 0 && best >= AGREES && best - straight >= BETTER_BY ? shift : null;
}
