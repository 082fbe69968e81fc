/** Amending and cancelling plain orders; both take effect later, as steps. Spec: 1 §3.1; records §5.2 to §5.4. */
import { Decimal, ZERO } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import { isTerminal } from "../../../domain/order.ts";
import type { VenueResult, WireRecord } from "../contract/api.ts";
import { dueAfter, isDueNow, planStep } from "../state/steps.ts";
import { openOrdersOf } from "../positions/exposure.ts";
import { valueOf } from "../state/figures.ts";
import { leverageIn } from "../positions/margin.ts";
import { findOrder } from "./find-order.ts";
import * as check from "./order-checks.ts";
import { cancelNow } from "../matching/order-life.ts";
import { pushOrder } from "../records/push.ts";
import { badField, isAbsent, readInstrument, readPositive } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Order, Portfolio, World } from "../state/state.ts";

/**
 * Accepts a cancel; the order stays open, marked CANCEL_PENDING, until the step is done. A repeated cancel has no
 * further effect.
 */
export function acceptCancel(world: World, order: Order): void {
  if (order.action === "CANCEL_PENDING") return;
  order.action = "CANCEL_PENDING";
  order.updatedAtMs = world.nowMs;
  pushOrder(world, order);
  const dueMs = dueAfter(world, world.settings.cancelDelayMs);
  if (isDueNow(world, dueMs)) carryOutCancel(world, order);
  else planStep(world.steps, dueMs, { kind: "cancel", ref: order.ref });
}

/** The reply reports the state at acceptance. 401117 for anything that has ended. */
export function cancelOrder(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"cancelOrder">,
): VenueResult<WireRecord> {
  const found = findOrder(world, portfolio, request);
  if (!found.ok) return found;
  const order = found.value;
  const { orderId, clientOrderId, state } = order;
  if (isTerminal(state)) return refuse(401117);
  acceptCancel(world, order);
  return ok({ orderId, clientOrderId, orderState: state, action: "CANCEL_PENDING", actionMsg: "" });
}

/** The step after an accepted cancel. A fill may have come first. */
export const carryOutCancel = (world: World, order: Order): void => cancelNow(world, order, "USER", "");

/** Every open order that matches the filter; nothing to cancel is success. */
export function cancelAllOrders(
  world: World,
  portfolio: Portfolio,
  request: RequestOf<"cancelAllOrders">,
): VenueResult<null> {
  if (!isAbsent(request.sym)) {
    const instrument = readInstrument(world, request.sym);
    if (!instrument.ok) return instrument;
  }
  for (const wallet of portfolio.wallets.values()) {
    if (!isAbsent(request.exchangeType) && request.exchangeType !== wallet.exchange) continue;
    for (const order of openOrdersOf(wallet)) {
      const fits = isAbsent(request.sym) || request.sym === order.exposure.instrument.symbol;
      if (fits) acceptCancel(world, order);
    }
  }
  return ok(null);
}

function readTarget(order: Order, request: RequestOf<"amendOrder">): VenueResult<{ ticks: number; lots: number }> {
  const { instrument } = order.exposure;
  if (isAbsent(request.replacePrice) && isAbsent(request.replaceQty)) {
    return badField("replacePrice", request.replacePrice, "given, or else replaceQty");
  }
  let ticks = order.ticks ?? 0;
  let { lots } = order;
  if (!isAbsent(request.replacePrice)) {
    const price = readPositive("replacePrice", request.replacePrice);
    if (!price.ok) return price;
    const checked = check.checkPrice(instrument, price.value);
    if (!checked.ok) return checked;
    ticks = checked.value;
  }
  if (!isAbsent(request.replaceQty)) {
    const qty = readPositive("replaceQty", request.replaceQty);
    if (!qty.ok) return qty;
    const checked = check.checkQty(instrument, qty.value);
    if (!checked.ok) return checked;
    lots = checked.value;
  }
  if (lots <= order.filledLots) return badField("replaceQty", request.replaceQty, "more than what is executed");
  return ok({ ticks, lots });
}

/** The amended order must pass the checks of a new one; its own margin counts as free. */
function checkTarget(world: World, order: Order, to: { ticks: number; lots: number }): VenueResult<null> {
  const { exposure } = order;
  const { instrument } = exposure;
  const left = to.lots - order.filledLots;
  const wanted: check.ParsedOrder = { ...order, ...to, lots: left, countedTicks: to.ticks };
  const notional = order.reduceOnly ? ok(null) : check.checkNotional(instrument, to.lots * to.ticks);
  if (!notional.ok) return notional;
  const bounds = check.checkBounds(world, instrument, to);
  if (!bounds.ok) return bounds;
  const reducing = check.checkReducing(exposure, wanted);
  if (!reducing.ok) return reducing;
  const leftNow = order.lots - order.filledLots;
  // A spot sale locks the coin; only the additional quantity must be free.
  if (instrument.spot && order.side === "SELL") {
    return left <= leftNow ? ok(null) : check.checkSpotFunds(world, exposure, { ...wanted, lots: left - leftNow });
  }
  const opensNow = check.opensLots(exposure, { ...wanted, lots: leftNow }, order);
  const opens = check.opensLots(exposure, wanted, order);
  const before = valueOf(instrument, opensNow * order.countedTicks);
  const after = valueOf(instrument, opens * to.ticks);
  if (after.lte(before)) return ok(null);
  const freed = before.isZero() ? ZERO : before.div(leverageIn(exposure));
  return check.checkMargin(world, exposure, opens * to.ticks, Decimal.max(0, freed));
}

/** 401018 unknown, 401117 completed, 401058 ended otherwise, 400001 for an order that cannot be amended. */
export function amendOrder(world: World, portfolio: Portfolio, request: RequestOf<"amendOrder">): VenueResult<Order> {
  const found = findOrder(world, portfolio, request);
  if (!found.ok) return found;
  const order = found.value;
  if (isTerminal(order.state)) return refuse(order.state === "FILLED" ? 401117 : 401058);
  if (order.type !== "LIMIT" || order.state === "NEW")
    return refuse(400001, "only LIMIT orders in the book can be amended");
  if (order.action === "CANCEL_PENDING") return refuse(401058, "its cancel is pending");
  // Otherwise fields that a second amendment omits would be taken from the order as it was before the first.
  if (order.action === "AMEND_PENDING") return refuse(400001, "an earlier amendment is pending");
  if (order.exposure.instrument.state !== "live")
    return refuse(401011, `${order.exposure.instrument.symbol} is halted`);
  const target = readTarget(order, request);
  if (!target.ok) return target;
  const passed = checkTarget(world, order, target.value);
  if (!passed.ok) return passed;
  order.action = "AMEND_PENDING";
  order.updatedAtMs = world.nowMs;
  pushOrder(world, order);
  const step = { kind: "amend", ref: order.ref, ...target.value } as const;
  planStep(world.steps, dueAfter(world, world.settings.amendDelayMs), step);
  return found;
}
