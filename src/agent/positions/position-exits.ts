/** What closing fills take from a position, and whether they are those of the position before it. */
import { type Decimal, maxDecimal, minDecimal, ZERO } from "../../core/decimal.ts";
import { type HeldPosition, isTaken, leftOf, type PositionChange } from "./held-position.ts";
import { closeHeld, type PositionBook } from "./position-book.ts";
import type { PositionFill } from "./position-fills.ts";

/**
 * Where only pushes have shown a position, it began between the end of the one before it and the first of them, or what is known
 * to have opened it.
 */
function begunBetween(
  { past, fills }: PositionBook,
  { key, begunMs, position }: HeldPosition,
): readonly [number, number] {
  if (begunMs > -Infinity) return [begunMs, begunMs];
  const fromMs = past.endedMs(key);
  return [fromMs, Math.max(fromMs, Math.min(position.createdAtMs, fills.openedMs(key)))];
}

/** Whether that position may have begun between the two times: what was closed between them may have been the one before it. */
export function beganBetween(
  book: PositionBook,
  key: string,
  { sinceMs, madeMs }: { readonly sinceMs: number; readonly madeMs: number },
): boolean {
  const position = book.held.get(key);
  if (!position) return false;
  const [fromMs, toMs] = begunBetween(book, position);
  return toMs > sinceMs && fromMs < madeMs;
}

/**
 * A fill has shown the end of the position before. Where nothing but a push without a time has shown this one, the push may be
 * from before that end: the next list decides.
 */
function mayBeLatePush({ past }: PositionBook, position: HeldPosition, heardMs: number): boolean {
  const { key, begunMs, proven, readAtMs } = position;
  if (begunMs > -Infinity || !proven.qty.isZero() || !past.justOver(key, heardMs)) return false;
  position.unsureSinceMs ??= readAtMs;
  return true;
}

/**
 * A fill reduced that position by `qty`. True if a list is needed: nothing is left, it may be of the one before it, or nothing has
 * reported what it closed.
 */
export function takeFromPosition(book: PositionBook, key: string, qty: Decimal, fill: PositionFill): boolean {
  const { atMs, heardMs } = fill;
  const position = book.held.get(key);
  if (!position) return !book.past.took(key, qty, fill);
  // The record of the position shows it already.
  if (atMs <= position.proven.atMs) return false;
  // A fill from before this position began belongs to the one before it.
  const [fromMs, toMs] = begunBetween(book, position);
  if (fromMs === toMs ? atMs < fromMs : atMs <= fromMs) {
    book.past.took(key, qty, fill);
    return mayBeLatePush(book, position, heardMs);
  }
  if (atMs < toMs) return true;
  position.takenQty = position.takenQty.add(qty);
  position.takenMs = Math.max(position.takenMs, atMs);
  if (isTaken(position)) position.unsureSinceMs ??= heardMs;
  return isTaken(position);
}

/**
 * A close of all that was held has filled. What was reported before it was requested is over, also where that was more than the
 * venue closed: a push of it was late. Where fills have closed all, so is what lists have shown since, or pushes of what was left.
 * Null if something else has been reported since.
 */
export function endClosed(book: PositionBook, key: string, askedMs: number, atMs: number): PositionChange | null {
  const position = book.held.get(key);
  if (!position) return null;
  const { readAtMs, aheadMs } = position;
  if ((isTaken(position) ? aheadMs : Math.max(readAtMs, aheadMs)) >= askedMs) return null;
  position.takenQty = maxDecimal(position.takenQty, position.position.qty);
  return closeHeld(book, position, atMs);
}

/**
 * In one-way mode `qty` was filled on the other side, which closes this one first: what was held of it then. True if a list is
 * needed.
 */
export function reversePosition(book: PositionBook, key: string, qty: Decimal, fill: PositionFill): boolean {
  const held = book.held.get(key);
  const openedMs = book.fills.openedMs(key);
  if (held && openedMs !== Infinity && fill.atMs < openedMs) return true;
  const closed = held ? minDecimal(qty, leftOf(held)) : ZERO;
  return closed.gt(0) && takeFromPosition(book, key, closed, fill);
}
