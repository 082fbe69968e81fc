/**
 * One side of a book: price levels sorted with the best last, each a queue in order of arrival. Orders are the links of
 * their queue, so removing one from the middle is cheap. Works in whole ticks and lots and knows no accounts.
 */

/** Owner of the generated liquidity; participants are numbered from 1. */
export const OUTSIDE = 0;

/** An order resting, or about to rest, in a book. Created by `newBookOrder`; changed only by book functions. */
export interface BookOrder {
  readonly buy: boolean;
  /** Participant number, or OUTSIDE. */
  readonly owner: number;
  /** The caller's own number for it; the book does not use it. */
  readonly ref: number;
  ticks: number;
  /** The remaining lots. */
  lots: number;
  /** Null while it does not rest. */
  level: PriceLevel | null;
  prev: BookOrder | null;
  next: BookOrder | null;
}

/** The queue at one price, from `head`, which is filled first, to `tail`. Removed as soon as it is empty. */
export interface PriceLevel {
  readonly ticks: number;
  head: BookOrder | null;
  tail: BookOrder | null;
  lots: number;
  /** Part of `lots` that is generated liquidity. */
  outsideLots: number;
  /** The last update of generated liquidity that named this level. */
  stamp: number;
}

/** Each level is stored twice: by price order for matching, and by ticks for lookup. */
export interface BookSide {
  readonly buy: boolean;
  /** Best last, because removing from the end is cheap. Never holds an empty level. */
  readonly ladder: PriceLevel[];
  readonly byTicks: Map<number, PriceLevel>;
}

/** `buy` is true for bids. */
export const newBookSide = (buy: boolean): BookSide => ({ buy, ladder: [], byTicks: new Map() });

/** An order that does not rest yet: `rest` puts it into a book. `lots` is the remaining quantity, above zero. */
export function newBookOrder(given: Pick<BookOrder, "buy" | "owner" | "ref" | "ticks" | "lots">): BookOrder {
  const { buy, owner, ref, ticks, lots } = given;
  // All fields are written out, so that all orders share one hidden class and nothing is copied by key.
  return { buy, owner, ref, ticks, lots, level: null, prev: null, next: null };
}

/** Undefined for an empty side. */
export const bestLevel = ({ ladder }: BookSide): PriceLevel | undefined =>
  // Reading element -1 of an array is slow.
  ladder.length === 0 ? undefined : ladder[ladder.length - 1];

/** Where a level of this price is, or would be, in the ladder. */
function placeOf(side: BookSide, ticks: number): number {
  const { ladder, buy } = side;
  let low = 0;
  let high = ladder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = (ladder[middle] as PriceLevel).ticks;
    if (buy ? at < ticks : at > ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}

function openLevel(side: BookSide, ticks: number): PriceLevel {
  const level: PriceLevel = { ticks, head: null, tail: null, lots: 0, outsideLots: 0, stamp: 0 };
  side.byTicks.set(ticks, level);
  const best = bestLevel(side);
  if (best === undefined || (side.buy ? best.ticks < ticks : best.ticks > ticks)) side.ladder.push(level);
  else side.ladder.splice(placeOf(side, ticks), 0, level);
  return level;
}

function closeLevel(side: BookSide, level: PriceLevel): void {
  side.byTicks.delete(level.ticks);
  if (bestLevel(side) === level) side.ladder.pop();
  else side.ladder.splice(placeOf(side, level.ticks), 1);
}

/** Puts an order at the end of the queue at its price. */
export function enqueue(side: BookSide, order: BookOrder): void {
  const level = side.byTicks.get(order.ticks) ?? openLevel(side, order.ticks);
  order.level = level;
  order.prev = level.tail;
  order.next = null;
  if (level.tail === null) level.head = order;
  else level.tail.next = order;
  level.tail = order;
  level.lots += order.lots;
  if (order.owner === OUTSIDE) level.outsideLots += order.lots;
}

/** Removes an order from its queue, and the level if it is then empty. The order keeps its `lots`. */
export function dequeue(side: BookSide, order: BookOrder): void {
  const { level, prev, next } = order;
  if (level === null) return;
  if (prev === null) level.head = next;
  else prev.next = next;
  if (next === null) level.tail = prev;
  else next.prev = prev;
  level.lots -= order.lots;
  if (order.owner === OUTSIDE) level.outsideLots -= order.lots;
  order.level = order.prev = order.next = null;
  if (level.head === null) closeLevel(side, level);
}

/** Changes the size of a resting order in its place. `lots` stays above zero. */
export function resize(order: BookOrder, lots: number): void {
  const change = lots - order.lots;
  order.lots = lots;
  if (order.level === null) return;
  order.level.lots += change;
  if (order.owner === OUTSIDE) order.level.outsideLots += change;
}
