/**
 * Applies a report about an order: an update, or a look-up that found nothing. Fills and states only go forward, and
 * the venue's own time decides about price and size, so that updates lead to the same result in any order.
 */
import { Decimal } from "../../core/decimal.ts";
import { isTerminal, laterState, type Order, type OrderUpdate } from "../../domain/order.ts";
import { venueNotAfter, type VenueTime } from "../../domain/venue-time.ts";
import { type Amending, amendHolds } from "./amending.ts";
import type { Tracked } from "./tracked.ts";

/** How many look-ups must lack what a write without a reply was to make, and the time that they must span. */
const ABSENT_AFTER_READS = 4;
const ABSENT_AFTER_MS = 30_000;
const LOOK_UP_GAPS_MS = [500, 2_000, 8_000, 20_000];

/** What an update changed, for logging and for the cadence. */
export interface OrderChange {
  readonly tracked: Tracked;
  readonly filledNow: Decimal;
  /** What it had filled had no price before. */
  readonly pricedNow: boolean;
  readonly endedNow: boolean;
  /** It had ended without a report of the venue, by a refusal or as absent, and the venue shows it as live. */
  readonly backNow: boolean;
  /** The amendment that this update shows to hold, or that ended with its order; else null. */
  readonly amendedNow: Amending | null;
}

/**
 * Price and size may change both ways, so that only the venue's own time says which of two records is the later one. A push without
 * one may be late: the larger size counts until a list, unless the smaller one was asked for.
 */
function reportsShape({ order, amend, reportedMs }: Tracked, { updatedAtMs, qty, limitPrice }: OrderUpdate): boolean {
  if (updatedAtMs !== null) return updatedAtMs >= reportedMs;
  if (!qty?.lt(order.qty)) return true;
  return amendHolds({ order: { ...order, qty, limitPrice: limitPrice ?? order.limitPrice }, amend });
}

/** A push without a time says null, and a record of a list or a look-up zero. */
const isDated = (update: OrderUpdate): update is OrderUpdate & { readonly updatedAtMs: number } =>
  update.updatedAtMs !== null && update.updatedAtMs > 0;

function merged(tracked: Tracked, update: OrderUpdate, atMs: number): Order {
  const { order } = tracked;
  const executedQty = Decimal.max(order.executedQty, update.executedQty);
  const newer = update.executedQty.gte(order.executedQty);
  const shape = reportsShape(tracked, update);
  return {
    ...order,
    orderId: update.orderId || order.orderId,
    state: laterState(order.state, update.state),
    executedQty,
    avgPrice: newer && update.avgPrice.gt(0) ? update.avgPrice : order.avgPrice,
    qty: shape && update.qty?.gt(0) ? update.qty : order.qty,
    limitPrice: shape && update.limitPrice?.gt(0) ? update.limitPrice : order.limitPrice,
    fee: update.fee && newer ? update.fee : order.fee,
    reason: update.reason || order.reason,
    cancelPending: update.cancelPending,
    updatedAtMs: atMs,
  };
}

const mayRest = ({ orderType, timeInForce }: Tracked["order"]): boolean =>
  orderType === "LIMIT" && timeInForce !== "IOC" && timeInForce !== "FOK";

/** Everything that an update reports, except that the order has ended, which the tracker records. */
export function takeUpdate(tracked: Tracked, update: OrderUpdate, atMs: number, venueTime: VenueTime): OrderChange {
  const before = tracked.order;
  const wasEnded = tracked.fate === "ended";
  tracked.order = merged(tracked, update, atMs);
  if (update.qty && update.limitPrice)
    tracked.reportedMs = Math.max(tracked.reportedMs, update.updatedAtMs ?? -Infinity);
  tracked.misses = 0;
  const terminal = isTerminal(tracked.order.state);
  if (!wasEnded || !terminal) tracked.fate = "known";
  const amendedNow = tracked.amend !== null && (terminal || amendHolds(tracked)) ? tracked.amend : null;
  if (amendedNow) tracked.amend = null;
  if (!tracked.amend) tracked.firstShownMs = Math.min(tracked.firstShownMs, atMs);
  // What shows the order as it was does not say that it will stay so: a change goes on being asked for, and so does the end of
  // an order that cannot rest.
  if (!tracked.amend && (terminal || mayRest(tracked.order))) tracked.nextLookUpMs = Infinity;
  const filledNow = tracked.order.executedQty.sub(before.executedQty);
  const pricedNow = before.executedQty.gt(0) && before.avgPrice.isZero() && tracked.order.avgPrice.gt(0);
  // A record without a time shows what had filled when it was sent, so every fill that it may show counts as shown.
  if (filledNow.gt(0)) {
    tracked.grewMs = atMs;
    tracked.filledMs = isDated(update) ? update.updatedAtMs : venueNotAfter(venueTime, atMs);
  }
  const [endedNow, backNow] = [terminal && !wasEnded, wasEnded && !terminal];
  return { tracked, filledNow, pricedNow, endedNow, backNow, amendedNow };
}

/** No reply came to its promise: it is asked for. */
export function markUnknown(tracked: Tracked, atMs: number): void {
  if (tracked.fate !== "promised") return;
  tracked.fate = "unknown";
  tracked.nextLookUpMs = atMs + (LOOK_UP_GAPS_MS[0] ?? 0);
}

/** Whether a write without a reply counts as never made: `reads` look-ups since `sinceMs` did not show it. */
export const isNeverMade = (reads: number, sinceMs: number, atMs: number): boolean =>
  reads >= ABSENT_AFTER_READS && atMs - sinceMs >= ABSENT_AFTER_MS;

/** One look-up found nothing. True when that was the last one needed to call it absent. */
export function noteMiss(tracked: Tracked, atMs: number): boolean {
  if (tracked.misses === 0) tracked.firstMissMs = atMs;
  tracked.misses += 1;
  const gap = LOOK_UP_GAPS_MS[Math.min(tracked.misses, LOOK_UP_GAPS_MS.length - 1)] ?? 0;
  tracked.nextLookUpMs = atMs + gap;
  return isNeverMade(tracked.misses, tracked.firstMissMs, atMs);
}

/** The update that a full record amounts to. */
export const updateFromOrder = (order: Order): OrderUpdate => ({
  ...order,
  symbol: order.symbol,
  side: order.side,
  positionSide: order.positionSide,
  qty: order.qty,
  limitPrice: order.limitPrice,
  fee: order.fee,
  updatedAtMs: order.updatedAtMs,
});
