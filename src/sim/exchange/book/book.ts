/**
 * A limit order book with price-time priority in whole ticks and lots. It matches and queues; its callers decide what
 * orders may do, who pays, and which pushes are sent. Self-trade prevention is "cancel newest": an incoming order stops
 * when it would meet an order of the same owner.
 */
import type { BookView, Level, LevelChange } from "../contract/market-api.ts";
import {
  bestLevel,
  type BookOrder,
  type BookSide,
  dequeue,
  enqueue,
  newBookOrder,
  newBookSide,
  OUTSIDE,
  type PriceLevel,
  resize,
} from "./book-level.ts";

/** Both sides of one instrument, participants and generated liquidity in the same queues. The two never cross. */
export interface Book {
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** Counts updates of generated liquidity. */
  stamp: number;
}

/**
 * Called for each match at once, while the taker is still matching: `maker.lots` is already reduced, and at zero the
 * maker has left the book. The listener may withdraw or shrink other orders, but not add any.
 */
export type OnMatch = (maker: BookOrder, ticks: number, lots: number) => void;

/** An order that only takes liquidity and never rests. `limitTicks` is the worst price it accepts; see `anyPrice`. */
export interface Taker {
  readonly buy: boolean;
  readonly limitTicks: number;
  readonly lots: number;
  readonly owner: number;
}

/** The limit of an order that takes any price. */
export const anyPrice = (buy: boolean): number => (buy ? Infinity : -Infinity);

/** Empty on both sides. */
export const newBook = (): Book => ({ bids: newBookSide(true), asks: newBookSide(false), stamp: 0 });

const ownSide = (book: Book, buy: boolean): BookSide => (buy ? book.bids : book.asks);
const otherSide = (book: Book, buy: boolean): BookSide => (buy ? book.asks : book.bids);
const reaches = (takerBuys: boolean, limitTicks: number, ticks: number): boolean =>
  takerBuys ? ticks <= limitTicks : ticks >= limitTicks;

/** Best price that an order of this direction would meet; null if that side is empty. */
export const bestAgainst = (book: Book, buy: boolean): number | null => bestLevel(otherSide(book, buy))?.ticks ?? null;

/** Whether an order at this price would take liquidity. */
export function crosses(book: Book, buy: boolean, ticks: number): boolean {
  const best = bestAgainst(book, buy);
  return best !== null && reaches(buy, ticks, best);
}

/** Puts an order at the end of the queue at its price. It must not cross. */
export const rest = (book: Book, order: BookOrder): void => enqueue(ownSide(book, order.buy), order);

/** Removes a resting order; does nothing for one that does not rest. */
export const withdraw = (book: Book, order: BookOrder): void => dequeue(ownSide(book, order.buy), order);

/** Gives a resting order a smaller quantity in its place in the queue. */
export const shrink = (order: BookOrder, lots: number): void => resize(order, lots);

/** The order that a taker of this direction would meet first. */
export const frontOf = (book: Book, takerBuys: boolean): BookOrder | null =>
  bestLevel(otherSide(book, takerBuys))?.head ?? null;

/**
 * Matches the taker against the other side up to its limit. Matches between two outside orders are not reported.
 * Returns the remaining lots: nothing within the limit is left, or the next order there has the same owner.
 */
export function take(book: Book, taker: Taker, onMatch: OnMatch): number {
  const { buy, limitTicks, owner } = taker;
  const side = otherSide(book, buy);
  let left = taker.lots;
  while (left > 0) {
    const level = bestLevel(side);
    if (level === undefined || !reaches(buy, limitTicks, level.ticks)) break;
    const maker = level.head as BookOrder;
    if (owner !== OUTSIDE && maker.owner === owner) break;
    const lots = maker.lots < left ? maker.lots : left;
    left -= lots;
    if (lots < maker.lots) {
      resize(maker, maker.lots - lots);
    } else {
      dequeue(side, maker);
      maker.lots = 0;
    }
    if (owner !== OUTSIDE || maker.owner !== OUTSIDE) onMatch(maker, level.ticks, lots);
  }
  return left;
}

/** How many of `lots` a taker would get; it stops where `take` would stop. Fill-or-kill orders check it first. */
export function takeable(book: Book, taker: Taker): number {
  const { ladder } = otherSide(book, taker.buy);
  let found = 0;
  for (let i = ladder.length - 1; i >= 0 && found < taker.lots; i--) {
    const level = ladder[i] as PriceLevel;
    if (!reaches(taker.buy, taker.limitTicks, level.ticks)) break;
    for (let maker = level.head; maker !== null && found < taker.lots; maker = maker.next) {
      if (taker.owner !== OUTSIDE && maker.owner === taker.owner) return found;
      found += maker.lots;
    }
  }
  return Math.min(found, taker.lots);
}

