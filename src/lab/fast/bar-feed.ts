/**
 * The bars of one symbol as a moving price: inside each bar it follows a fixed path from open to close through both
 * extremes, the one that is worse for the account first. Prices are floats in USDT; the exchange rounds them to ticks.
 */
import { toFloat } from "../../core/decimal.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { ClassFigures } from "../../sim/market/reference-prices.ts";
import { CLASS_FIGURES, referenceFor } from "../../sim/market/reference-prices.ts";
import { candleIndexFrom, priceUnitOf, type Recorded, volumeUnitOf } from "../../sim/market/recorded.ts";
import { type BarPath, type KnownPrices, pathOf, priceOn, type Waypoint } from "./bar-path.ts";
import type { Depth } from "./carried.ts";

/**
 * Like the generated book of the whole service: a near level holds this share of a minute's volume, and never less than
 * `LEVEL_USDT_MIN`.
 */
const LEVEL_SHARE = 0.03;
const LEVEL_USDT_MIN = 400;
/** Merged levels of the generated book: distance in pitches, and the size as a number of near levels. */
const LEVELS: readonly (readonly [pitches: number, worth: number])[] = [
  [0, 0.7],
  [1, 1.14],
  [2, 1.28],
  [3, 1.42],
  [5, 3.26],
  [8, 5.94],
  [14, 15.7],
  [40, 27],
  [80, 32],
];

/** The price movement within one minute. Volume is in USDT, `upShare` its share from buyers. */
export interface MinuteBar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  upShare: number;
}

/** One symbol during playback. Times are those of the data. */
export interface BarFeed {
  readonly symbol: string;
  readonly recorded: Recorded;
  readonly figures: ClassFigures;
  /** USDT per unit of the last decimal of the data's prices, and base units likewise for its volumes. */
  readonly priceUnit: number;
  readonly volumeUnit: number;
  readonly unit: number;
  /** Index of the bar being played; -1 before the first. */
  at: number;
  openMs: number;
  /** The path of the price through that bar. */
  path: BarPath;
  /** Recorded prices inside bars. */
  readonly known: KnownPrices | null;
  /** Smoothed volume of a minute, USDT, from which the depth is generated. */
  minuteUsdt: number;
  /** The generated book of the current bar; built on first use. */
  depth: Depth | null;
  /** The last price; kept during a gap in the data. */
  price: number;
  /** The last price that the agent saw. */
  shown: number;
  /** When the last minute ended, and at which price; null once the agent has been shown that the next one has begun. */
  endedMs: number | null;
  endedAt: number;
  fundingAt: number;
}

/** The initial state is before the first bar. */
export function createBarFeed(recorded: Recorded, known: KnownPrices | null = null): BarFeed {
  const { dataSymbol, spec } = recorded;
  return {
    symbol: spec.rules.symbol,
    recorded,
    figures: CLASS_FIGURES[referenceFor(dataSymbol.replace(/USDT$/, "")).liquidity],
    priceUnit: priceUnitOf(recorded),
    volumeUnit: volumeUnitOf(recorded),
    unit: orderUnitOf(recorded),
    at: -1,
    openMs: 0,
    path: [],
    known,
    minuteUsdt: 0,
    depth: null,
    price: NaN,
    shown: NaN,
    endedMs: null,
    endedAt: NaN,
    fundingAt: 0,
  };
}

/** Whether the symbol has a bar covering this instant. */
export function hasBar(feed: BarFeed, nowMs: number): boolean {
  const { candles, intervalMs } = feed.recorded;
  if (feed.at >= 0 && nowMs >= feed.openMs && nowMs < feed.openMs + intervalMs) return true;
  const openMs = Math.floor(nowMs / intervalMs) * intervalMs;
  return candles.openMs[candleIndexFrom(candles, openMs)] === openMs;
}

/**
 * Enters the bar that opens at or covers `nowMs`; false in a gap. `leaning` is the account's side: with a long position
 * the low comes first, with a short one the high. Without a position the low comes first in a rising bar.
 */
export function enterBar(feed: BarFeed, nowMs: number, leaning: number): boolean {
  const { candles, intervalMs } = feed.recorded;
  if (feed.at >= 0 && nowMs >= feed.openMs && nowMs < feed.openMs + intervalMs) return true;
  const openMs = Math.floor(nowMs / intervalMs) * intervalMs;
  const next = feed.at + 1;
  const at = feed.at >= 0 && candles.openMs[next] === openMs ? next : candleIndexFrom(candles, openMs);
  if (candles.openMs[at] !== openMs) return false;
  const bar = {
    open: (candles.open[at] ?? NaN) * feed.priceUnit,
    high: (candles.high[at] ?? NaN) * feed.priceUnit,
    low: (candles.low[at] ?? NaN) * feed.priceUnit,
    close: (candles.close[at] ?? NaN) * feed.priceUnit,
  };
  feed.at = at;
  feed.openMs = openMs;
  feed.path = pathOf(bar, leaning, feed.known?.within(openMs, intervalMs) ?? NOTHING_SEEN);
  feed.depth = null;
  const perMinute = ((candles.volume[at] ?? 0) * feed.volumeUnit * bar.close * MINUTE_MS) / intervalMs;
  feed.minuteUsdt = feed.minuteUsdt === 0 ? perMinute : feed.minuteUsdt * 0.9 + perMinute * 0.1;
  return true;
}

