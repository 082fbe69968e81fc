/**
 * Faults in the life of an order at the venue: refused late, filled while its cancel is pending, not found, duplicated.
 * Faults V1 to V3, V11.
 */
import { z } from "zod";
import { BoundedMap } from "../../core/bounded.ts";
import { dec } from "../../core/decimal.ts";
import { errorEnvelope } from "../../protocol/envelope.ts";
import { jsonReply } from "../wire/http-io.ts";
import { type AnyFault, fault, type FaultWorld, share, shareOf, spanMs } from "./fault.ts";
import type { RestCall, RestPlan, UserPush } from "./hooks.ts";

const ORDER = "/api/v1/trading/order";

/** Prints a trade that fills everything up to and at the price of the pushed order. */
function tradeThrough({ exchange, env }: FaultWorld, push: UserPush): void {
  const { sym, side, limitPrice, orderQty } = push.data;
  const rules = exchange.symbols.find((spec) => spec.rules.symbol === sym)?.rules;
  if (!rules || typeof limitPrice !== "string" || typeof orderQty !== "string") return;
  // An order without a price does not rest, so nothing can trade through it.
  if (limitPrice === "" || orderQty === "") return;
  const ticks = dec(limitPrice).div(rules.tickSize).round().toNumber();
  const resting = exchange.book(rules.symbol)[side === "BUY" ? "bids" : "asks"];
  const ahead = resting.reduce(
    (sum, [price, lots]) => ((side === "BUY" ? price >= ticks : price <= ticks) ? sum + lots : sum),
    0,
  );
  const lots = ahead + dec(orderQty).div(rules.lotSize).round().toNumber();
  exchange.market.print(rules.symbol, side === "SELL", ticks, lots, Math.floor(env.clock.nowMs()));
}

export const ORDER_FAULTS: readonly AnyFault[] = [
  // Every order takes at least `afterMs` to the book.
  fault({
    name: "reject-late",
    group: "venue",
    description: "A share of the accepted orders becomes REJECTED after a delay.",
    params: { afterMs: spanMs(1_500), share: shareOf(0.5) },
    start: ({ exchange }, params, entropy) => ({
      hooks: {
        userPush: (push) => {
          const { orderState, orderId } = push.data;
          const isNew = push.channel === "Orders" && orderState === "NEW";
          if (isNew && entropy.chance("fault:order", params.share)) exchange.rejectOnArrival(String(orderId));
          return [push];
        },
      },
      stop: exchange.overrideRules({ placeDelayMs: params.afterMs }),
    }),
  }),
  // Cancels take `cancelMs`; half-way a trade passes through the order's price.
  fault({
    name: "cancel-then-fill",
    group: "venue",
    description: "While a cancel is pending, the market trades through the order's price.",
    params: { cancelMs: spanMs(1_000), share },
    start: (world, params, entropy) => ({
      hooks: {
        userPush: (push) => {
          const pending = push.channel === "Orders" && push.data.action === "CANCEL_PENDING";
          if (pending && entropy.chance("fault:order", params.share))
            world.env.clock.after(params.cancelMs / 2, () => tradeThrough(world, push));
          return [push];
        },
      },
      stop: world.exchange.overrideRules({ cancelDelayMs: params.cancelMs }),
    }),
  }),
  // Only the query of a single order by its client order id is affected; lists and pushes show the order.
  fault({
    name: "ghost-fill",
    group: "venue",
    description: "Placed orders take effect, their answers are lost, and the order query answers 401018 for a while.",
    params: { answerLostAfterMs: spanMs(0), deniedMs: spanMs(10_000), share },
    start: (world, params, entropy) => {
      const { clock } = world.env;
      const deniedUntil = new BoundedMap<string, number>(10_000);
      const notFound = jsonReply(200, errorEnvelope(401018, "Order not found"));
      const place = (call: RestCall): RestPlan | null => {
        if (!entropy.chance("fault:order", params.share)) return null;
        const id = call.params.clientOrderId;
        if (typeof id === "string") deniedUntil.set(id, clock.monotonicMs() + params.deniedMs);
        return { dropAfterApply: true, delayAfterMs: params.answerLostAfterMs };
      };
      const query = (call: RestCall): RestPlan | null => {
        const until = deniedUntil.get(String(call.params.clientOrderId));
        return until !== undefined && clock.monotonicMs() < until ? { answerInstead: notFound } : null;
      };
      return {
        hooks: {
          rest: (call) => {
            if (call.path !== ORDER) return null;
            return call.method === "POST" ? place(call) : call.method === "GET" ? query(call) : null;
          },
          restReach: ({ method, path }) =>
            path === ORDER && (method === "GET" || (method === "POST" && params.answerLostAfterMs > 0)) ? "some" : null,
        },
      };
    },
  }),
  // Only for plain orders.
  fault({
    name: "duplicate-policy",
    group: "venue",
    description: "A repeated clientOrderId is refused always, refused for a while, refused while open, or accepted.",
    params: { policy: z.enum(["refuse-always", "refuse-recent", "refuse-while-open", "accept"]).default("accept") },
    start: ({ exchange }, { policy }) => ({ hooks: {}, stop: exchange.overrideRules({ duplicatePolicy: policy }) }),
  }),
];
