/** The results of orders: replies, pushes and look-ups lead to the same result, in whichever sequence they arrive. */
import { toWire, ZERO } from "../../core/decimal.ts";
import { sideClosedBy, type Order, type OrderUpdate } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { venueNotBefore } from "../../domain/venue-time.ts";
import { cancelOrder } from "./cancel-order.ts";
import { orderNamed } from "./doubled-orders.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import { onCloseEnded } from "./close-end.ts";
import { reportAmend } from "./amended.ts";
import type { OrderChange, Tracked } from "../books/order-tracker.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { READS_LAG_MS } from "../books/read-lag.ts";
import { fillPosition } from "./order-fills.ts";
import { unshownOf } from "./shown-fills.ts";
import { meetAgent, tagExternalOrder } from "./external-orders.ts";
import { type IntentEnd, intentRow } from "../../rows/intent.ts";
import { orderRow } from "../../rows/order.ts";

/** Why an intent is over, recorded once; without this row the order is looked up again at every start. */
export function recordEnd(tracked: Tracked, end: IntentEnd, out: Outbox): void {
  if (!tracked.promised) return;
  out.record(intentRow({ event: "end", intentId: tracked.clientOrderId, ...end }), tracked.decisionId);
}

/** The fields that name an order in log lines and `order` rows; `decision` only if a decision is behind it. */
export const about = (tracked: Tracked) => ({
  clientOrderId: tracked.clientOrderId,
  symbol: tracked.symbol,
  leg: tracked.leg,
  ...(tracked.decisionId ? { decision: tracked.decisionId } : {}),
});

/** The reply to a place request. Spec: 1 §4.2; the reply is acceptance, never the final state. */
export function onPlaced(state: AgentState, clientOrderId: string, sent: Sent<{ orderId: string }>, at: At): void {
  const tracked = state.orders.get(clientOrderId);
  if (!tracked) return;
  const { out, nowMs } = at;
  switch (sent.kind) {
    case "done":
      // The reply may name another order than the push before it did.
      if (orderNamed(state, { orderId: sent.value.orderId, clientOrderId }, at) !== tracked) break;
      state.orders.accepted(tracked, sent.value.orderId);
      state.orders.lookUpLater(tracked, nowMs, 3_000);
      // During a shutdown there may be no later tick that would do it.
      if (tracked.unwanted)
        cancelOrder(state, clientOrderId, { ...at, why: "it was withdrawn before the venue had it" });
      break;
    case "unknown":
      state.orders.markUnknown(tracked, nowMs);
      break;
    case "rejected":
      // No intent is sent twice, so an intermediary has repeated the request and this answers the second copy: it proves that
      // the first copy arrived. Faults R3, V1; records §2.
      if (sent.reason === "duplicate-id") {
        state.orders.markUnknown(tracked, nowMs);
        break;
      }
      dropped(state, tracked, { how: "refused", code: sent.code, message: sent.message }, out);
      state.staleRules.refused(tracked.symbol, sent, at);
      break;
    case "rate-limited":
    case "not-sent":
    case "blocked":
      dropped(state, tracked, { how: "not-sent", reason: `${sent.kind}: ${sent.message}` }, out);
      break;
  }
}

/** The order provably had no effect. A push may have reported more than the reply: what the venue says of an order decides. */
function dropped(
  state: AgentState,
  tracked: Tracked,
  end: Extract<IntentEnd, { how: "refused" | "not-sent" }>,
  out: Outbox,
): void {
  if (tracked.fate === "known" || tracked.fate === "ended") return;
  tracked.unsent = end.how === "not-sent";
  state.orders.end(tracked, end.how === "refused" ? end.message : end.reason);
  recordEnd(tracked, end, out);
}

/** A push, or a line of an account snapshot. An order without an intent is adopted, and tagged as external if not ours. */
export function onOrderUpdate(state: AgentState, update: OrderUpdate, at: At): void {
  const tracked = orderNamed(state, update, at);
  if (!tracked) return adoptPushed(state, update, at);
  reportOrder(state, state.orders.update(tracked, update, at.nowMs), at);
}

/** A push about an order without an intent. */
function adoptPushed(state: AgentState, update: OrderUpdate, at: At): void {
  const { symbol, side, qty } = update;
  if (!symbol || !side || !qty) return;
  const found: Order = {
    orderId: update.orderId,
    clientOrderId: update.clientOrderId || update.orderId,
    symbol,
    side,
    positionSide: update.positionSide ?? "NONE",
    orderType: update.limitPrice ? "LIMIT" : "MARKET",
    timeInForce: "GTC",
    qty,
    limitPrice: update.limitPrice,
    state: update.state,
    executedQty: update.executedQty,
    avgPrice: update.avgPrice,
    fee: update.fee ?? ZERO,
    reduceOnly: false,
    reason: "",
    cancelPending: false,
    // Nothing says when it was made: a push may be as late as a read.
    createdAtMs: update.updatedAtMs ?? venueNotBefore(state.venueTime, at.nowMs - READS_LAG_MS),
    updatedAtMs: at.nowMs,
  };
  const tracked = adoptOrder(state, found, update, at);
  // Its end has been reported already: this push may be an earlier one.
  if (tracked.ours && tracked.fate !== "ended") state.orders.lookUpLater(tracked, at.nowMs, 0);
}

