/** A new word where a state was expected, or a record of only the five promised fields. Faults U6. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** `word` replaces the state of three in ten. With `bare` the state stays and all but five fields go. */
export const unknownState = fault({
  name: "unknown-state",
  group: "user",
  description:
    "Orders pushes carry a state word that no document knows, or, where bare, their own state and no more than the " +
    "promised fields.",
  params: z
    .object({
      word: z.string().default("PENDING_REVIEW"),
      share: share.default(0.3),
      bare: z.boolean().default(false).describe("only the five fields that document 1 promises, the state as it is"),
    })
    .strict(),
  start: (_world, params, entropy) => ({
    hooks: {
      userPush: (push) => {
        if (push.channel !== "Orders" || !entropy.chance("fault:push", params.share)) return [push];
        const { orderId, clientOrderId, orderState, executedQty, executedAvgPrice } = push.data;
        if (params.bare)
          return [{ ...push, data: { orderId, clientOrderId, orderState, executedQty, executedAvgPrice } }];
        return [{ ...push, data: { ...push.data, orderState: params.word } }];
      },
    },
  }),
});
