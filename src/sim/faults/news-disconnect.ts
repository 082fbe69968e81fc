/** Feed sockets break; the client must subscribe anew. Faults N1. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** All sockets at once, every `everyMs` or a single time. Items of the meantime are found by query alone. */
export const newsDisconnect = fault({
  name: "news-disconnect",
  group: "news",
  description: "Feed sockets are cut, once or again and again.",
  params: z.object({ everyMs: z.number().min(0).max(86_400_000).default(0).describe("0 is once") }).strict(),
  start: (world, params) => {
    world.cutNewsSockets();
    if (params.everyMs === 0) return { hooks: {} };
    return { hooks: {}, stop: world.env.clock.every(params.everyMs, () => void world.cutNewsSockets()) };
  },
});
