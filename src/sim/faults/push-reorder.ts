/** Pushes overtake each other: an older state of an order comes after a newer one. Faults U3. */
import { z } from "zod";
import type { UserPush } from "./seams.ts";
import { fault, share, spanMs } from "./fault.ts";

/** `holdMs` is how long a push waits. What is still held back at its end is sent then. */
export const pushReorder = fault({
  name: "push-reorder",
  group: "user",
  description: "A share of the account pushes is held back for a while, so that later ones overtake them.",
  params: z.object({ holdMs: spanMs(1_500), share: share.default(0.3) }).strict(),
  start: (world, params, entropy) => {
    const held = new Set<UserPush>();
    const letGo = (push: UserPush): void => {
      if (held.delete(push)) world.releaseUserPush(push);
    };
    const hold = (push: UserPush): readonly UserPush[] => {
      if (!entropy.chance("fault:push", params.share)) return [push];
      held.add(push);
      world.env.clock.after(params.holdMs, () => letGo(push));
      return [];
    };
    return { hooks: { userPush: hold }, stop: () => [...held].forEach(letGo) };
  },
});
