/** User sockets break without a farewell. Faults U1. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** All sockets at once, every `everyMs` or a single time. Clients may come back at once. */
export const userDisconnect = fault({
  name: "user-disconnect",
  group: "user",
  description: "User sockets are cut, once or again and again; what happens meanwhile is not replayed.",
  params: z.object({ everyMs: z.number().min(0).max(86_400_000).default(0).describe("0 is once") }).strict(),
  start: (world, params) => {
    world.cutUserSockets();
    if (params.everyMs === 0) return { hooks: {} };
    return { hooks: {}, stop: world.env.clock.every(params.everyMs, () => void world.cutUserSockets()) };
  },
});
