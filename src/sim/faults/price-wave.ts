/** A price that goes up and down by the same fraction, over and over: every turn looks like the beginning of a trend. */
import { z } from "zod";
import { fault } from "./fault.ts";
import { namedSymbol } from "./named-symbol.ts";

/** `halfMs` is one way up or down. Its end stops the next turn, not the one on its way. Generated markets only. */
export const priceWave = fault({
  name: "price-wave",
  group: "venue",
  description: "A price rises by a fraction and falls back, over and over, each way taking the same time.",
  params: z
    .object({
      symbol: z.string().default("*").describe('symbol, a base such as BTC, or "*" for all'),
      swing: z.number().gt(0).lt(0.5).default(0.0003).describe("fraction from trough to crest"),
      halfMs: z.number().min(500).max(86_400_000).default(30_000).describe("milliseconds of one way"),
    })
    .strict(),
  start: (world, { symbol: name, swing, halfMs }) => {
    const symbol = namedSymbol(world, name);
    let rising = false;
    const turn = (): void => {
      rising = !rising;
      world.pushPrice(symbol, rising ? swing : 1 / (1 + swing) - 1, halfMs);
    };
    turn();
    return { hooks: {}, stop: world.env.clock.every(halfMs, turn) };
  },
});
