/**
 * One held position: its size, why it was opened, and the stop that protects it. Of two stops on a position the safer
 * one counts.
 */
import { type Decimal, minDecimal, ONE, ZERO } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { TradeBasis } from "../../domain/closed-trade.ts";
import { positionKeyOf, type Position, type PositionUpdate } from "../../domain/position.ts";
import type { PositionFill } from "./position-fills.ts";
import { safer, saferThan, type TrailRules } from "../books/trailing.ts";

/** The stop at the venue: none, requested but not yet seen, or seen live. */
export type ProtectionState = "none" | "asked" | "live";

/**
 * How a stop is requested: to close the whole position when it fires, with a quantity and a target, or with a quantity
 * alone. Venues differ in which forms they accept. Spec: 1 §2.5; records §6.2.
 */
export type StopForm = "entire" | "sized" | "one-sided";

/** `unknown`: its answer is lost, so it may stand at the venue. */
export interface StopRequest {
  readonly clientOrderId: string;
  readonly fate: "sent" | "unknown" | "answered";
}

/** Why a position was opened, kept across restarts. The stop and target are the wanted ones, not those at the venue. */
export interface PositionMeta {
  readonly decisionId: string | null;
  readonly strategy: string | null;
  readonly thesis: string | null;
  /** The data the opening was based on; absent where unknown. */
  readonly basis?: TradeBasis;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly openedAtMs: number;
  /** How its stop trails the price; absent where the configuration decides. */
  readonly trail?: TrailRules;
}

/** A position as the journal of earlier runs last recorded it. */
export interface RestoredPosition extends PositionMeta {
  readonly qty: Decimal;
  readonly avgPrice: Decimal;
  /**
   * When it was first reported, by our clock. A position held for longer than the read lag must appear in every list.
   */
  readonly reportedMs: number;
  /** The last of the fills that closed all of it, if they did: no push or list has reported the end yet. */
  readonly takenBy?: PositionFill;
  /** The stop last known to stand at the venue. */
  readonly standingAlgoId: string | null;
}

/**
 * Mutable, from the first report until the position is flat. Times are ours, in ms, unless noted; -Infinity means
 * never.
 */
export interface HeldPosition {
  readonly key: string;
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  position: Position;
  meta: PositionMeta;
  protection: ProtectionState;
  algoOrderId: string | null;
  /** Whether the agent placed the live stop: it never changes or cancels an order placed by others. */
  stopIsOurs: boolean;
  /** Quantity that the live stop covers; zero when it covers the whole position at any size. */
  protectedQty: Decimal;
  /**
   * A smaller quantity that was requested: it may be in force until a record newer than this venue time shows the
   * actual one.
   */
  shrinking: { readonly qty: Decimal; readonly updatedMs: number } | null;
  /** The price of the live stop at the venue. */
  standingStop: Decimal | null;
  standingTarget: Decimal | null;
  /** The field of the live order that carries the stop price: an amendment must name the same field. */
  stopField: "triggerPrice" | "stopLossPrice";
  /** The venue's time of the newest report of the live stop. */
  algoUpdatedMs: number;
  /** Our time of the newest push that shows a live stop on it. */
  stopPushedMs: number;
  amendAskedMs: number;
  /** An amendment of its stop was sent and has no outcome yet. */
  amending: boolean;
  /** When an amendment of its stop was last given up without an answer. */
  amendUnheardMs: number;
  /** The stop price of the last amendment; null before the first. */
  amendedTo: Decimal | null;
  /** The most favourable fresh mark price that this run has seen while it was held. */
  best: Decimal | null;
  /** Since when the mark has been beyond its stop; null while it is not. */
  crossedSinceMs: number | null;
  /** Since when it has had no confirmed stop at the venue; null while protected. */
  unprotectedSinceMs: number | null;
  /** Since when its live stop has covered less than the position; null while it covers all. */
  outgrownSinceMs: number | null;
  /** When its stop, thought to be live, was found to be gone. */
  missedMs: number;
  /** Finished spans without a stop: the last, the longest and their sum, ms. */
  readonly bare: { lastMs: number; longestMs: number; totalMs: number };
  /** When the journal last recorded that the agent watches its stop price. */
  supervisedMs: number;
  protectAskedMs: number;
  /** The last requested stop, and what is known of the request. */
  stopRequest: StopRequest | null;
  /** The form to request next; null means the form that the venue accepted last. */
  stopForm: StopForm | null;
  /** The venue's id from the reply: the stop may be live although no push or list shows it yet. */
  repliedAlgoId: string | null;
  /** When its stop was last looked up by id after a hint that it is over. */
  stopAskedMs: number;
  closeAskedMs: number | null;
  /**
   * Since when it has been unclear whether it is held: a late push reported it, or fills closed all of it. Null while
   * it is clear.
   */
  unsureSinceMs: number | null;
  /** Our time of the newest report. */
  readAtMs: number;
  /** Our time of the newest push or fill that no list has shown yet: lists lag behind those. */
  aheadMs: number;
  /** Our time of the first report of the present size. */
  sizedMs: number;
  /** When the position began according to the last list; null before a list has shown it. */
  listedSinceMs: number | null;
  /** The proven size: that of the newest record with a venue time, plus our fills after it. */
  proven: { qty: Decimal; readonly atMs: number };
  /** When it began by the venue's time, from its first fill or a list; -Infinity while only pushes have shown it. */
  begunMs: number;
  /** The venue's time of the last fill that reduced it; -Infinity before the first. */
  takenMs: number;
  /** The quantity that fills have closed since then. Where that is all of it, a list without the position is right. */
  takenQty: Decimal;
  /**
   * The part of that quantity whose result equity has booked as realised, so that the mark price no longer affects it.
   */
  bookedQty: Decimal;
}

