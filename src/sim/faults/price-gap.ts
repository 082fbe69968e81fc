/** A gap through a stop, or a crash with its rebound. Faults V5. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { namedSymbol } from "./named-symbol.ts";

/** `move` is a fraction of the price; the rebound takes it back whole. Recorded markets do not bend. */
export const priceGap = fault({
  name: "price-gap",
  group: "venue",
  description: "A price moves by a fraction at once or over a span, and may come back.",
  params: z
    .object({
      symbol: z.string().default("*").describe('symbol, a base such as BTC, or "*" for all'),
      move: z.number().gt(-0.95).lt(10).default(-0.2),
      overMs: z.number().min(0).max(86_400_000).default(250),
      reboundAfterMs: z.number().min(0).max(86_400_000).optional(),
      reboundOverMs: z.number().min(0).max(86_400_000).default(60_000),
    })
    .strict(),
  start: (world, { symbol: name, move, overMs, reboundAfterMs, reboundOverMs }) => {
    const symbol = namedSymbol(world, name);
    world.pushPrice(symbol, move, overMs);
    if (reboundAfterMs === undefined) return { hooks: {} };
    const back = 1 / (1 + move) - 1;
    const stop = world.env.clock.after(reboundAfterMs, () => void world.pushPrice(symbol, back, reboundOverMs));
    return { hooks: {}, stop };
  },
});
