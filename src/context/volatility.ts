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

/** Weights of the newest return and those before it, and the sums of the newest so many. */
interface Weights {
  readonly each: Float64Array;
  readonly total: Float64Array;
}

/** By half-life: the same few lengths are asked for at every decision, for every symbol. */
const known = new Map<number, Weights>();

function weightsOf(halfLife: number, count: number): Weights {
  const before = known.get(halfLife);
  if (before && before.each.length >= count) return before;
  const made = { each: new Float64Array(count), total: new Float64Array(count + 1) };
  const decay = 0.5 ** (1 / halfLife);
  let weight = 1;
  for (let at = 0; at < count; at++) {
    made.each[at] = weight;
    made.total[at + 1] = (made.total[at] ?? NaN) + weight;
    weight *= decay;
  }
  known.set(halfLife, made);
  return made;
}

interface Weighing {
  /** Of the squares given, the newest so many count; all by default. */
  readonly count?: number;
  readonly stepMs: number;
  /** Returns after which the weight is halved. */
  readonly halfLife: number;
  readonly needed: number;
}

/**
 * Root mean square of returns with exponential weights, scaled from the step to one hour. `squares` are squared log
 * returns, newest first. Null with fewer than `needed` of them or a constant price.
 */
export function hourlyVolatility(squares: ArrayLike<number>, weighing: Weighing): number | null {
  const { stepMs, halfLife, needed, count = squares.length } = weighing;
  if (count < needed) return null;
  const { each, total } = weightsOf(halfLife, count);
  let sum = 0;
  for (let at = 0; at < count; at++) sum += (each[at] ?? NaN) * (squares[at] ?? NaN);
  const found = Math.sqrt(sum / (total[count] ?? NaN)) * Math.sqrt(HOUR_MS / stepMs);
  return found > 0 ? found : null;
}

/** Squared log returns of prices that are given oldest first, newest first; pairs without positive prices are omitted. */
export const squaresOf = (prices: readonly number[]): readonly number[] =>
  logReturns(prices)
    .map((one) => one ** 2)
    .reverse();
