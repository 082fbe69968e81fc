/** Two pushes of one topic change places. Faults M4. */
import { z } from "zod";
import { BoundedMap } from "../../core/bounded.ts";
import { fault, share } from "./fault.ts";
import { frameMatch, matches } from "./frame-match.ts";
import type { MarketFrame } from "./hooks.ts";

/** Three in ten unless told. What is still held back at its end is sent then. */
export const marketReorder = fault({
  name: "market-reorder",
  group: "market",
  description: "A push is held back and comes after the next one of its topic.",
  params: z.object({ ...frameMatch, share: share.default(0.3) }).strict(),
  start: (world, params, entropy) => {
    const held = new BoundedMap<string, MarketFrame>(10_000);
    const through = (frame: MarketFrame): readonly MarketFrame[] => {
      const topic = `${frame.channel}|${frame.symbol}|${frame.interval ?? ""}`;
      const before = held.get(topic);
      if (before) {
        held.delete(topic);
        return [frame, before];
      }
      if (!matches(params, frame, entropy)) return [frame];
      held.set(topic, frame);
      return [];
    };
    return {
      hooks: { marketFrame: through },
      stop: () => {
        for (const frame of held.values()) world.releaseMarketFrame(frame);
      },
    };
  },
});
