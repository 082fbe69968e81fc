/** A cancel is accepted, and the order fills before it takes effect. Faults V3. */
import { z } from "zod";
import { dec } from "../../core/decimal.ts";
import type { FaultWorld } from "./fault.ts";
import { fault, share, spanMs } from "./fault.ts";
import type { UserPush } from "./seams.ts";

/** Makes cancels take `cancelMs`; half-way a trade eats through the order's price. */
export const cancelThenFill = fault({
  name: "cancel-then-fill",
  group: "venue",
  description: "While a cancel is pending, the market trades through the order's price.",
  params: z.object({ cancelMs: spanMs(1_000), share }).strict(),
  start: (world, params, entropy) => {
    return {
      hooks: {
        userPush: (push) => {
          const pending = push.channel === "Orders" && push.data.action === "CANCEL_PENDING";
          if (pending && entropy.chance("fault:order", params.share)) {
            world.env.clock.after(params.cancelMs / 2, () => tradeThrough(world, push));
          }
          return [push];
        },
      },
      stop: world.exchange.overrideRules({ cancelDelayMs: params.cancelMs }),
    };
  },
});

function tradeThrough({ exchange, env }: FaultWorld, push: UserPush): void {
  const { sym, side, limitPrice, orderQty } = push.data;
  const rules = exchange.symbols.find((spec) => spec.rules.symbol === sym)?.rules;
  if (!rules || typeof limitPrice !== "string" || typeof orderQty !== "string") return;
  // An order without a price of its own rests nowhere, so nothing can trade through it.
  if (limitPrice === "" || orderQty === "") return;
  const ticks = dec(limitPrice).div(rules.tickSize).round().toNumber();
  const resting = exchange.book(rules.symbol)[side === "BUY" ? "bids" : "asks"];
  // Enough to eat through everything that stands before and at the order's price.
  const ahead = resting.reduce(
    (sum, [price, lots]) => ((side === "BUY" ? price >= ticks : price <= ticks) ? sum + lots : sum),
    0,
  );
  const lots = ahead + dec(orderQty).div(rules.lotSize).round().toNumber();
  exchange.market.print(rules.symbol, side === "SELL", ticks, lots, Math.floor(env.clock.nowMs()));
}
