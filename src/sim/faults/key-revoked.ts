/** Keys die in the middle of the day. Faults R10. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** Its end gives each key its own status back. Open user sockets stay, but their actions answer 100041. */
export const keyRevoked = fault({
  name: "key-revoked",
  group: "rest",
  description: "Every API key is disabled (100018) or frozen (100041) while it lasts.",
  params: z.object({ status: z.enum(["disabled", "frozen"]).default("disabled") }).strict(),
  start: (world, { status }) => ({ hooks: {}, stop: world.barKeys(status) }),
});
