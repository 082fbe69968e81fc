/** Order entry over the user stream whose answer is lost. Faults R1, R2. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** `applied` true loses the answer alone, false the action as well; `share` is drawn anew for each action. */
export const actionLost = fault({
  name: "action-lost",
  group: "user",
  description: "Actions on the user stream get no answer, before or after they took effect.",
  params: z.object({ applied: z.boolean().default(true), share }).strict(),
  start: (_world, params, entropy) => ({
    hooks: {
      userAction: () =>
        entropy.chance("fault:action", params.share)
          ? params.applied
            ? "drop-after-apply"
            : "drop-before-apply"
          : null,
    },
  }),
});
