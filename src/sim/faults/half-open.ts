/** A connection that one side has lost and the other does not know of. Faults M1. */
import { z } from "zod";
import { fault } from "./fault.ts";

/** Sockets made deaf stay so after its end: only a new connection hears again. */
export const halfOpen = fault({
  name: "half-open",
  group: "market",
  description: "Market sockets stay open and nothing passes any more, neither pushes nor pongs.",
  params: z
    .object({
      existing: z.boolean().default(true).describe("also the sockets that are open now"),
      fresh: z.boolean().default(false).describe("also sockets that open while it lasts"),
    })
    .strict(),
  start: (world, params) => {
    if (params.existing) world.deafenMarketSockets();
    return { hooks: params.fresh ? { deafMarketSocket: () => true } : {} };
  },
});
