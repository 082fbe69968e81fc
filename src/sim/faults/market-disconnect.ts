/** Market sockets break without a farewell. Faults M1, M4. */
import { z } from "zod";
import { fault, share } from "./fault.ts";

/** `share` is each socket's chance to be cut, each time. Clients may come back at once. */
export const marketDisconnect = fault({
  name: "market-disconnect",
  group: "market",
  description: "Market sockets are cut, once or again and again.",
  params: z.object({ everyMs: z.number().min(0).max(86_400_000).default(0).describe("0 is once"), share }).strict(),
  start: (world, params, entropy) => {
    const cut = () => void world.cutMarketSockets(() => entropy.chance("fault:cut", params.share));
    cut();
    if (params.everyMs === 0) return { hooks: {} };
    return { hooks: {}, stop: world.env.clock.every(params.everyMs, cut) };
  },
});
