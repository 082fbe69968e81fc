/** One held position: what is held, why, and what stands to protect it. Of two stops on a position the safer one counts. */
import { type Decimal, minDecimal, ONE, ZERO } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { TradeBasis } from "../../domain/closed-trade.ts";
import { positionKeyOf, type Position, type PositionUpdate } from "../../domain/position.ts";
import type { PositionFill } from "./position-fills.ts";
import { safer, saferThan, type TrailRules } from "../books/trailing.ts";

/** The stop at the venue: none, asked for and not seen yet, or seen standing. */
export type ProtectionState = "none" | "asked" | "live";

/**
 * How a stop is asked for: as one that gives up whatever is held when it fires, with a quantity and a target, or with a quantity
 * alone. Venues differ in which they take. Spec: 1 §2.5; records §6.2.
 */
export type StopForm = "entire" | "sized" | "one-sided";

/** Why a position was opened, kept over restarts. Its stop and target are those wanted, not those that stand. */
export interface PositionMeta {
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly thesis: string | null;
  /** What the opening rested on; absent where nobody reported. */
  readonly basis?: TradeBasis;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
  /** How its stop follows the price; absent where the configuration decides. */
  readonly trail?: TrailRules;
}

/** A position as the journal of earlier runs last gave it. */
export interface RestoredPosition extends PositionMeta {
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  /** When it was first reported, by this machine's clock: what has been held for longer than lists lag is missing from none. */
  readonly reportedMs: number;
  /** The last of the fills that have taken all of it, where they have: nobody has reported its end yet. */
  readonly takenBy?: PositionFill;
  /** The stop that stood at the venue by the last word on it. */
  readonly standingAlgoId: string | null;
}

/** Mutable, from its first reading until it is flat. Times are ours, ms, unless noted; -Infinity stands for never. */
export interface HeldPosition {
  readonly key: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  position: Position;
  meta: PositionMeta;
  protection: ProtectionState;
  algoOrderId: string | null;
  /** Whether the agent placed the standing order: it never changes or cancels one of somebody else. */
  stopIsOurs: boolean;
  /** Quantity the live protection covers; zero when it covers the whole position whatever its size. */
  protectedQty: Decimal;
  /** A smaller quantity that was asked for: it may stand until a record newer than that time of the venue's shows what does. */
  shrinking: { readonly qty: Decimal; readonly updatedMs: number } | null;
  /** The stop that stands at the venue. */
  standingStop: Decimal | null;
  standingTarget: Decimal | null;
  /** The field of the standing order that bears the stop: a move must name the same. */
  stopField: "triggerPrice" | "stopLossPrice";
  /** The venue's time of what was last reported of the standing order. */
  algoUpdatedMs: number;
  /** Our time of the newest push of a stop that stands on it. */
  stopPushedMs: number;
  amendAskedMs: number;
  /** A change of its stop has left, and no outcome of it has come. */
  amending: boolean;
  /** When a change of its stop was last given up without an answer. */
  amendUnheardMs: number;
  /** The stop that was asked for last by an amendment; null before the first. */
  amendedTo: Decimal | null;
  /** The most favourable fresh mark since it has been held, as far as this run saw it. */
  best: Decimal | null;
  /** Since when the mark has been beyond its stop; null while it is not. */
  crossedSinceMs: number | null;
  /** Since when it has been without a confirmed venue-side stop; null while protected. */
  unprotectedSinceMs: number | null;
  /** Since when its live stop has been for less than is held; null while it is not. */
  outgrownSinceMs: number | null;
  /** When a stop that it was believed to have was found to be gone. */
  missedMs: number;
  /** Spans without one that have ended: the last, the longest and their sum, ms. */
  readonly bare: { lastMs: number; longestMs: number; totalMs: number };
  /** When its stop was last written down as watched here. */
  supervisedMs: number;
  protectAskedMs: number;
  /** Client order id of the stop that was asked for last. */
  protectId?: string;
  /** The form to ask for next; null is the one that the venue took last. */
  stopForm: StopForm | null;
  /** The venue's id of it, by the reply: it may stand though no push and no list says so yet. */
  repliedAlgoId: string | null;
  /** When its stop was last asked for by id, because something hinted that it is over. */
  stopAskedMs: number;
  closeAskedMs: number | null;
  /** Since when it is not sure that it is held: a push reported it late, or fills took all of it; null while it is sure. */
  unsureSinceMs: number | null;
  /** Our time of the newest reading. */
  readAtMs: number;
  /** Our time of the newest push or fill of it that no list has shown yet: lists lag behind those. */
  aheadMs: number;
  /** Our time of the first reading that given the present size. */
  sizedMs: number;
  /** When the position began, as the last list reported; null before one has shown it. */
  listedSinceMs: number | null;
  /** What is proven of its size: that of the newest record with a time of the venue's, and fills of ours after that. */
  proven: { qty: Decimal; readonly atMs: number };
  /** When it began by the venue's time, from its first fill or a list; -Infinity while only pushes have shown it. */
  begunMs: number;
  /** The venue's time of the last fill that took from it; -Infinity before one has. */
  takenMs: number;
  /** What fills have taken from it since then: where that is all, a list that lacks it is right. */
  takenQty: Decimal;
  /** How much of that equity has booked: what it earned or lost is realised, and in the marks no more. */
  bookedQty: Decimal;
}

