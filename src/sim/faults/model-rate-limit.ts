/** The gateway asks to slow down. Faults L7. */
import { z } from "zod";
import { modelSwitch } from "./model-switch.ts";
import { fault } from "./fault.ts";

/** 429 `rate_limit_error` with a retry-after of 20 seconds; uncharged. */
export const modelRateLimit = fault({
  name: "model-rate-limit",
  group: "model",
  description: "Every completion is answered 429 with a wish for patience.",
  params: z.object({}).strict(),
  start: (world) => modelSwitch(world, { rateLimit: true }),
});
