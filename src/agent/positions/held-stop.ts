/** The stop of a held position: at which price it closes, what it covers, and which of two counts, namely the safer one. */
import { type Decimal, minDecimal, ONE } from "../../core/decimal.ts";
import { type AlgoOrder, saysSize, stopOf, type TriggerType } from "../../domain/algo-order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { saferThan } from "../books/trailing.ts";
import type { HeldPosition } from "./held-position.ts";

/** Between two requests about the stop of one position: to place it, or to change it. */
export const ASK_AGAIN_MS = 4_000;

/** A stop without a position. */
export interface LoneStop {
  readonly order: AlgoOrder;
  /** Its position may still appear, or reappear: the list of positions lags. */
  readonly unconfirmed: boolean;
}

/** The live stop covers only part of it because the position has grown since. */
export const outgrew = ({ protection, protectedQty, position }: HeldPosition): boolean =>
  protection === "live" && !protectedQty.isZero() && protectedQty.lt(position.qty);

/** The stop that stands is further away than an order of the position promised. */
export const isShortOfPromise = ({ side, standingStop, meta: { promisedStop } }: HeldPosition): boolean =>
  promisedStop !== undefined && standingStop !== null && saferThan(side, promisedStop, standingStop);

/** Its target does not stand at the venue, or only one that is further away does. */
export const awaitsTarget = ({ side, standingTarget, meta: { targetPrice } }: HeldPosition): boolean =>
  targetPrice !== null && (standingTarget === null || saferThan(side, standingTarget, targetPrice));

/** A change of a live stop: its size, its price, or both. A price names what triggers it, as where a stop is placed. */
export interface StopAmendment {
  readonly positionKey: string;
  readonly algoOrderId: string;
  readonly change: {
    readonly qty?: Decimal;
    readonly triggerPrice?: Decimal;
    readonly stopLossPrice?: Decimal;
    readonly triggerType?: TriggerType;
  };
}

/** A stop of which nobody knows at what price it fires, or how much it closes then, is evidence of nothing. */
export const isClear = (order: AlgoOrder): boolean => stopOf(order) !== null && saysSize(order);

/**
 * A single trigger price does not say whether somebody else meant a stop or a target. One on the better side of the mark would
 * have fired as a stop, so it is a target; the stop that stands already may be about to fire.
 */
function isTarget(held: HeldPosition, { algoOrderId, stopLossPrice, triggerPrice }: AlgoOrder, mark: Decimal): boolean {
  if (stopLossPrice || !triggerPrice) return false;
  const stands = held.algoOrderId === algoOrderId && held.standingStop?.eq(triggerPrice) === true;
  return !stands && saferThan(held.side, triggerPrice, mark);
}

/** The live order of a position, if it is another one than the given order. */
export function standingOrder(held: HeldPosition, order: AlgoOrder): AlgoOrder | null {
  const { algoOrderId, standingStop: stop, protectedQty: qty, standingTarget: takeProfitPrice } = held;
  if (held.protection !== "live" || algoOrderId === null || algoOrderId === order.algoOrderId) return null;
  return { ...order, algoOrderId, qty, takeProfitPrice, stopLossPrice: stop, triggerPrice: null };
}

/**
 * Of two stops of ours on one position the safer one stays; of equally safe ones the one that covers more; otherwise the
 * live one.
 */
export function protectsMore(held: HeldPosition, order: AlgoOrder, than: AlgoOrder): boolean {
  const [stop, other] = [stopOf(order), stopOf(than)];
  if (stop === null || other === null) return other === null;
  if (!stop.eq(other)) return saferThan(held.side, stop, other);
  if (!order.qty.eq(than.qty)) return order.qty.isZero() || (!than.qty.isZero() && order.qty.gt(than.qty));
  return held.algoOrderId === order.algoOrderId;
}

/** Whether an order can only close the position. Our own stops are placed like this. */
const isExitOf = (held: HeldPosition, { side, positionSide, reduceOnly, condition }: AlgoOrder): boolean =>
  (side === null || side === (held.side === "LONG" ? "SELL" : "BUY")) &&
  (positionSide === held.side || reduceOnly || condition.endsWith("CLOSE_POSITION"));

/** The default stop, before rounding to a tick, for a position opened without one. */
const defaultStop = ({ side, position: { avgPrice } }: HeldPosition, distance: Decimal): Decimal =>
  avgPrice.mul(side === "LONG" ? ONE.sub(distance) : ONE.add(distance));

/** `mark`: the fresh mark price; null where only the position's last record has one. */
interface StopJudgement {
  readonly distance: Decimal;
  readonly mark: Decimal | null;
}

