/**
 * What the rows of earlier runs say of one position, one after the other: the run's own rules over its own records, so that a
 * restart is a silence and not another telling. Fault P1; invariants I5, I9.
 */
import type { PositionFill } from "../agent/positions/position-fills.ts";
import type { ClosedPosition } from "../agent/positions/past-positions.ts";
import { planAfter } from "../agent/positions/held-position.ts";
import { metaOf, type RestoredPosition } from "../agent/positions/restored-position.ts";
import { saferThan } from "../agent/books/trailing.ts";
import { dec, type Decimal, maxDecimal, ZERO } from "../core/decimal.ts";
import { positionOf } from "../domain/position.ts";
import type { JournalRow } from "../rows/row.ts";
import type { FillRow } from "../rows/fill.ts";
import type { PositionRow } from "../rows/position.ts";
import type { ProtectionRow } from "../rows/protection.ts";
import { textParam, type WireOutRow } from "../rows/wire-out.ts";

/** What the rows so far say of one position. Times of rows are ours. */
export interface Track {
  /** Null while it is not open. */
  held: RestoredPosition | null;
  /** When it was last reported to have grown; null where only a late push said so. */
  grewMs: number | null;
  /** When an order was last reported to have filled more than any row about the position shows; null if none was. */
  unshownMs: number | null;
  /** When the order that opened it was sent, where no row about it says when it began. */
  promisedMs: number;
  /** How much fills have reduced it since it was last reported. */
  takenQty: Decimal;
  /** The venue's time of the last fill that reduced it; -Infinity before the first. */
  takenMs: number;
  lastFill: PositionFill | null;
  closeAskedMs: number | null;
  /** The position before it, or itself once it is over. */
  ended: Ended | null;
}

/** An opening order that has ended: the position that it alone would have begun, and what it filled, by our time of its end. */
export interface FilledOrder {
  readonly positionKey: string;
  readonly begun: Omit<RestoredPosition, "qty">;
  readonly qty: Decimal;
  readonly atMs: number;
}

/** A position that is over: fills that close it may still be reported. */
export interface Ended extends ClosedPosition {
  missed: boolean;
  left: Decimal;
  takenMs: number;
}

export const unheard = (): Track => ({
  held: null,
  grewMs: null,
  unshownMs: null,
  promisedMs: -Infinity,
  takenQty: ZERO,
  takenMs: -Infinity,
  lastFill: null,
  closeAskedMs: null,
  ended: null,
});

/** The venue's time before which nothing is part of it, as far as the rows say. */
const beganMs = ({ held, promisedMs }: Track): number => held?.begunMs ?? promisedMs;

/** Returns whether the fill is newer, by the venue's time, than all that were known. */
function noteFill(track: Track, atMs: number, heardMs: number): boolean {
  if (atMs <= (track.lastFill?.atMs ?? -Infinity)) return false;
  track.lastFill = { atMs, heardMs };
  return true;
}

export function takeFill(track: Track, { opening, qty, atMs }: FillRow, heardMs: number): void {
  const newest = noteFill(track, atMs, heardMs);
  const { held, ended } = track;
  if (!held || atMs < beganMs(track)) {
    // What closed the last of it counts already.
    if (opening || !ended || (ended.left.isZero() && atMs <= ended.takenMs)) return;
    ended.left = ended.left.sub(qty);
    ended.takenMs = Math.max(ended.takenMs, atMs);
    // No later list brings back a position that its fills show to be closed.
    if (ended.left.lte(0)) ended.missed = false;
    return;
  }
  if (atMs <= (held.provenMs ?? -Infinity)) return;
  if (!opening) {
    track.takenQty = track.takenQty.add(qty);
    track.takenMs = Math.max(track.takenMs, atMs);
  } else if (newest) {
    // Even what only a late push showed is surely held once it is filled. An older fill is part of what was reported.
    track.grewMs = heardMs;
  }
}

/**
 * An opening order ended that had filled more than any row about its position shows: at least that is held, though a push that
 * was doubted showed less, and the lists of the next run may lag behind it.
 */
export function takeOrder(track: Track, { positionKey, begun, qty, atMs }: FilledOrder): void {
  const { held } = track;
  if (!held) Object.assign(track, { promisedMs: begun.openedAtMs, takenQty: ZERO, takenMs: -Infinity });
  track.held = held
    ? {
        ...held,
        ...planAfter(positionOf(positionKey).side, metaOf(held), metaOf(begun)),
        qty: maxDecimal(held.qty, qty),
      }
    : { ...begun, qty };
  track.grewMs = Math.max(track.grewMs ?? -Infinity, atMs);
  track.unshownMs = atMs;
}

