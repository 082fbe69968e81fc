/** Orders are accepted, and refused a moment later when they reach the book. Faults V2. */
import { z } from "zod";
import { fault, share, spanMs } from "./fault.ts";

/** Every order then takes `afterMs` or a little longer to the book, half of them in vain unless told. */
export const rejectLate = fault({
  name: "reject-late",
  group: "venue",
  description: "A share of the accepted orders ends REJECTED after a delay.",
  params: z.object({ afterMs: spanMs(1_500), share: share.default(0.5) }).strict(),
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
});
