/** Part of a subscription is refused though nothing is wrong with it. Faults M6. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** New subscriptions only; what is followed already goes on. `code` is 11250 unless told. */
export const subscriptionRefused = fault({
  name: "subscription-refused",
  group: "market",
  description: "Subscriptions to a channel or symbol are refused with a code.",
  params: z
    .object({
      channel: z.string().default("*"),
      symbol: z.string().default("*"),
      code: z.number().int().default(11250),
    })
    .strict(),
  start: (_world, { channel, symbol, code }) => ({
    hooks: {
      refuseSubscription: (askedChannel, askedSymbol) =>
        (channel === "*" || channel === askedChannel) && (symbol === "*" || symbol === askedSymbol)
          ? { code, msg: `${askedSymbol} is not available at the moment` }
          : null,
    },
  }),
});
