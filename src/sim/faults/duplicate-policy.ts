/** What the venue makes of a clientOrderId that was used before. Faults V1. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** For plain orders alone. */
export const duplicatePolicy = fault({
  name: "duplicate-policy",
  group: "venue",
  description: "A repeated clientOrderId is refused always, refused for a while, refused while open, or accepted.",
  params: z
    .object({ policy: z.enum(["refuse-always", "refuse-recent", "refuse-while-open", "accept"]).default("accept") })
    .strict(),
  start: ({ exchange }, { policy }) => ({ hooks: {}, stop: exchange.overrideRules({ duplicatePolicy: policy }) }),
});