/** What a push, a list or a refusal made of a position; `reportPosition` journals it. `same` is no change. */
export interface PositionChange {
  readonly held: HeldPosition;
  readonly kind: "opened" | "resized" | "closed" | "same";
  /** There is less of it than before, or nothing: what it earned or lost is in no reading of the account yet. */
  readonly shrank?: true;
  /** A fill alone says so: it shows no other order's. */
  readonly grown?: true;
  /** Closed only because a list lacked it. */
  readonly missed?: true;
  /** Opened because a list shows again what another one lacked. */
  readonly back?: true;
  /** Just after it was flat, only a push reported that it is held, or, once it had begun again, that it is not: the list decides. */
  readonly unsure?: true;
  /**
   * A list shows what its stop did, or what ended its stop, and no push reported it: another position than the one before,
   * or less of it than fills have left.
   */
  readonly stopUnsure?: true;
}

/** A stop that no position needs. */
export interface LoneStop {
  readonly order: AlgoOrder;
  /** Its position may yet come, or come back: the list of positions lags. */
  readonly doubtful: boolean;
}

/** What stands protects a part of it: it has grown since. */
export const outgrew = ({ protection, protectedQty, position }: HeldPosition): boolean =>
  protection === "live" && !protectedQty.isZero() && protectedQty.lt(position.qty);

/** Fills have taken all of it, as far as is known. */
export const isTaken = ({ takenQty, position }: HeldPosition): boolean => takenQty.gte(position.qty);

/** What fills have left of it, as far as is known. */
export const leftOf = ({ position, takenQty }: HeldPosition): Decimal => position.qty.sub(takenQty);

/** Equity has booked a closing fill of it, made at `atMs` of the venue's time: unless the last reading shows it already. */
export function bookFill(held: HeldPosition, qty: Decimal, atMs: number): void {
  if (atMs > held.position.updatedAtMs) held.bookedQty = minDecimal(held.position.qty, held.bookedQty.add(qty));
}

/** A change of a standing stop: its size, its price, or both. */
export interface StopAmendment {
  readonly leg: string;
  readonly algoOrderId: string;
  readonly change: { readonly qty?: Decimal; readonly triggerPrice?: Decimal; readonly stopLossPrice?: Decimal };
}

