/**
 * Indicators for strategies: numbers in, a number or null out. Null until enough data is known. Never used for sizes
 * or prices of orders. The only file that uses the indicator library.
 */
import { ATR, EMA, RSI } from "trading-signals";
import type { Candle } from "../domain/market.ts";

const usable = (values: readonly number[]): boolean => values.every(Number.isFinite);

/** Exponential moving average of the values, oldest first. */
export function ema(values: readonly number[], period: number): number | null {
  if (values.length < period || !usable(values)) return null;
  const indicator = new EMA(period);
  for (const value of values) indicator.update(value, false);
  return indicator.isStable ? indicator.getResult() : null;
}

/** Relative strength, 0 to 100. */
export function rsi(values: readonly number[], period: number): number | null {
  if (values.length <= period || !usable(values)) return null;
  const indicator = new RSI(period);
  for (const value of values) indicator.update(value, false);
  return indicator.isStable ? indicator.getResult() : null;
}

/** Average true range in units of price. */
export function atr(candles: readonly Candle[], period: number): number | null {
  if (candles.length <= period || !usable(candles.flatMap(({ high, low, close }) => [high, low, close]))) return null;
  const indicator = new ATR(period);
  for (const { high, low, close } of candles) indicator.update({ high, low, close }, false);
  return indicator.isStable ? indicator.getResult() : null;
}

/** Slope of the least-squares line through equally spaced values, per step. */
export function slope(values: readonly number[]): number | null {
  const count = values.length;
  if (count < 2 || !usable(values)) return null;
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  let over = 0;
  let under = 0;
  values.forEach((value, at) => {
    over += (at - middle) * (value - mean);
    under += (at - middle) ** 2;
  });
  return over / under;
}

/** Distance of the last value from the mean of all, in standard deviations. Null for a flat series. */
export function zscore(values: readonly number[]): number | null {
  const last = values.at(-1);
  if (last === undefined || values.length < 3 || !usable(values)) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
  return deviation > 0 ? (last - mean) / deviation : null;
}

/** Indicators of one interval, including the running bar. Null until there are enough bars. */
export interface IndicatorView {
  /** Relative strength over 14 bars, 0 to 100. */
  readonly rsi14: number | null;
  /** Average true range over 14 bars, fraction of the last close. */
  readonly atr14: number | null;
  /** Average of 12 bars over that of 26, less one: above zero while the price rises. */
  readonly emaGap: number | null;
  /** Standard deviations of the last close from the mean of 20. */
  readonly zscore20: number | null;
}

/** Bars of one interval, oldest first. With fewer than 26 of them some members are null. */
export function indicatorsOf(candles: readonly Candle[]): IndicatorView {
  const closes = candles.map((candle) => candle.close);
  const last = closes.at(-1);
  const range = atr(candles, 14);
  const fast = ema(closes, 12);
  const slow = ema(closes, 26);
  return {
    rsi14: rsi(closes, 14),
    atr14: range === null || last === undefined ? null : range / last,
    emaGap: fast === null || slow === null ? null : fast / slow - 1,
    zscore20: closes.length < 20 ? null : zscore(closes.slice(-20)),
  };
}
