/** Orders over REST: place, amend, cancel, and read back. Spec: 1 §4.2; records §5. */
import { type Decimal, toWire } from "../core/decimal.ts";
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import { type Execution, isOpening, type Order, type PlaceOrder } from "../domain/order.ts";
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
import type { Call } from "./call.ts";
import { allPages } from "./pages.ts";
import { given, msText } from "./params.ts";

/** Either id names an order; the client's own is known even when the reply to placing it was lost. */
export type OrderKey = { readonly orderId: string } | { readonly clientOrderId: string };

/** Lists are read over ten pages at most; that an order is on none proves nothing (faults R9). */
export interface OrderCalls {
  /** Accepted for processing, nothing more. "unknown" may have happened: ask by clientOrderId. */
  placeOrder(order: PlaceOrder): Promise<Outcome<{ orderId: string }>>;
  /** The state CANCELLED or REJECTED in a "done" means that the amend failed and the original order is gone. */
  amendOrder(key: OrderKey, change: { price?: Decimal; qty?: Decimal }): Promise<Outcome<{ state: string }>>;
  /** Accepted, not over: a fill may still win. */
  cancelOrder(key: OrderKey): Promise<Outcome<void>>;
  /** Plain orders only; without a filter the whole portfolio's. */
  cancelAll(filter: { symbol?: string; exchange?: string }): Promise<Outcome<void>>;
  order(key: OrderKey): Promise<Outcome<Order>>;
  openOrders(symbol?: string): Promise<Outcome<readonly Order[]>>;
  orderHistory(filter: { symbol?: string; beginMs?: number; endMs?: number }): Promise<Outcome<readonly Order[]>>;
  /** The newest 1000 at most; a `beginMs` older than about 7 days is rejected with 400001. */
  executions(filter: { symbol?: string; orderId?: string; beginMs?: number }): Promise<Outcome<readonly Execution[]>>;
}

/** `openPatienceMs`: how long an opening, or a change of an order, may wait for its turn. Closing ones go ahead of it. */
export function orderCalls(call: Call, openPatienceMs?: number): OrderCalls {
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
