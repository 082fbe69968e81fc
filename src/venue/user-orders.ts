/** Order entry over the user stream with domain types. Spec: 1 §4.8; records §11.2. */
import { type Decimal, toWire } from "../core/decimal.ts";
import { mapOutcome, type Outcome } from "../core/outcome.ts";
import { isOpening, type PlaceOrder } from "../domain/order.ts";
import { placeOrderToWire } from "../protocol/trading/place-order.ts";
import type { OrderKey } from "../domain/venue-calls.ts";
import { given } from "./call.ts";
import type { UserActions } from "./user-actions.ts";

/** As over REST, at the stream's own rates. "not-sent" while not logged in. */
export interface UserOrderCalls {
  placeOrder(order: PlaceOrder): Promise<Outcome<{ orderId: string }>>;
  /** State CANCELLED or REJECTED in a "done" means that the amendment failed and the original order is gone. */
  replaceOrder(key: OrderKey, change: { price?: Decimal; qty?: Decimal }): Promise<Outcome<{ state: string }>>;
  cancelOrder(key: OrderKey): Promise<Outcome<void>>;
  /** Cancels every open order that matches; without a filter, of the whole portfolio. */
  cancelOrders(filter: { symbol?: string; exchange?: string }): Promise<Outcome<void>>;
}

/** Openings wait for their slot as "open", reducing orders as "close". `openPatienceMs` as over REST. */
export function userOrderCalls(actions: Pick<UserActions, "act">, openPatienceMs?: number): UserOrderCalls {
  return {
    placeOrder: async (order) => {
      const args = placeOrderToWire(order);
      const outcome = isOpening(order)
        ? await actions.act("place_order", args, "open", openPatienceMs)
        : await actions.act("place_order", args, "close");
      return mapOutcome(outcome, ({ orderId }) => ({ orderId }));
    },
    replaceOrder: async (key, change) => {
      const replacePrice = change.price && toWire(change.price);
      const replaceQty = change.qty && toWire(change.qty);
      const args = { ...key, ...given({ replacePrice, replaceQty }) };
      const outcome = await actions.act("replace_order", args, "replace", openPatienceMs);
      return mapOutcome(outcome, (reply) => ({ state: reply.orderState }));
    },
    cancelOrder: async (key) => mapOutcome(await actions.act("cancel_order", key, "cancel"), () => undefined),
    cancelOrders: async ({ symbol, exchange }) => {
      const args = given({ sym: symbol, exchangeType: exchange });
      return mapOutcome(await actions.act("cancel_orders", args, "cancel"), () => undefined);
    },
  };
}