/** A position that has just come to be: nothing protects it yet. */
export const newHeld = (position: Position, meta: PositionMeta, atMs: number): HeldPosition => ({
  key: positionKeyOf(position.symbol, position.side),
  symbol: position.symbol,
  side: position.side,
  position,
  meta,
  protection: "none",
  algoOrderId: null,
  stopIsOurs: true,
  protectedQty: ZERO,
  shrinking: null,
  standingStop: null,
  standingTarget: null,
  stopField: "triggerPrice",
  algoUpdatedMs: -Infinity,
  stopPushedMs: -Infinity,
  amendAskedMs: -Infinity,
  amending: false,
  amendUnheardMs: -Infinity,
  amendedTo: null,
  best: null,
  crossedSinceMs: null,
  unprotectedSinceMs: atMs,
  outgrownSinceMs: null,
  missedMs: -Infinity,
  bare: { lastMs: 0, longestMs: 0, totalMs: 0 },
  supervisedMs: -Infinity,
  protectAskedMs: -Infinity,
  stopForm: null,
  closeAskedMs: null,
  unsureSinceMs: null,
  repliedAlgoId: null,
  stopAskedMs: -Infinity,
  readAtMs: atMs,
  aheadMs: atMs,
  sizedMs: atMs,
  listedSinceMs: null,
  proven: { qty: ZERO, atMs: -Infinity },
  begunMs: -Infinity,
  takenMs: -Infinity,
  takenQty: ZERO,
  bookedQty: ZERO,
});

/** A list reports within this time whether it is held; if none does, it counts as held. */
const DOUBT_ENDS_WITHIN_MS = 4_000;

/** At most 4 s from when the doubt began; meanwhile no stop is asked for. */
export const isUnsure = ({ unsureSinceMs }: HeldPosition, nowMs: number): boolean =>
  unsureSinceMs !== null && nowMs - unsureSinceMs < DOUBT_ENDS_WITHIN_MS;

/** A close that has not ended by then did not go through: it is asked for again, and the stop is needed meanwhile. */
export const CLOSE_ENDS_WITHIN_MS = 8_000;

/** A close was asked for less than 8 s ago: no second one is sent, and no stop is asked for. */
export const isClosing = ({ closeAskedMs }: HeldPosition, nowMs: number): boolean =>
  closeAskedMs !== null && nowMs - closeAskedMs < CLOSE_ENDS_WITHIN_MS;

/**
 * The price at which an order of the venue gives the position up; null for one that only takes profit. A lone trigger does not say
 * which of the two it is: one that no price of the position has reached yet, on its better side, is a target.
 */
export function stopOf(
  { side, position, best }: HeldPosition,
  { stopLossPrice, triggerPrice }: AlgoOrder,
): Decimal | null {
  if (stopLossPrice || !triggerPrice) return stopLossPrice;
  const { avgPrice, markPrice } = position;
  const reached = [avgPrice, markPrice, best ?? avgPrice].reduce((one, other) => safer(side, one, other));
  return saferThan(side, triggerPrice, reached) ? null : triggerPrice;
}

/** The order that stands on a position, where it is another one than the order in hand. */
export function standingOrder(held: HeldPosition, order: AlgoOrder): AlgoOrder | null {
  const { algoOrderId, standingStop: stop, protectedQty: qty, standingTarget: takeProfitPrice } = held;
  if (held.protection !== "live" || algoOrderId === null || algoOrderId === order.algoOrderId) return null;
  return { ...order, algoOrderId, qty, takeProfitPrice, stopLossPrice: stop, triggerPrice: null };
}

/** Of two stops on one position the safer one stays; of equal ones that which covers more; else the one that was there. */
export function protectsMore(held: HeldPosition, order: AlgoOrder, than: AlgoOrder): boolean {
  const [stop, other] = [stopOf(held, order), stopOf(held, than)];
  if (stop === null || other === null) return other === null;
  if (!stop.eq(other)) return saferThan(held.side, stop, other);
  if (!order.qty.eq(than.qty)) return order.qty.isZero() || (!than.qty.isZero() && order.qty.gt(than.qty));
  return held.algoOrderId === order.algoOrderId;
}

/** Whether an order can do nothing but give the position up. One of ours is placed like that. */
const isExitOf = (held: HeldPosition, { side, positionSide, reduceOnly, condition }: AlgoOrder): boolean =>
  (side === null || side === (held.side === "LONG" ? "SELL" : "BUY")) &&
  (positionSide === held.side || reduceOnly || condition.endsWith("CLOSE_POSITION"));

