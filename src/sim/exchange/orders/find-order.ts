/** Finds the order that a request names. Spec: 1 §2.3; records §5.4. */
import { ok } from "../../../core/result.ts";
import type { VenueResult } from "../contract/api.ts";
import { numberOf } from "../state/ids.ts";
import { badField, isAbsent } from "./read-request.ts";
import { refuse } from "../contract/refuse.ts";
import type { RequestOf } from "../contract/requests.ts";
import type { Order, Portfolio, World } from "../state/state.ts";

/** The newest order with a client order id. An order sent without one has its order id as client order id. */
export function byClientId(world: World, portfolio: Portfolio, clientOrderId: string): Order | undefined {
  const chosen = portfolio.byClientId.get(clientOrderId);
  if (chosen !== undefined) return world.orders.get(chosen);
  const order = world.orders.get(numberOf(clientOrderId));
  const mine = order?.clientOrderId === clientOrderId && order.exposure.wallet.portfolio === portfolio;
  return mine ? order : undefined;
}

/**
 * The order that a request names; orderId takes precedence over clientOrderId. 400001 without either, 401018 if
 * unknown.
 */
export function findOrder(world: World, portfolio: Portfolio, key: RequestOf<"cancelOrder">): VenueResult<Order> {
  if (isAbsent(key.orderId) && isAbsent(key.clientOrderId)) {
    return badField("orderId", key.orderId, "given, or else clientOrderId");
  }
  const order = isAbsent(key.orderId)
    ? byClientId(world, portfolio, key.clientOrderId ?? "")
    : world.orders.get(numberOf(key.orderId));
  return order?.exposure.wallet.portfolio === portfolio ? ok(order) : refuse(401018);
}

/** The orders of a portfolio, the newest first, back to those created at `fromMs`. */
export function ordersOf(world: World, { orders }: Portfolio, fromMs: number): Order[] {
  const found: Order[] = [];
  for (let i = orders.length - 1; i >= 0; i--) {
    const order = world.orders.get(orders[i] ?? 0);
    if (order === undefined) continue;
    if (order.createdAtMs < fromMs) break;
    found.push(order);
  }
  return found;
}
