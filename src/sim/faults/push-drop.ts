/** Frames lost on a living user socket. Faults U4. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** Half of the pushes unless told; `channel` is one of the user stream or "*". */
export const pushDrop = fault({
  name: "push-drop",
  group: "user",
  description: "A share of the account pushes is lost; pongs go on.",
  params: z.object({ channel: z.string().default("*"), share: share.default(0.5) }).strict(),
  start: (_world, params, entropy) => ({
    hooks: {
      userPush: (push) =>
        (params.channel === "*" || params.channel === push.channel) && entropy.chance("fault:push", params.share)
          ? []
          : [push],
    },
  }),
});