/** Where the stop of a position belongs that nobody gave one, before it is rounded to a tick. */
const defaultStop = ({ side, position: { avgPrice } }: HeldPosition, distance: Decimal): Decimal =>
  avgPrice.mul(side === "LONG" ? ONE.sub(distance) : ONE.add(distance));

/**
 * Whether an order of somebody else may stand for the stop that the position needs: it covers all of the position and is no less safe
 * than the wanted stop, or where none is known than one at `distance`, the default. Where it is not, the agent places its own beside it.
 */
export function suffices(held: HeldPosition, order: AlgoOrder, distance: Decimal): boolean {
  const stop = stopOf(held, order);
  if (stop === null || !isExitOf(held, order)) return false;
  const covers = order.qty.isZero() || order.qty.gte(held.position.qty);
  return covers && !saferThan(held.side, held.meta.stopPrice ?? defaultStop(held, distance), stop);
}

/** The same of the standing order, which may have been enough once: the position has grown, or its wanted stop has moved. */
export const stillSuffices = ({
  stopIsOurs,
  standingStop,
  protectedQty,
  position,
  meta,
  side,
}: HeldPosition): boolean =>
  stopIsOurs ||
  (standingStop !== null &&
    (protectedQty.isZero() || protectedQty.gte(position.qty)) &&
    (meta.stopPrice === null || !saferThan(side, meta.stopPrice, standingStop)));

/** A list may lag behind a push: what was reported of the same order at an earlier time changes nothing. */
export function attach(held: HeldPosition, order: AlgoOrder, { ours, atMs }: { ours: boolean; atMs: number }): void {
  if (held.algoOrderId === order.algoOrderId && order.updatedAtMs < held.algoUpdatedMs) return;
  held.protection = "live";
  held.algoOrderId = order.algoOrderId;
  held.stopIsOurs = ours;
  held.algoUpdatedMs = order.updatedAtMs;
  if (held.shrinking && order.updatedAtMs > held.shrinking.updatedMs) held.shrinking = null;
  held.protectedQty = held.shrinking ? minDecimal(order.qty, held.shrinking.qty) : order.qty;
  held.standingStop = stopOf(held, order);
  held.stopField = order.stopLossPrice ? "stopLossPrice" : "triggerPrice";
  held.standingTarget = order.takeProfitPrice;
  countBare(held, atMs);
}

/** Ends the span without a stop, where there is one. */
export function countBare(held: HeldPosition, atMs: number): void {
  if (held.unprotectedSinceMs === null) return;
  const ms = Math.max(0, atMs - held.unprotectedSinceMs);
  held.unprotectedSinceMs = null;
  held.bare.lastMs = ms;
  held.bare.longestMs = Math.max(held.bare.longestMs, ms);
  held.bare.totalMs += ms;
}

/** Its stop is asked to cover less: that counts at once, since the word that it does may come late. */
export function shrinkCover(held: HeldPosition, qty: Decimal): void {
  held.shrinking = { qty, updatedMs: held.algoUpdatedMs };
  held.protectedQty = qty;
}

/** Its stop has ended: the span without one begins, unless it runs already. */
export function detach(held: HeldPosition, atMs: number): void {
  held.protection = "none";
  held.algoOrderId = null;
  held.algoUpdatedMs = -Infinity;
  held.shrinking = null;
  held.standingStop = null;
  held.standingTarget = null;
  held.unprotectedSinceMs ??= atMs;
}

/** The `positionKeyOf` that a stop would close. In one-way mode its side alone says which: a BUY closes a short. */
export const algoPosition = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return positionKeyOf(order.symbol, order.positionSide);
  return positionKeyOf(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};

/** In one-way mode a flat push carries no sign: it speaks of whichever side is held, of two of that which fills took. */
export function sideOfPush({ qty, symbol }: PositionUpdate, held: ReadonlyMap<string, HeldPosition>): "LONG" | "SHORT" {
  if (!qty.isZero()) return qty.isNegative() ? "SHORT" : "LONG";
  const long = held.get(positionKeyOf(symbol, "LONG"));
  if (long && isTaken(long)) return "LONG";
  return held.has(positionKeyOf(symbol, "SHORT")) ? "SHORT" : "LONG";
}
