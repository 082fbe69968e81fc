/**
 * One side of a generated book: levels on a fixed price grid through which the price moves, so that a queue position
 * keeps its meaning. Trades take from it, and time refills it. It knows no participants.
 */
import type { Entropy } from "../../core/entropy.ts";
import type { Level } from "../exchange/contract/market-api.ts";

/** The target shape of a book, in ticks and lots. */
export interface BookShape {
  /** Distance of near levels; far levels are five times as far apart. */
  readonly pitchTicks: number;
  /** Mean quantity of a near level. */
  readonly levelLots: number;
  readonly spreadTicks: number;
}

/** Prices in ticks, best first; the lots of each stand at the same index. */
interface Rows {
  readonly prices: number[];
  readonly lots: number[];
}

/** The target of the market maker. `best` is in ticks, 0 before the first `refreshSide`. */
export interface GeneratedSide {
  readonly bid: boolean;
  best: number;
  rows: Rows;
  /** The rows of the previous refresh, reused by the next one, because a book is refreshed about ten times a second. */
  spare: Rows;
  /** The last result of `refreshSide`, reused likewise. */
  readonly shown: [priceTicks: number, lots: number][];
}

const NEAR_LEVELS = 14;
const FAR_LEVELS = 16;
const FAR_STEP = 5;
/** Each further level holds this much more than the previous one. */
const GROWTH = 0.14;

/** `bid` is true for the buying side. */
export const emptySide = (bid: boolean): GeneratedSide => ({
  bid,
  best: 0,
  rows: { prices: [], lots: [] },
  spare: { prices: [], lots: [] },
  shown: [],
});

/** Fills in the prices that a side should show, best first: the touch, a near grid, a far grid. */
function writePrices(prices: number[], { bid, best, pitch }: { bid: boolean; best: number; pitch: number }): void {
  let count = 0;
  prices[count++] = best;
  const away = bid ? -1 : 1;
  const grid = (from: number, step: number): number =>
    bid ? Math.ceil(from / step) * step - step : Math.floor(from / step) * step + step;
  let price = grid(best, pitch);
  for (let i = 0; i < NEAR_LEVELS && price > 0; i++, price += away * pitch) prices[count++] = price;
  const far = pitch * FAR_STEP;
  price = grid(price - away * pitch, far);
  for (let i = 0; i < FAR_LEVELS && price > 0; i++, price += away * far) prices[count++] = price;
  cut(prices, count);
}

/** Setting a length is slow even if it does not change. */
function cut(list: unknown[], length: number): void {
  if (list.length > length) list.length = length;
}

function nextLots(had: number | undefined, target: number, entropy: Entropy): number {
  if (had === undefined) return target * Math.exp(0.55 * entropy.normal("book:new"));
  const refilled = had < target * 0.6 ? had + 0.2 * (target - had) : had;
  return entropy.chance("book:change", 0.12) ? refilled * (0.75 + 0.5 * entropy.next("book:by")) : refilled;
}

/**
 * Moves a side to a new best price, refills it and lets some levels change. Returns the whole side, best first, in a list
 * that the next call fills again. Levels that the price has passed are removed; other levels on the grid keep their
 * quantity.
 */
export function refreshSide(side: GeneratedSide, best: number, shape: BookShape, entropy: Entropy): readonly Level[] {
  const { bid, rows: old, spare: rows, shown } = side;
  const { prices, lots } = rows;
  writePrices(prices, { bid, best, pitch: shape.pitchTicks });
  // Both lists lead away from the middle, so that one pass finds the previous quantity of each price.
  let at = 0;
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] ?? 0;
    while (at < old.prices.length && isNearer(bid, old.prices[at] ?? 0, price)) at += 1;
    const had = old.prices[at] === price ? old.lots[at] : undefined;
    const target = shape.levelLots * (i === 0 ? 0.7 : 1 + GROWTH * i);
    const next = Math.max(1, Math.round(nextLots(had, target, entropy)));
    lots[i] = next;
    const level = (shown[i] ??= [price, next]);
    level[0] = price;
    level[1] = next;
  }
  cut(lots, prices.length);
  cut(shown, prices.length);
  side.rows = rows;
  side.spare = old;
  side.best = best;
  return shown;
}

const isNearer = (bid: boolean, price: number, than: number): boolean => (bid ? price > than : price < than);

/**
 * Takes up to `lots` from the best levels, at most `levelsMax` of them and none beyond `limit` ticks. Returns the taken
 * quantities, level by level. The side keeps its best price until the next refresh.
 */
export function takeLots(side: GeneratedSide, lots: number, limit: number, levelsMax: number): readonly Level[] {
  const taken: Level[] = [];
  const { prices, lots: resting } = side.rows;
  let left = lots;
  let emptied = 0;
  for (let at = 0; at < prices.length && left > 0 && taken.length < levelsMax; at++) {
    const price = prices[at] ?? 0;
    if (side.bid ? price < limit : price > limit) break;
    const has = resting[at] ?? 0;
    const part = Math.min(left, has);
    taken.push([price, part]);
    left -= part;
    if (part === has) emptied += 1;
    else resting[at] = has - part;
  }
  // Only the best levels are emptied: the walk ends at the first that is not.
  if (emptied > 0) {
    prices.splice(0, emptied);
    resting.splice(0, emptied);
  }
  return taken;
}
