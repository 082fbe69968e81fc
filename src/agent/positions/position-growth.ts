/** A position grows by the fills of our own orders, before any push or list of it arrives. */
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import { otherSide, positionKeyOf, type Position } from "../../domain/position.ts";
import { isTaken, type PositionChange } from "./held-position.ts";
import { closeHeld, isOneWay, openedMsOf, openPosition, type PositionBook, resumePlan } from "./position-book.ts";
import { mustShow } from "../books/read-lag.ts";
import { madeNotAfter, venueNotAfter } from "../../domain/venue-time.ts";

/** What one of our opening orders has filled: after `sinceMs`, and by `madeMs`, both the venue's time. */
export interface Growth {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly price: Decimal;
  readonly sinceMs: number;
  readonly madeMs: number;
  /** This run sent the order, so that no earlier one has counted its fills. */
  readonly ofThisRun: boolean;
}

const grown = (before: Position, { qty, price, madeMs }: Growth): Position => {
  const whole = before.qty.add(qty);
  const avgPrice = before.avgPrice.mul(before.qty).add(price.mul(qty)).div(whole).toSignificantDigits(12);
  return { ...before, qty: whole, avgPrice, updatedAtMs: Math.max(before.updatedAtMs, madeMs) };
};

const begun = ({ symbol, side, qty, price, madeMs }: Growth): Position => ({
  symbol,
  side,
  qty,
  avgPrice: price,
  markPrice: price,
  unrealizedPnl: ZERO,
  leverage: 1,
  liquidationPrice: null,
  createdAtMs: madeMs,
  updatedAtMs: madeMs,
});

/** What is known of the position may include the fill, or is not sure itself: there is no size to add to. */
function isUnknown({ held, listedFromMs, past }: PositionBook, key: string, ofThisRun: boolean): boolean {
  const position = held.get(key);
  if (position) return position.isUndated && !ofThisRun;
  return listedFromMs === -Infinity || (!ofThisRun && past.missing(key));
}

/** Until when a record shows what was filled there, the venue's time: in one-way mode that of either side. */
function shownMs(book: PositionBook, { symbol, side }: Pick<Growth, "symbol" | "side">): number {
  const sides = isOneWay(book, symbol) ? [side, otherSide(side)] : [side];
  return Math.max(...sides.map((each) => book.held.get(positionKeyOf(symbol, each))?.proven.atMs ?? -Infinity));
}

/** Whether a record of the position is from between the two times: it may show a part of what was filled between them. */
export function mayInclude(
  { held }: PositionBook,
  key: string,
  { sinceMs, madeMs }: Pick<Growth, "sinceMs" | "madeMs">,
): boolean {
  const provenMs = held.get(key)?.proven.atMs ?? -Infinity;
  return provenMs > sinceMs && provenMs < madeMs;
}

/** What a fill has changed; "included" if a record of the position includes it, null if only the next list can say. */
export type Grown = readonly PositionChange[] | "included" | null;

/** What our order has filled is held from then on, no matter which report comes first. */
export function growPosition(book: PositionBook, growth: Growth, atMs: number): Grown {
  const key = positionKeyOf(growth.symbol, growth.side);
  const held = book.held.get(key);
  const madeMs = madeNotAfter(book.venueTime, { venueMs: growth.madeMs, heardMs: atMs });
  const taken = held !== undefined && isTaken(held) ? held : null;
  const isPartOfTaken =
    taken !== null &&
    (growth.madeMs < taken.takenMs ||
      (growth.madeMs === taken.takenMs && growth.madeMs === openedMsOf(book.fills, taken)));
  // What was filled before all was closed is part of what was closed: its plan is none of the next position's.
  if (taken && isPartOfTaken) resumePlan(book, taken);
  if (mustShow(book.listedFromMs, madeMs) || book.past.includes(key, growth.madeMs)) return null;
  // Even where the size is unknown: an older record does not include it.
  book.fills.note(key, { atMs: growth.madeMs, heardMs: atMs, opens: true });
  // Nor need a list from before it show the position, however long a larger size has been known.
  if (held && growth.madeMs > held.proven.atMs) held.aheadMs = Math.max(held.aheadMs, madeMs);
  if (isUnknown(book, key, growth.ofThisRun)) return null;
  if (growth.madeMs <= shownMs(book, growth)) return "included";
  const over = taken && !isPartOfTaken ? closeHeld(book, taken, atMs) : null;
  if (!held || over) {
    const opened = { ...openPosition(book, begun(growth), atMs), grown: true as const };
    opened.held.begunMs = growth.madeMs;
    opened.held.proven = { qty: growth.qty, atMs: -Infinity, heardMs: -Infinity };
    opened.held.aheadMs = madeMs;
    return over ? [over, opened] : [opened];
  }
  // A push without a time may already include the fill, unless it came before: the larger size counts until a list decides.
  const base =
    growth.sinceMs > venueNotAfter(book.venueTime, held.readAtMs)
      ? maxDecimal(held.proven.qty, held.position.qty)
      : held.proven.qty;
  held.proven.qty = base.add(growth.qty);
  const unshown = held.proven.qty.sub(held.position.qty);
  if (unshown.gt(0)) {
    held.position = grown(held.position, { ...growth, qty: unshown });
    held.sizedMs = atMs;
  }
  held.readAtMs = atMs;
  // That it is surely held is news for the next run.
  const isSureNow = held.unsureSinceMs !== null && !isTaken(held);
  if (isSureNow) held.unsureSinceMs = null;
  return unshown.gt(0) || isSureNow ? [{ held, kind: "resized", grown: true }] : [];
}