/**
 * Takes over an order without an intent: ours from an earlier run, or somebody else's on this account. `first` is what is first
 * heard of it: what it has filled counts like what is heard later.
 */
export function adoptOrder(state: AgentState, found: Order, first: OrderUpdate, at: At): Tracked {
  const ours = state.restored.ourClientIds.has(found.clientOrderId);
  if (!ours) tagExternalOrder(state, found, at);
  const reduceOnly = found.reduceOnly || givesUp(state, found);
  const unfilled: Order = { ...found, reduceOnly, state: "NEW", executedQty: ZERO, fee: ZERO };
  const tracked = state.orders.adopt(unfilled, ours, at.nowMs);
  if (!ours && tracked.opening) meetAgent(state, found, at);
  reportOrder(state, state.orders.update(tracked, first, at.nowMs), at);
  return tracked;
}

/**
 * No push states this, nor need a list: in one-way mode a market order against a position that is held, or was until now, closes
 * it. Our closes and fired stops look like this; taken for openings, they would stand for a position that no list ever shows.
 */
function givesUp(state: AgentState, { symbol, side, qty, positionSide, limitPrice }: Order): boolean {
  const { positions, trades } = state;
  if (isHedged(state, symbol) || limitPrice !== null || positionSide !== "NONE") return false;
  const key = positionKeyOf(symbol, sideClosedBy(side));
  const held = positions.get(key);
  return held ? qty.lte(held.position.qty) || held.closeAskedMs !== null : trades.knows(key);
}

/** Reports what an update changed: fills go to the position; a confirmed amendment and the end are journalled once. */
export function reportOrder(state: AgentState, change: OrderChange, { nowMs, out }: At): void {
  const { tracked } = change;
  const { order } = tracked;
  const figures = { qty: toWire(order.qty), executedQty: toWire(order.executedQty), avgPrice: toWire(order.avgPrice) };
  if (change.backNow) comeBack(state, tracked, { nowMs, out });
  if (change.filledNow.gt(0)) {
    out.log(
      "info",
      "order.filled",
      `${order.side} ${toWire(change.filledNow)} ${tracked.symbol} at ${toWire(order.avgPrice)}, ${figures.executedQty} of ${figures.qty} filled`,
      { ...about(tracked), ...figures },
    );
    if (state.settings.cadence.onFill) state.cadence.happen("fill", `${tracked.symbol} ${tracked.leg}`, nowMs);
  }
  if (change.filledNow.gt(0) || change.pricedNow) fillPosition(state, change, { nowMs, out });
  if (change.amendedNow) reportAmend(tracked, change.amendedNow, out);
  if (!change.endedNow) return;
  onCloseEnded(state, order, { nowMs, out });
  recordEnd(
    tracked,
    {
      ...{ how: "terminal", orderId: order.orderId, state: order.state, executedQty: order.executedQty },
      ...unshownOf(tracked),
    },
    out,
  );
  const { orderId, state: ended, qty, executedQty, avgPrice, fee, reason: why } = order;
  out.record(
    orderRow({ ...about(tracked), orderId, ended: true, state: ended, qty, executedQty, avgPrice, fee, why }),
    tracked.decisionId,
  );
  if (wouldHaveTaken(tracked)) {
    // A rejection must not be recorded as a cancel: no row may claim what did not happen. Invariant I36.
    const evt = order.state === "CANCELLED" ? "order.cancelled" : "order.resolved";
    out.log("info", evt, `${tracked.symbol}: a post-only order would have taken liquidity`, about(tracked));
  } else if (order.state === "CANCELLED") {
    out.log(
      "info",
      "order.cancelled",
      `${tracked.symbol} ended with ${toWire(order.executedQty)} of ${toWire(order.qty)} filled${order.reason ? `: ${order.reason}` : ""}`,
      about(tracked),
    );
  }
  if (order.state !== "REJECTED" || wouldHaveTaken(tracked)) return;
  out.log("warn", "order.rejected", `${tracked.symbol}: ${order.reason || "no reason given"}`, about(tracked));
  if (tracked.ours)
    state.staleRules.raise(tracked.symbol, `the venue rejected an order (${order.reason})`, { nowMs, out });
}

/** An order that had counted as never made exists at the venue after all; it no longer holds up anything. Faults R3, R9. */
function comeBack(state: AgentState, tracked: Tracked, at: At): void {
  at.out.log(
    "warn",
    "order.resolved",
    `${tracked.symbol}: the agent had given it up, but the venue has it`,
    about(tracked),
  );
  if (tracked.ours && tracked.opening)
    cancelOrder(state, tracked.clientOrderId, { ...at, why: "it counted as never made" });
}

/**
 * A post-only order that the venue ended itself because the price had reached it: normal market behaviour, no alarm. Spec:
 * records §5.1 rule 3 (REJECTED on arrival) and §5.2 (gone with its amendment).
 */
export const wouldHaveTaken = ({ order, cancelAskedMs }: Tracked): boolean =>
  order.timeInForce === "GTX" &&
  (order.state === "REJECTED" || order.state === "CANCELLED") &&
  cancelAskedMs === null &&
  !order.cancelPending &&
  order.executedQty.lt(order.qty);
