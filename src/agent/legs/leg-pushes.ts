/** What a push tells of a leg. Pushes bear no time and may come late: where one contradicts what is known, a list decides. */
import { ZERO } from "../../core/decimal.ts";
import { legKey, type Position, type PositionUpdate, sidesTold } from "../../domain/position.ts";
import { isTaken, type Leg, type LegChange } from "./leg.ts";
import { changeLeg, closeLeg, type LegBook } from "./leg-book.ts";
import { sideOfPush } from "./leg-of.ts";

/** It was flat a moment ago and began anew: the push may be of then. No fill has taken it, so the list decides. */
function perhapsFlat(leg: Leg, atMs: number): LegChange {
  leg.doubtedSinceMs ??= atMs;
  return { leg, kind: "same", doubted: true };
}

function unheld({ past }: LegBook, { symbol, positionSide }: PositionUpdate, atMs: number): null {
  for (const side of sidesTold(positionSide)) past.toldFlat(legKey(symbol, side), atMs);
  return null;
}

const justOver = ({ past }: LegBook, { symbol, positionSide }: PositionUpdate, atMs: number): boolean =>
  sidesTold(positionSide).some((side) => past.justOver(legKey(symbol, side), atMs));

function toldFlat(book: LegBook, update: PositionUpdate, key: string, atMs: number): LegChange | null {
  const leg = book.held.get(key);
  if (leg && justOver(book, update, atMs) && !isTaken(leg)) return perhapsFlat(leg, atMs);
  return leg ? closeLeg(book, leg, atMs) : unheld(book, update, atMs);
}

/**
 * In one-way mode a symbol has one position: with the other side held, this one is over, unless a list says otherwise that
 * was asked for later.
 */
function turned({ held, past }: LegBook, key: string, atMs: number): void {
  const leg = held.get(key);
  if (!leg) {
    past.toldFlat(key, atMs);
    return;
  }
  leg.takenQty = leg.position.qty;
  leg.doubtedSinceMs ??= atMs;
}

/** A push tells less than a list: the rest stays as it was. */
function pushedPosition(
  update: PositionUpdate,
  side: "LONG" | "SHORT",
  before: Position | undefined,
  atMs: number,
): Position {
  return {
    symbol: update.symbol,
    side,
    qty: update.qty.abs(),
    avgPrice: update.avgPrice,
    markPrice: before?.markPrice ?? update.avgPrice,
    unrealizedPnl: before?.unrealizedPnl ?? ZERO,
    leverage: update.leverage ?? before?.leverage ?? 1,
    liquidationPrice: before?.liquidationPrice ?? null,
    createdAtMs: before?.createdAtMs ?? atMs,
    updatedAtMs: atMs,
  };
}

/** What became of the leg that a push speaks of; null where it tells nothing new. */
export function pushedLeg(book: LegBook, update: PositionUpdate, atMs: number): LegChange | null {
  const { held, expected, before, past } = book;
  const side = update.positionSide === "NONE" ? sideOfPush(update, held) : update.positionSide;
  const key = legKey(update.symbol, side);
  if (update.qty.isZero()) return toldFlat(book, update, key, atMs);
  const leg = held.get(key);
  if (update.positionSide === "NONE") turned(book, legKey(update.symbol, side === "LONG" ? "SHORT" : "LONG"), atMs);
  // Word for word what was held before fills took it: a push that came late. The list decides.
  if (leg && isTaken(leg) && update.qty.abs().eq(leg.position.qty) && update.avgPrice.eq(leg.position.avgPrice))
    return perhapsFlat(leg, atMs);
  if (leg && isTaken(leg)) leg.doubtedSinceMs = null;
  // Pushes bear no time. One that tells of a leg again which was flat a moment ago, while no order filled, may be late.
  const doubted = !leg && past.justOver(key, atMs) && ((!expected.has(key) && !before.has(key)) || past.overtaken(key));
  const told = changeLeg(book, pushedPosition(update, side, leg?.position, atMs), atMs);
  if (!doubted) return told;
  told.leg.doubtedSinceMs = atMs;
  return { ...told, doubted };
}