/**
 * Whether an order placed by others can serve as the position's stop: it covers the whole position and is no less safe
 * than the wanted stop (or than the default at `distance` where no stop is wanted). If not, the agent places its own
 * beside it.
 */
export function suffices(held: HeldPosition, order: AlgoOrder, { distance, mark }: StopJudgement): boolean {
  const stop = stopOf(order);
  if (
    stop === null ||
    !saysSize(order) ||
    isTarget(held, order, mark ?? held.position.markPrice) ||
    !isExitOf(held, order)
  )
    return false;
  const covers = order.qty.isZero() || order.qty.gte(held.position.qty);
  return covers && !saferThan(held.side, held.meta.stopPrice ?? defaultStop(held, distance), stop);
}

/**
 * The same test for the live order, which may have passed it once: since then the position may have grown or its wanted
 * stop moved.
 */
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

/** From the newest record of the stop. */
export function attach(held: HeldPosition, order: AlgoOrder, { ours, atMs }: { ours: boolean; atMs: number }): void {
  held.protection = "live";
  held.algoOrderId = order.algoOrderId;
  held.stopIsOurs = ours;
  if (ours) heardOfRequest(held);
  held.algoUpdatedMs = order.updatedAtMs;
  const { shrinking } = held;
  if (shrinking && (order.algoOrderId !== shrinking.algoOrderId || order.updatedAtMs > shrinking.updatedMs))
    held.shrinking = null;
  held.protectedQty = held.shrinking ? minDecimal(order.qty, held.shrinking.qty) : order.qty;
  held.standingStop = stopOf(order);
  held.stopField = order.stopLossPrice ? "stopLossPrice" : "triggerPrice";
  held.standingTarget = order.takeProfitPrice;
  adoptSafer(held, held.standingStop);
  countBare(held, stoodAtStart(held, order) ? (held.unprotectedSinceMs ?? atMs) : atMs);
}

/** Whether that record is of the stop that was requested last: some venues leave its id out, and the reply has named the venue's. */
export const isRequested = (
  { stopRequest, repliedAlgoId }: HeldPosition,
  { algoOrderId, clientOrderId }: AlgoOrder,
): boolean =>
  stopRequest !== null &&
  (stopRequest.clientOrderId === clientOrderId || (stopRequest.fate === "answered" && repliedAlgoId === algoOrderId));

/** The stop that the last run left: it stood while this run had not yet seen it, so that the position was never without one. */
const stoodAtStart = ({ stopRequest, stood }: HeldPosition, { algoOrderId }: AlgoOrder): boolean =>
  stopRequest === null && stood?.algoOrderId === algoOrderId;

/** The price of a stop that stands at the venue is kept where none is wanted yet, or where it is safer. */
export function adoptSafer(held: HeldPosition, standing: Decimal | null): void {
  const { meta } = held;
  if (standing === null) return;
  if (meta.stopPrice === null || saferThan(held.side, standing, meta.stopPrice))
    held.meta = { ...meta, stopPrice: standing };
}

/** Ends the current span without a stop, if there is one. */
export function countBare(held: HeldPosition, atMs: number): void {
  if (held.unprotectedSinceMs === null) return;
  const ms = Math.max(0, atMs - held.unprotectedSinceMs);
  held.unprotectedSinceMs = null;
  held.bare.lastMs = ms;
  held.bare.longestMs = Math.max(held.bare.longestMs, ms);
  held.bare.totalMs += ms;
}

/** What became of the requested stop is known: a later request is another one. */
export function heardOfRequest(held: HeldPosition): void {
  if (held.stopRequest) held.stopRequest = { ...held.stopRequest, fate: "answered" };
}

/** A smaller cover was requested for its stop: it counts at once, because the confirmation may come late. */
export function shrinkCover(held: HeldPosition, qty: Decimal): void {
  held.shrinking = { algoOrderId: held.algoOrderId, qty, updatedMs: held.algoUpdatedMs };
  held.protectedQty = qty;
}

/** Its stop has ended: a span without a stop begins, unless one is running. */
export function detach(held: HeldPosition, atMs: number): void {
  held.protection = "none";
  held.algoOrderId = null;
  held.algoUpdatedMs = -Infinity;
  held.shrinking = null;
  held.standingStop = null;
  held.standingTarget = null;
  held.unprotectedSinceMs ??= atMs;
}

/** The `positionKeyOf` that a stop would close. In one-way mode only its side says which: a BUY closes a short. */
export const algoPosition = (order: AlgoOrder): string => {
  if (order.positionSide !== "NONE") return positionKeyOf(order.symbol, order.positionSide);
  return positionKeyOf(order.symbol, order.side === "BUY" ? "SHORT" : "LONG");
};
