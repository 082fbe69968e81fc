/**
 * Bars of one symbol as floats, for analysis afterwards: price extremes during a trade, and the state of the market.
 */
import { mean, medianSorted, sampleStandardDeviation } from "simple-statistics";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import { candleIndexFrom, priceUnitOf, type Recorded } from "../../sim/market/recorded.ts";
import type { SheetBars, SheetLine } from "./sheet-data.ts";

/** Prices in USDT; every bar has the same length. */
export interface MarketBars {
  readonly symbol: string;
  readonly intervalMs: number;
  readonly openMs: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

/** All bars of the window, including those before the run. */
export function marketBars(recorded: Recorded): MarketBars {
  const { candles, intervalMs, spec } = recorded;
  const unit = priceUnitOf(recorded);
  const scaled = (column: Float64Array): Float64Array => column.map((value) => value * unit);
  return {
    symbol: spec.rules.symbol,
    intervalMs,
    openMs: candles.openMs,
    open: scaled(candles.open),
    high: scaled(candles.high),
    low: scaled(candles.low),
    close: scaled(candles.close),
  };
}

/** The first bar that opens at or after an instant. */
export const barFrom = ({ openMs }: Pick<MarketBars, "openMs">, atMs: number): number =>
  candleIndexFrom({ openMs, count: openMs.length } as Parameters<typeof candleIndexFrom>[0], atMs);

/** The close of the bar before an instant; null without one. */
export function priceBefore(bars: MarketBars, atMs: number): number | null {
  const at = barFrom(bars, atMs - bars.intervalMs + 1) - 1;
  return bars.close[at] ?? null;
}

/** The lowest and highest price of the bars that overlap a span; null without any. */
export function extremes(
  bars: MarketBars,
  fromMs: number,
  toMs: number,
): { readonly low: number; readonly high: number } | null {
  let [low, high] = [Infinity, -Infinity];
  for (let at = barFrom(bars, fromMs - bars.intervalMs + 1); at < bars.openMs.length; at++) {
    if ((bars.openMs[at] ?? Infinity) > toMs) break;
    low = Math.min(low, bars.low[at] ?? Infinity);
    high = Math.max(high, bars.high[at] ?? -Infinity);
  }
  return high >= low ? { low, high } : null;
}

const LOOK_BACK_HOURS = 24;
/**
 * A day's move counts as a trend if it is at least this many standard deviations of a random walk with the same
 * volatility.
 */
const TREND_FROM = 1.5;
/** An hour counts as violent at this multiple of the median volatility. */
const VIOLENT_FROM = 1.5;

/** Hourly closes with the volatility (standard deviation of hourly returns) of the day before each. */
export interface HourlyBars {
  readonly atMs: readonly number[];
  readonly close: readonly number[];
  readonly roughness: readonly number[];
  readonly usual: number;
}

export function hourlyOf(bars: MarketBars): HourlyBars {
  const atMs: number[] = [];
  const close: number[] = [];
  for (let at = 0; at < bars.openMs.length; at++) {
    const endMs = (bars.openMs[at] ?? 0) + bars.intervalMs;
    if (endMs % HOUR_MS !== 0) continue;
    atMs.push(endMs);
    close.push(bars.close[at] ?? NaN);
  }
  const roughness = close.map((_, at) => {
    if (at < LOOK_BACK_HOURS) return NaN;
    const returns: number[] = [];
    for (let hour = at - LOOK_BACK_HOURS + 1; hour <= at; hour++)
      returns.push(Math.log((close[hour] ?? NaN) / (close[hour - 1] ?? NaN)));
    return sampleStandardDeviation(returns);
  });
  const known = roughness.filter(Number.isFinite).sort((a, b) => a - b);
  return { atMs, close, roughness, usual: known.length > 0 ? medianSorted(known) : NaN };
}

/**
 * `rising`, `falling` or `ranging` by the return of the last 24 hourly closes against 1.5 standard deviations of a
 * random walk with their volatility; `calm` or `violent` by that volatility against 1.5 times its median. Only the
 * median uses later hours.
 */
export function regimeAt({ atMs, close, roughness, usual }: HourlyBars, instantMs: number): string {
  let at = -1;
  for (let low = 0, high = atMs.length - 1; low <= high;) {
    const middle = (low + high) >> 1;
    if ((atMs[middle] ?? Infinity) <= instantMs) [at, low] = [middle, middle + 1];
    else high = middle - 1;
  }
  const rough = roughness[at];
  if (rough === undefined || !Number.isFinite(rough)) return "not known";
  const move = Math.log((close[at] ?? NaN) / (close[at - LOOK_BACK_HOURS] ?? NaN));
  const far = Math.abs(move) > TREND_FROM * rough * Math.sqrt(LOOK_BACK_HOURS);
  return `${far ? (move > 0 ? "rising" : "falling") : "ranging"}, ${rough > VIOLENT_FROM * usual ? "violent" : "calm"}`;
}

const WIDTHS_MIN = [1, 5, 15, 30, 60, 240, 1_440];
const BARS_SHOWN = 1_500;
const DIGITS = 8;

const short = (price: number): number => Number(price.toPrecision(DIGITS));

/** The bars of a span, merged so that there are at most 1,500. */
export function sheetBars(bars: MarketBars, fromMs: number, toMs: number): SheetBars {
  const needed = (toMs - fromMs) / MINUTE_MS / BARS_SHOWN;
  const widthMs = (WIDTHS_MIN.find((width) => width >= needed) ?? 1_440) * MINUTE_MS;
  const made = {
    openMs: [] as number[],
    open: [] as number[],
    high: [] as number[],
    low: [] as number[],
    close: [] as number[],
  };
  for (let at = barFrom(bars, fromMs); at < bars.openMs.length && (bars.openMs[at] ?? Infinity) < toMs; at++) {
    const openMs = Math.floor((bars.openMs[at] ?? 0) / widthMs) * widthMs;
    const last = made.openMs.length - 1;
    const [open, high, low, close] = [bars.open, bars.high, bars.low, bars.close].map((column) =>
      short(column[at] ?? NaN),
    );
    if (open === undefined || high === undefined || low === undefined || close === undefined) continue;
    if (made.openMs[last] === openMs) {
      made.high[last] = Math.max(made.high[last] ?? high, high);
      made.low[last] = Math.min(made.low[last] ?? low, low);
      made.close[last] = close;
      continue;
    }
    made.openMs.push(openMs);
    made.open.push(open);
    made.high.push(high);
    made.low.push(low);
    made.close.push(close);
  }
  return { symbol: bars.symbol, ...made };
}

/**
 * Value at the given instants of the starting equity, invested at the start in equal parts of all symbols and held,
 * without costs.
 */
export function basketOf(all: readonly MarketBars[], atMs: readonly number[], startUsdt: number): SheetLine | null {
  const firsts = all.map((bars) => priceBefore(bars, atMs[0] ?? 0) ?? bars.open[barFrom(bars, atMs[0] ?? 0)] ?? null);
  if (all.length === 0 || firsts.every((first) => first === null)) return null;
  const value = atMs.map((instant) => {
    const parts = all.flatMap((bars, at) => {
      const first = firsts[at];
      return first ? [(priceBefore(bars, instant) ?? first) / first] : [];
    });
    return Number((mean(parts) * startUsdt).toFixed(2));
  });
  return { atMs, value };
}
