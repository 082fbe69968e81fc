/**
 * Applies a push of a position. A push without the venue's time may be late: where it contradicts what is known, a list
 * decides. A push with a time is simply older or newer than what is known.
 */
import { ZERO } from "../../core/decimal.ts";
import { otherSide, positionKeyOf, type Position, type PositionUpdate, sidesReported } from "../../domain/position.ts";
import { sideOfPush, isTaken, leftOf, type HeldPosition, type PositionChange } from "./held-position.ts";
import { mustShow } from "../books/read-lag.ts";
import { venueNotAfter } from "../../domain/venue-time.ts";
import { changePosition, closeHeld, type PositionBook, proves } from "./position-book.ts";

/**
 * It was flat a moment ago and began again: the push may refer to that moment. No fill has closed it, so the list
 * decides.
 */
function perhapsFlat(held: HeldPosition, atMs: number): PositionChange {
  held.unsureSinceMs ??= atMs;
  return { held: held, kind: "same", unsure: true };
}

const isUntimed = ({ atMs }: PositionUpdate): boolean => atMs === undefined;

/** The venue's own times order two pushes, and a push against the list that shows the position. */
function isOlder({ held, pushedMs }: PositionBook, { atMs }: PositionUpdate, key: string): boolean {
  if (atMs === undefined) return false;
  const knownMs = Math.max(pushedMs.get(key) ?? -Infinity, held.get(key)?.position.updatedAtMs ?? -Infinity);
  if (atMs >= knownMs) pushedMs.set(key, atMs);
  return atMs < knownMs;
}

function unheld({ past }: PositionBook, { symbol, positionSide }: PositionUpdate, atMs: number): null {
  for (const side of sidesReported(positionSide)) {
    const key = positionKeyOf(symbol, side);
    past.reportedFlat(key, atMs);
    past.passed(key, atMs);
  }
  return null;
}

const justOver = ({ past }: PositionBook, { symbol, positionSide }: PositionUpdate, atMs: number): boolean =>
  sidesReported(positionSide).some((side) => past.justOver(positionKeyOf(symbol, side), atMs));

/** A push may be as late as a read: it may be from before what a fill of a moment ago has opened. */
function mayPrecedeFill({ fills }: PositionBook, key: string, atMs: number): boolean {
  const newest = fills.newest(key);
  return newest !== null && !mustShow(atMs, newest.heardMs);
}

function reportedFlat(book: PositionBook, update: PositionUpdate, key: string, atMs: number): PositionChange | null {
  const held = book.held.get(key);
  if (!held) return unheld(book, update, atMs);
  const isDoubted = isUntimed(update) && (justOver(book, update, atMs) || mayPrecedeFill(book, key, atMs));
  return isDoubted && !isTaken(held) ? perhapsFlat(held, atMs) : closeHeld(book, held, atMs, { overMs: update.atMs });
}

/**
 * In one-way mode a symbol has one position: once the other side is held, this one is over, unless a list requested
 * later shows it.
 */
function reversed({ held, past }: PositionBook, key: string, atMs: number): void {
  const position = held.get(key);
  if (!position) {
    past.reportedFlat(key, atMs);
    return;
  }
  position.unsureSinceMs ??= atMs;
}

/** A push carries fewer fields than a list: the others keep their values. */
function pushedPosition(
  update: PositionUpdate,
  side: "LONG" | "SHORT",
  before: Position | undefined,
  venueMs: number,
): Position {
  return {
    symbol: update.symbol,
    side,
    qty: update.qty.abs(),
    avgPrice: update.avgPrice,
    markPrice: before?.markPrice ?? ZERO,
    unrealizedPnl: before?.unrealizedPnl ?? ZERO,
    leverage: update.leverage ?? before?.leverage ?? 1,
    liquidationPrice: before?.liquidationPrice ?? null,
    createdAtMs: before?.createdAtMs ?? venueMs,
    updatedAtMs: update.atMs ?? venueMs,
  };
}

/** How the push changed the position; empty if it says nothing new. */
export function pushedSide(book: PositionBook, update: PositionUpdate, atMs: number): readonly PositionChange[] {
  const { held } = book;
  const side = update.positionSide === "NONE" ? sideOfPush(update, held) : update.positionSide;
  const key = positionKeyOf(update.symbol, side);
  if (isOlder(book, update, key)) return [];
  if (update.qty.isZero()) {
    const flat = reportedFlat(book, update, key, atMs);
    return flat ? [flat] : [];
  }
  const position = held.get(key);
  if (update.positionSide === "NONE") {
    book.oneWay.add(update.symbol);
    reversed(book, positionKeyOf(update.symbol, otherSide(side)), atMs);
  } else book.oneWay.delete(update.symbol);
  // The push may be of any age. A size below the known one that no known fill explains must be settled by a list; until
  // then the larger size counts.
  if (position && isUntimed(update) && !isTaken(position) && update.qty.abs().lt(leftOf(position)))
    return [{ held: position, kind: "same", unsure: true, shrank: true }];
  if (position && isUntimed(update) && isTaken(position)) {
    // Fills have closed all of it: a push that shows no more than was held before is late. The list decides.
    if (update.qty.abs().lte(position.position.qty)) return [perhapsFlat(position, atMs)];
    // One that shows more is late too, or of a new position: the stop has ended with the one that was closed.
    const over = closeHeld(book, position, atMs);
    return [over, shownPosition(book, update, side, atMs)];
  }
  // Fills have closed all of it, and this is from later: another position.
  if (position && isTaken(position) && (update.atMs ?? -Infinity) > position.takenMs)
    return [closeHeld(book, position, atMs), shownPosition(book, update, side, atMs)];
  if (position && isTaken(position)) position.unsureSinceMs = null;
  return [shownPosition(book, update, side, atMs)];
}

/** The position is held as the push shows it. */
function shownPosition(
  book: PositionBook,
  update: PositionUpdate,
  side: "LONG" | "SHORT",
  atMs: number,
): PositionChange {
  const { held, expected, past } = book;
  const key = positionKeyOf(update.symbol, side);
  const position = held.get(key);
  // Right after a position was flat, a push without a time is probably stale if no order has filled since.
  const unsure =
    isUntimed(update) && !position && past.justOver(key, atMs) && (!expected.has(key) || past.overtaken(key));
  // It says not when the position began: it is the one that only a list lacked, unless an order has promised another since.
  const before = position ?? (expected.has(key) ? undefined : past.missed(key));
  const pushed = pushedPosition(update, side, before?.position, venueNotAfter(book.venueTime, atMs));
  // What fills have left is nothing that a list could not show yet.
  const isLeft = position?.takenQty.gt(0) === true && pushed.qty.eq(leftOf(position));
  const reported = changePosition(book, pushed, atMs);
  if (!isLeft) reported.held.aheadMs = atMs;
  if (!isUntimed(update)) proves(reported.held, reported.held.position);
  if (!unsure) return reported;
  reported.held.unsureSinceMs = atMs;
  return { ...reported, unsure };
}