const NOTHING_SEEN: readonly Waypoint[] = [];

/** The price at an instant of the current bar. */
export const priceAt = ({ openMs, recorded, path }: BarFeed, nowMs: number): number =>
  priceOn(path, (nowMs - openMs) / recorded.intervalMs);

/** The instants after `fromMs` and before `untilMs` at which the path turns, so that callers do not miss an extreme. */
export function turnsBetween({ openMs, recorded, path }: BarFeed, fromMs: number, untilMs: number): readonly number[] {
  return path
    .map(({ share }) => openMs + share * recorded.intervalMs)
    .filter((atMs) => atMs > fromMs && atMs < untilMs);
}

/** Fills the prices of the minute that begins at `openMs` within the current bar. */
export function rangeOf(feed: BarFeed, openMs: number, into: MinuteBar): void {
  const { intervalMs } = feed.recorded;
  into.open = priceAt(feed, openMs);
  into.close = priceAt(feed, openMs + MINUTE_MS);
  into.high = Math.max(into.open, into.close);
  into.low = Math.min(into.open, into.close);
  for (const { share, price } of feed.path) {
    const atMs = feed.openMs + share * intervalMs;
    if (atMs <= openMs || atMs >= openMs + MINUTE_MS) continue;
    into.high = Math.max(into.high, price);
    into.low = Math.min(into.low, price);
  }
}

/** Fills `into` with the minute that begins at `openMs` within the current bar. */
export function minuteOf(feed: BarFeed, openMs: number, into: MinuteBar): void {
  const { intervalMs } = feed.recorded;
  rangeOf(feed, openMs, into);
  let [rise, way, before] = [0, 0, into.open];
  for (const { share, price } of feed.path) {
    const atMs = feed.openMs + share * intervalMs;
    if (atMs <= openMs || atMs >= openMs + MINUTE_MS) continue;
    rise += Math.max(0, price - before);
    way += Math.abs(price - before);
    before = price;
  }
  rise += Math.max(0, into.close - before);
  way += Math.abs(into.close - before);
  const { candles } = feed.recorded;
  into.volume = ((candles.volume[feed.at] ?? 0) * feed.volumeUnit * into.close * MINUTE_MS) / intervalMs;
  into.upShare = way === 0 ? 0.5 : rise / way;
}

/** The generated book of this bar. */
export function depthOf(feed: BarFeed): Depth {
  const { pitch, spread } = feed.figures;
  const levelUsdt = levelOf(feed);
  return (feed.depth ??= {
    halfSpread: spread / 2,
    levels: LEVELS.map(([pitches, worth]) => [pitches * pitch, worth * levelUsdt]),
  });
}

const levelOf = ({ minuteUsdt }: BarFeed): number => Math.max(minuteUsdt * LEVEL_SHARE, LEVEL_USDT_MIN);

export const BOOK_LEVELS = LEVELS.length;
const side = new Float64Array(2 * BOOK_LEVELS);
/** The same levels without allocating a list for each, because the agent is shown books on most ticks. */
const PITCHES = Float64Array.from(LEVELS, ([pitches]) => pitches);
const WORTHS = Float64Array.from(LEVELS, ([, worth]) => worth);

/**
 * Prices and quantities of one side of that book, best first; the same buffer at every call. `perUsdt` is the quantity for
 * a value of 1 USDT, negative for the bids, which lie below the best price.
 */
export function bookSideOf(feed: BarFeed, best: number, perUsdt: number): Float64Array {
  const { pitch } = feed.figures;
  const levelUsdt = levelOf(feed);
  const sign = Math.sign(perUsdt);
  const qty = Math.abs(perUsdt);
  for (let at = 0; at < BOOK_LEVELS; at++) {
    side[2 * at] = best * (1 + sign * (PITCHES[at] ?? NaN) * pitch);
    side[2 * at + 1] = (WORTHS[at] ?? NaN) * levelUsdt * qty;
  }
  return side;
}

/** Base units per order unit of the venue, for the quantities of the book. */
export const orderUnit = ({ unit }: BarFeed): number => unit;
export const orderUnitOf = ({ spec }: Recorded): number => toFloat(spec.rules.contractSize);

/** The plain grid of eight hours, for data without recorded settlements. */
export const FUNDING_GRID_MS = 8 * HOUR_MS;
