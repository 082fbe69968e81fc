/**
 * Forecasts of the next days' return from trend and carry, each in [-1, 1]: 0 no opinion, 0.5 the average strength, 1 the
 * cap. Pure arithmetic over closes and rates; no figure depends on the unit of the price.
 *
 * The scale is that of R. Carver, Systematic Trading (2015): forecasts average 10 and are capped at 20; here both are
 * divided by 20. Scalars as published there: 3.75, 2.65 and 1.87 for EWMAC 16/64, 32/128 and 64/256, and 30 for carry as
 * a Sharpe ratio. Evidence: for trends T. Moskowitz, Y. H. Ooi and L. H. Pedersen, Time Series Momentum (2012) and
 * N. Baltas and R. Kosowski, Demystifying Time-Series Momentum Strategies (2020); for carry R. Koijen, T. Moskowitz,
 * L. H. Pedersen and E. Vrugt, Carry (2018). None of these figures was fitted to the data of this program.
 */
import { logReturns } from "../context/volatility.ts";

/** Fast and slow span in bars, and the published scalar that brings the mean absolute forecast to 10. */
export const EWMAC = [
  { fast: 16, slow: 64, scalar: 3.75 },
  { fast: 32, slow: 128, scalar: 2.65 },
  { fast: 64, slow: 256, scalar: 1.87 },
] as const;
/** Mean absolute forecast 10 for a carry whose Sharpe ratio is a third. */
const CARRY_SCALAR = 30;
const CAP = 20;
const HOURS_A_YEAR = 24 * 365;
const DAYS_A_YEAR = 365;

const capped = (forecast: number): number => Math.max(-CAP, Math.min(CAP, forecast)) / CAP;

/** The mean of all values with weights that fall by 1 - 2 / (span + 1) a step into the past; NaN without values. */
export function ewma(values: readonly number[], span: number): number {
  const decay = 1 - 2 / (span + 1);
  let [weight, weights, sum] = [1, 0, 0];
  for (let at = values.length - 1; at >= 0; at--) {
    sum += weight * (values[at] ?? NaN);
    weights += weight;
    weight *= decay;
  }
  return sum / weights;
}

/** Root mean square of the log returns of the last `hours` closes; null without a full set, or if the price does not move. */
export function recentVolatility(closes: readonly number[], hours: number): number | null {
  const returns = logReturns(closes.slice(-1 - hours));
  if (returns.length < hours) return null;
  const found = Math.sqrt(returns.reduce((sum, one) => sum + one * one, 0) / returns.length);
  return found > 0 ? found : null;
}

/**
 * Difference of two averages in units of the price's volatility per bar, scaled and capped; then the mean over the pairs
 * whose slow span the closes cover, capped again. Null if they cover none.
 */
export function trendForecast(closes: readonly number[], volatility: number): number | null {
  const last = closes.at(-1);
  if (last === undefined || !(volatility > 0)) return null;
  const found = EWMAC.filter(({ slow }) => closes.length >= slow).map(({ fast, slow, scalar }) =>
    capped((scalar * (ewma(closes, fast) - ewma(closes, slow))) / (last * volatility)),
  );
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one, 0) / found.length;
}

/**
 * The yield of holding the coin by funding, as a yearly Sharpe ratio: above zero if shorts pay. `perDay` is the mean daily
 * funding of the last days as a fraction, positive if longs pay; `volatility` is an hourly fraction.
 */
export const carryForecast = (perDay: number, volatility: number): number =>
  capped((CARRY_SCALAR * -perDay * DAYS_A_YEAR) / (volatility * Math.sqrt(HOURS_A_YEAR)));

/** Each value less the mean of all, in [-1, 1]: strength relative to the others. All 0 for fewer than 5 values. */
export function relative(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  return values.map((value) => (values.length < 5 ? 0 : Math.max(-1, Math.min(1, value - mean))));
}