/** How a push, a list or a refusal changed a position; `reportPosition` journals it. `same` is no change. */
export interface PositionChange {
  readonly held: HeldPosition;
  readonly kind: "opened" | "resized" | "closed" | "same";
  /** It shrank or is flat: no account reading includes the realised result yet. */
  readonly shrank?: true;
  /** Only a fill reported it, so it shows no order placed by others. */
  readonly grown?: true;
  /** Closed only because a list did not show it. */
  readonly missed?: true;
  /** Reopened because a list shows it again after another one did not. */
  readonly back?: true;
  /**
   * It was flat a moment ago. Only a push reports that it is held, or that it is flat again after a new start: a list
   * decides.
   */
  readonly unsure?: true;
  /**
   * A list shows that the stop fired or was ended, and no push reported it: the list shows another position than
   * before, or less than fills have left.
   */
  readonly stopUnsure?: true;
}

/** A stop without a position. */
export interface LoneStop {
  readonly order: AlgoOrder;
  /** Its position may still appear, or reappear: the list of positions lags. */
  readonly doubtful: boolean;
}

/** The live stop covers only part of it because the position has grown since. */
export const outgrew = ({ protection, protectedQty, position }: HeldPosition): boolean =>
  protection === "live" && !protectedQty.isZero() && protectedQty.lt(position.qty);

/** Fills have closed all of it, as far as is known. */
export const isTaken = ({ takenQty, position }: HeldPosition): boolean => takenQty.gte(position.qty);

/** The quantity that fills have left, as far as is known. */
export const leftOf = ({ position, takenQty }: HeldPosition): Decimal => position.qty.sub(takenQty);

/**
 * Equity has booked a closing fill made at `atMs`, venue time. It is not counted where the last report already includes
 * it.
 */
export function bookFill(held: HeldPosition, qty: Decimal, atMs: number): void {
  if (atMs > held.position.updatedAtMs) held.bookedQty = minDecimal(held.position.qty, held.bookedQty.add(qty));
}

/** A change of a live stop: its size, its price, or both. */
export interface StopAmendment {
  readonly leg: string;
  readonly algoOrderId: string;
  readonly change: { readonly qty?: Decimal; readonly triggerPrice?: Decimal; readonly stopLossPrice?: Decimal };
}

/** A position that has just been opened: nothing protects it yet. */
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
  stopRequest: null,
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

/** A list settles within this time whether it is held; if none does, it counts as held. */
const DOUBT_ENDS_WITHIN_MS = 4_000;

