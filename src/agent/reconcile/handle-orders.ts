/** What becomes of orders: replies, pushes and look-ups lead to the same end, in whichever sequence they arrive. */
import { type Decimal, toWire } from "../../core/decimal.ts";
import { sideClosedBy, type Order, type OrderUpdate } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { cancelOrder } from "./cancel-order.ts";
import { orderNamed } from "./doubled-orders.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { Sent } from "../contract/events.ts";
import { onCloseEnded } from "./failed-close.ts";
import { reportAmend } from "./amended.ts";
import type { OrderChange, Tracked } from "../books/order-tracker.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { reportPosition } from "./report-position.ts";
import { meetAgent } from "./other-agents.ts";
import { tagExternalOrder } from "./tag-external.ts";
import { saferThan } from "../books/trailing.ts";
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

/** A push about an order without an intent: ours from an earlier run, or somebody else's on this account. */
function adoptPushed(state: AgentState, update: OrderUpdate, at: At): void {
  if (!update.symbol || !update.side || !update.qty) return;
  const ours = state.restored.ourClientIds.has(update.clientOrderId);
  const { orderId, clientOrderId, symbol, side, positionSide } = update;
  if (!ours)
    tagExternalOrder(state, { orderId, clientOrderId, symbol, side, ...(positionSide ? { positionSide } : {}) }, at);
  const order: Order = {
    orderId: update.orderId,
    clientOrderId: update.clientOrderId || update.orderId,
    symbol: update.symbol,
    side: update.side,
    positionSide: update.positionSide ?? "NONE",
    orderType: update.limitPrice ? "LIMIT" : "MARKET",
    timeInForce: "GTC",
    qty: update.qty,
    limitPrice: update.limitPrice,
    state: "NEW",
    executedQty: update.executedQty.mul(0),
    avgPrice: update.avgPrice,
    fee: update.executedQty.mul(0),
    reduceOnly: givesUp(state, { ...update, symbol, side, qty: update.qty }),
    reason: "",
    cancelPending: false,
    createdAtMs: at.nowMs,
    updatedAtMs: at.nowMs,
  };
  const tracked = state.orders.adopt(order, ours, at.nowMs);
  if (!ours && tracked.opening) meetAgent(state, order, at);
  reportOrder(state, state.orders.update(tracked, update, at.nowMs), at);
  // Its end has been reported already: this push may be an earlier one.
  if (ours && tracked.fate !== "ended") state.orders.lookUpLater(tracked, at.nowMs, 0);
}

type Reported = OrderUpdate & Pick<Order, "symbol" | "side" | "qty">;

/**
 * No push states this: in one-way mode a market order against a position that is held, or was until now, closes it. Our
 * closes and fired stops look like this; taken for openings, they would stand for a position that no list ever shows.
 */
function givesUp(state: AgentState, { symbol, side, qty, positionSide, limitPrice }: Reported): boolean {
  const { positions: legs, trades } = state;
  if (isHedged(state, symbol) || limitPrice !== null || (positionSide ?? "NONE") !== "NONE") return false;
  const key = positionKeyOf(symbol, sideClosedBy(side));
  const held = legs.get(key);
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
    expectPosition(state, tracked);
    // Of an order that is filled in part only its fills say when: a position that is held may show them already.
    const dated = order.state === "FILLED" || !state.positions.get(positionKeyOf(tracked.symbol, tracked.leg));
    if (tracked.opening && order.orderId && dated) {
      const qty = state.growths.order(order.orderId, order.executedQty);
      growPosition(
        state,
        tracked,
        { qty, price: order.avgPrice, madeMs: Math.min(nowMs, change.madeMs) },
        { nowMs, out },
      );
    }
    takeFromPosition(state, tracked, nowMs);
  }
  if (change.amendedNow) reportAmend(tracked, change.amendedNow, out);
  if (!change.endedNow) return;
  onCloseEnded(state, order, nowMs);
  recordEnd(
    tracked,
    { how: "terminal", orderId: order.orderId, state: order.state, executedQty: order.executedQty },
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
    out.log("info", evt, `${tracked.symbol}: post-only, and it would have taken`, about(tracked));
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
  at.out.log("warn", "order.resolved", `${tracked.symbol}: given up, and the venue has it`, about(tracked));
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

/** The quantity that a closing order filled leaves its position, even if the pushes of the fill and the position are lost. */
function takeFromPosition(
  state: AgentState,
  { opening, ours, symbol, leg: positionSide, order }: Tracked,
  nowMs: number,
): void {
  const key = positionKeyOf(symbol, positionSide);
  if (opening || !order.orderId) return;
  // A position that is only missing from a list may come back, unless the order that closed it is surely ours.
  if (!state.positions.get(key) && !ours && !state.ownCloses.named(order.orderId)) return;
  const taken = state.reductions.order(order.orderId, order.executedQty);
  if (taken.gt(0) && state.positions.took(key, taken, { atMs: nowMs, heardMs: nowMs }))
    state.accountAskedMs = -Infinity;
}

/**
 * What an opening order has filled is held from now on: no push and no list of the position is waited for. Of somebody else's
 * order it counts where the order names its side; in one-way mode it may have closed something.
 */
export function growPosition(
  state: AgentState,
  tracked: Tracked,
  { qty, price, madeMs }: { readonly qty: Decimal; readonly price: Decimal; readonly madeMs: number },
  at: At,
): void {
  const { symbol, leg: side, ours, order } = tracked;
  if ((!ours && order.positionSide === "NONE") || !qty.gt(0) || !price.gt(0)) return;
  const changes = state.positions.grew({ symbol, side, qty, price, madeMs }, at.nowMs);
  if (changes.length === 0) return;
  tracked.settledQty = tracked.settledQty.add(qty);
  for (const change of changes) reportPosition(state, change, at);
}

/** A fill of an opening order: the position inherits the stop and target of the draft it came from. */
export function expectPosition(state: AgentState, tracked: Tracked): void {
  if (!tracked.opening || !tracked.stopPrice) return;
  const key = positionKeyOf(tracked.symbol, tracked.leg);
  const held = state.positions.get(key);
  const standing = held?.meta.stopPrice ?? null;
  // Adding to a position never moves its stop away from safety.
  if (standing !== null && saferThan(tracked.leg, standing, tracked.stopPrice)) return;
  const promised = state.theses.get(tracked.clientOrderId);
  state.positions.expect(key, {
    decisionId: tracked.decisionId,
    strategy: promised?.strategy ?? held?.meta.strategy ?? null,
    thesis: promised?.reason ?? null,
    basis: promised?.basis ?? "none",
    stopPrice: tracked.stopPrice,
    targetPrice: tracked.targetPrice,
    openedAtMs: tracked.promisedAtMs,
    ...(promised?.trail ? { trail: promised.trail } : {}),
  });
}
