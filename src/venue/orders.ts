/** Orders over REST: place, amend, cancel, and read back. Spec: 1 §4.2; records §5. */
import { toWire } from "../core/decimal.ts";
import { mapOutcome } from "../core/outcome.ts";
import { isOpening } from "../domain/order.ts";
import type { VenuePort } from "../domain/venue-calls.ts";
import { listOf } from "../protocol/page.ts";
import { readExecution } from "../protocol/records/execution-record.ts";
import { readOrder } from "../protocol/records/order-record.ts";
import { amendOrder } from "../protocol/trading/amend-order.ts";
import { cancelAllOrders } from "../protocol/trading/cancel-all-orders.ts";
import { cancelOrder } from "../protocol/trading/cancel-order.ts";
import { executions } from "../protocol/trading/executions.ts";
import { openOrders } from "../protocol/trading/open-orders.ts";
import { orderHistory } from "../protocol/trading/order-history.ts";
import { placeOrder, placeOrderToWire } from "../protocol/trading/place-order.ts";
import { queryOrder } from "../protocol/trading/query-order.ts";
import { type VenueCall, given, msText } from "./call.ts";
import { allPages } from "./pages.ts";

type OrderCalls = Pick<
  VenuePort,
  "placeOrder" | "amendOrder" | "cancelOrder" | "cancelAll" | "order" | "openOrders" | "orderHistory" | "executions"
>;

/** `openPatienceMs`: how long an opening or an amendment may wait for its slot. Closing orders go ahead of it. */
export function orderCalls(call: VenueCall, openPatienceMs?: number): OrderCalls {
  const patience = given({ patienceMs: openPatienceMs });
  return {
    placeOrder: async (order) => {
      const hurry = isOpening(order) ? { priority: "open" as const, ...patience } : { priority: "close" as const };
      return mapOutcome(await call(placeOrder, placeOrderToWire(order), hurry), ({ orderId }) => ({ orderId }));
    },
    amendOrder: async (key, change) => {
      const changed = given({
        replacePrice: change.price && toWire(change.price),
        replaceQty: change.qty && toWire(change.qty),
      });
      const outcome = await call(amendOrder, { ...key, ...changed }, { priority: "replace", ...patience });
      return mapOutcome(outcome, (reply) => ({ state: reply.orderState }));
    },
    cancelOrder: async (key) => mapOutcome(await call(cancelOrder, key, { priority: "cancel" }), () => undefined),
    cancelAll: async ({ symbol, exchange }) => {
      const params = given({ sym: symbol, exchangeType: exchange });
      return mapOutcome(await call(cancelAllOrders, params, { priority: "cancel" }), () => undefined);
    },
    order: async (key) => mapOutcome(await call(queryOrder, key), readOrder),
    openOrders: async (symbol) =>
      mapOutcome(await allPages(call, openOrders, given({ sym: symbol })), (rows) => rows.map(readOrder)),
    orderHistory: async ({ symbol, beginMs, endMs }) => {
      const params = given({ sym: symbol, begin: msText(beginMs), end: msText(endMs) });
      return mapOutcome(await allPages(call, orderHistory, params), (rows) => rows.map(readOrder));
    },
    executions: async ({ symbol, orderId, beginMs }) => {
      const params = given({ sym: symbol, orderId, begin: msText(beginMs), limit: "1000" });
      return mapOutcome(await call(executions, params), (rows) => listOf(rows).map(readExecution));
    },
  };
}
