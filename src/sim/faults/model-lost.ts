/** A time-out after billing. Faults L1, L6. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** `lost` cuts the connection, `stalled` sends half the body and then nothing. The charge log has the call. */
export const modelLost = fault({
  name: "model-lost",
  group: "model",
  description: "The model has answered and been paid, and the answer is lost or stalls.",
  params: z.object({ how: z.enum(["lost", "stalled"]).default("lost"), share }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { modelReply: (reply) => (entropy.chance("fault:model", params.share) ? params.how : reply) },
  }),
});