/** For at most 4 s after the doubt began; no stop is requested meanwhile. */
export const isUnsure = ({ unsureSinceMs }: HeldPosition, nowMs: number): boolean =>
  unsureSinceMs !== null && nowMs - unsureSinceMs < DOUBT_ENDS_WITHIN_MS;

/** A close that has not finished by then has failed: it is sent again, and the position needs its stop meanwhile. */
export const CLOSE_ENDS_WITHIN_MS = 8_000;

/** A close was requested less than 8 s ago: no second one is sent, and no stop is requested. */
export const isClosing = ({ closeAskedMs }: HeldPosition, nowMs: number): boolean =>
  closeAskedMs !== null && nowMs - closeAskedMs < CLOSE_ENDS_WITHIN_MS;

/**
 * The price at which an algo order closes the position at a loss; null for an order that only takes profit. A single
 * trigger price does not say which of the two it is: a trigger on the better side, which no price of the position has
 * reached, is a target.
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

/** The live order of a position, if it is another one than the given order. */
export function standingOrder(held: HeldPosition, order: AlgoOrder): AlgoOrder | null {
  const { algoOrderId, standingStop: stop, protectedQty: qty, standingTarget: takeProfitPrice } = held;
  if (held.protection !== "live" || algoOrderId === null || algoOrderId === order.algoOrderId) return null;
  return { ...order, algoOrderId, qty, takeProfitPrice, stopLossPrice: stop, triggerPrice: null };
}

/**
 * Of two stops on one position the safer one stays; of equally safe ones the one that covers more; otherwise the live
 * one.
 */
export function protectsMore(held: HeldPosition, order: AlgoOrder, than: AlgoOrder): boolean {
  const [stop, other] = [stopOf(held, order), stopOf(held, than)];
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

/**
 * Whether an order placed by others can serve as the position's stop: it covers the whole position and is no less safe
 * than the wanted stop (or than the default at `distance` where no stop is wanted). If not, the agent places its own
 * beside it.
 */
export function suffices(held: HeldPosition, order: AlgoOrder, distance: Decimal): boolean {
  const stop = stopOf(held, order);
  if (stop === null || !isExitOf(held, order)) return false;
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

/** A list may lag behind a push: an older record of the same order changes nothing. */
export function attach(held: HeldPosition, order: AlgoOrder, { ours, atMs }: { ours: boolean; atMs: number }): void {
  if (held.algoOrderId === order.algoOrderId && order.updatedAtMs < held.algoUpdatedMs) return;
  held.protection = "live";
  held.algoOrderId = order.algoOrderId;
  held.stopIsOurs = ours;
  if (ours) heardOfRequest(held);
  held.algoUpdatedMs = order.updatedAtMs;
  if (held.shrinking && order.updatedAtMs > held.shrinking.updatedMs) held.shrinking = null;
  held.protectedQty = held.shrinking ? minDecimal(order.qty, held.shrinking.qty) : order.qty;
  held.standingStop = stopOf(held, order);
  held.stopField = order.stopLossPrice ? "stopLossPrice" : "triggerPrice";
  held.standingTarget = order.takeProfitPrice;
  adoptSafer(held);
  countBare(held, atMs);
}

/** The price of a stop that stands at the venue is kept where none is wanted yet, or where it is safer. */
function adoptSafer(held: HeldPosition): void {
  const { standingStop: standing, meta } = held;
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
  held.shrinking = { qty, updatedMs: held.algoUpdatedMs };
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

/**
 * In one-way mode a flat push carries no sign: it means the side that is held, and of two held sides the one that fills
 * have closed.
 */
export function sideOfPush({ qty, symbol }: PositionUpdate, held: ReadonlyMap<string, HeldPosition>): "LONG" | "SHORT" {
  if (!qty.isZero()) return qty.isNegative() ? "SHORT" : "LONG";
  const long = held.get(positionKeyOf(symbol, "LONG"));
  if (long && isTaken(long)) return "LONG";
  return held.has(positionKeyOf(symbol, "SHORT")) ? "SHORT" : "LONG";
}