/** What becomes of the position if a row reports that it is over; null where only a doubted push had reported it. */
export function takeEnd(track: Track, row: PositionRow, closedAtMs: number): Ended | null {
  const { held, takenQty, lastFill } = track;
  if (row.doubted) {
    Object.assign(track, { held: null, unshownMs: null });
    return null;
  }
  const { symbol, side, missed = false, filledMs } = row;
  const left = filledMs === undefined && held ? held.qty.sub(takenQty) : ZERO;
  const takenMs = Math.max(track.takenMs, filledMs ?? -Infinity);
  const ended = { symbol, side, closedAtMs, missed: missed && (!held || left.gt(0)), left, takenMs };
  Object.assign(track, { ...unheard(), lastFill, ended });
  return ended;
}

export function takeReport(track: Track, position: PositionRow, row: JournalRow): void {
  const { held } = track;
  if (position.filledMs !== undefined) noteFill(track, position.filledMs, row.atMs);
  Object.assign(track, {
    held: heldPosition(position, row, held),
    takenQty: ZERO,
    unshownMs: null,
    promisedMs: -Infinity,
  });
  if (position.doubted) track.grewMs = null;
  else if (!held?.qty.gte(position.qty)) track.grewMs = row.atMs;
}

export function takeProtection(track: Track, row: ProtectionRow): void {
  const { held } = track;
  if (held) track.held = { ...held, ...wantedBy(row, held), ...standingIn(row) };
}

/** A change of the size of the stop that stands. */
export function takeCover(track: Track, write: WireOutRow, atMs: number): void {
  const { held } = track;
  const [algoOrderId, qty] = [textParam(write, "algoOrderId"), textParam(write, "quantity")];
  if (write.action !== "algo.replace" || !held || algoOrderId !== held.standingAlgoId || qty === null) return;
  track.held = { ...held, coverAsked: { qty: dec(qty), atMs } };
}

/** `isWhole`: what the end of a damaged journal held is unknown, and the first list decides what has grown. */
export const restoredFrom = (
  { grewMs, takenQty, takenMs, lastFill, closeAskedMs }: Track,
  held: RestoredPosition,
  isWhole: boolean,
): RestoredPosition => ({
  ...held,
  reportedMs: (isWhole ? grewMs : null) ?? 0,
  ...(takenQty.gt(0) ? { takenQty, takenMs } : {}),
  ...(isWhole && lastFill ? { lastFill } : {}),
  ...(closeAskedMs === null ? {} : { closeAskedMs }),
});

function heldPosition(
  row: PositionRow,
  { decisionId, atMs }: JournalRow,
  before: RestoredPosition | null,
): RestoredPosition {
  const { strategy, thesis, basis, stopPrice, targetPrice, qty, avgPrice, trail } = row;
  return {
    decisionId,
    strategy,
    thesis,
    basis,
    stopPrice,
    targetPrice,
    openedAtMs: row.openedAtMs || atMs,
    qty,
    avgPrice,
    reportedMs: 0,
    standingAlgoId: before?.standingAlgoId ?? null,
    ...(before?.coverAsked ? { coverAsked: before.coverAsked } : {}),
    ...(row.provenMs === undefined ? {} : { provenMs: row.provenMs }),
    ...(row.begunMs === undefined ? {} : { begunMs: row.begunMs }),
    ...(trail ? { trail } : {}),
  };
}

/** Where the stop was moved to, though the order at the venue may not have followed yet; or a safer one that stood there. */
function wantedBy(row: ProtectionRow, { stopPrice }: RestoredPosition): Partial<Pick<RestoredPosition, "stopPrice">> {
  if ("moving" in row) return { stopPrice: row.stopPrice };
  const stood = "standing" in row ? row.stopPrice : null;
  const isSafer = stood !== null && (stopPrice === null || saferThan(positionOf(row.leg).side, stood, stopPrice));
  return isSafer ? { stopPrice: stood } : {};
}

/** A request for a stop means that none is active, as does the end of one; other protection rows do not say whether one is. */
function standingIn(row: ProtectionRow): { readonly standingAlgoId?: string | null } {
  if ("standing" in row) return { standingAlgoId: row.algoOrderId };
  return "over" in row || "clientOrderId" in row ? { standingAlgoId: null } : {};
}
