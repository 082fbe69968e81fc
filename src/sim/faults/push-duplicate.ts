/** The same push twice. Faults U3. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

export const pushDuplicate = fault({
  name: "push-duplicate",
  group: "user",
  description: "Account pushes come twice.",
  params: z.object({ share }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { userPush: (push) => (entropy.chance("fault:push", params.share) ? [push, push] : [push]) },
  }),
});