/** Removes generated liquidity from the end of the queue, so that participants behind it gain nothing. */
function removeOutside(side: BookSide, level: PriceLevel, lots: number): void {
  let left = lots;
  let order = level.tail;
  while (order !== null && left > 0) {
    const before: BookOrder | null = order.prev;
    if (order.owner === OUTSIDE) {
      const removed = Math.min(left, order.lots);
      if (removed < order.lots) resize(order, order.lots - removed);
      else dequeue(side, order);
      left -= removed;
    }
    order = before;
  }
}

function addOutside(side: BookSide, ticks: number, lots: number): void {
  const tail = side.byTicks.get(ticks)?.tail;
  if (tail?.owner === OUTSIDE) resize(tail, tail.lots + lots);
  else enqueue(side, newBookOrder({ buy: side.buy, owner: OUTSIDE, ref: 0, ticks, lots }));
}

function setOutsideAt(side: BookSide, ticks: number, lots: number): void {
  const level = side.byTicks.get(ticks);
  const now = level?.outsideLots ?? 0;
  if (lots > now) addOutside(side, ticks, lots - now);
  else if (level !== undefined && lots < now) removeOutside(side, level, now - lots);
}

/** Withdraws the generated liquidity of every level for which `gone` is true. */
function readOutside(side: BookSide, gone: (level: PriceLevel) => boolean): void {
  for (let i = side.ladder.length - 1; i >= 0; i--) {
    const level = side.ladder[i] as PriceLevel;
    if (level.outsideLots > 0 && gone(level)) removeOutside(side, level, level.outsideLots);
  }
}

/**
 * Sets the generated liquidity of one side (see `MarketInput`). Older generated liquidity of the other side that the
 * new levels cross is withdrawn; participants in their way are filled at their own prices, each reported to `onMatch`.
 */
export function setOutside(book: Book, buy: boolean, levels: readonly Level[], onMatch: OnMatch): void {
  const side = ownSide(book, buy);
  const stamp = ++book.stamp;
  const best = levels.find(([, lots]) => lots > 0)?.[0];
  if (best !== undefined) readOutside(otherSide(book, buy), (level) => reaches(buy, best, level.ticks));
  for (const [ticks, lots] of levels) {
    const left = crosses(book, buy, ticks)
      ? take(book, { buy, limitTicks: ticks, lots, owner: OUTSIDE }, onMatch)
      : lots;
    setOutsideAt(side, ticks, left);
    const level = side.byTicks.get(ticks);
    if (level !== undefined) level.stamp = stamp;
  }
  readOutside(side, (level) => level.stamp !== stamp);
}

/**
 * Changes single levels of the generated liquidity (see `MarketInput`). Shrinking levels are applied first, so that a
 * change of the best prices does not cross the book; arriving liquidity fills participants in its way at their own
 * prices.
 */
export function changeOutside(book: Book, changes: readonly LevelChange[], onMatch: OnMatch): void {
  const shrinks = ({ bid, ticks, lots }: LevelChange): boolean =>
    lots <= (ownSide(book, bid).byTicks.get(ticks)?.outsideLots ?? 0);
  const grown: LevelChange[] = [];
  for (const change of changes) {
    if (shrinks(change)) setOutsideAt(ownSide(book, change.bid), change.ticks, change.lots);
    else grown.push(change);
  }
  for (const { bid, ticks, lots, arriving } of grown) {
    const meets = arriving > 0 && crosses(book, bid, ticks);
    const left = meets
      ? take(book, { buy: bid, limitTicks: ticks, lots: arriving, owner: OUTSIDE }, onMatch)
      : arriving;
    if (!crosses(book, bid, ticks)) setOutsideAt(ownSide(book, bid), ticks, lots - arriving + left);
  }
}

/** The best `most` levels of a side, best first. */
function viewSide({ ladder }: BookSide, most: number): readonly Level[] {
  const levels: Level[] = [];
  for (let i = ladder.length - 1; i >= 0 && levels.length < most; i--) {
    const { ticks, lots } = ladder[i] as PriceLevel;
    levels.push([ticks, lots]);
  }
  return levels;
}

/** The best `most` levels of each side, or all of them, including participants' resting orders. */
export const viewBook = (book: Book, most = Infinity): BookView => ({
  bids: viewSide(book.bids, most),
  asks: viewSide(book.asks, most),
});
