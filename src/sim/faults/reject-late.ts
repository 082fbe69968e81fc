/** Orders are accepted, and refused a moment later when they reach the book. Faults V2. */
import { z } from "zod";
import type { UserPush } from "./seams.ts";
import { fault, share, spanMs } from "./fault.ts";

/** Every order then takes `afterMs` to the book, half of them in vain unless told. */
export const rejectLate = fault({
  name: "reject-late",
  group: "venue",
  description: "A share of the accepted orders ends REJECTED after a delay.",
  params: z.object({ afterMs: spanMs(1_500), share: share.default(0.5) }).strict(),
  start: (world, params, entropy) => {
    const { exchange, env } = world;
    // The book refuses what arrives while the symbol is not live, so it is closed for the instant of the arrival.
    const doom = ({ data }: UserPush): void => {
      const symbol = data.sym;
      // Another fault may have left the push with little more than its order id.
      if (typeof symbol !== "string") return;
      env.clock.after(Math.max(0, params.afterMs - 1), () => {
        const reopen = exchange.haltSymbol(symbol);
        exchange.advance(Math.floor(env.clock.nowMs()) + 2);
        reopen();
      });
    };
    return {
      hooks: {
        userPush: (push) => {
          const isNew = push.channel === "Orders" && push.data.orderState === "NEW";
          if (isNew && entropy.chance("fault:order", params.share)) doom(push);
          return [push];
        },
      },
      stop: exchange.overrideRules({ placeDelayMs: params.afterMs }),
    };
  },
});
