/** The same push twice. Faults U3. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** Every push unless told; the copy follows at once and is the same. */
export const pushDuplicate = fault({
  name: "push-duplicate",
  group: "user",
  description: "Account pushes come twice.",
  params: z.object({ share }).strict(),
  start: (_world, params, entropy) => ({
    hooks: { userPush: (push) => (entropy.chance("fault:push", params.share) ? [push, push] : [push]) },
  }),
});
