/** Frames keep coming but always tell the same old thing, with its old time. Faults M3. */
import { z } from "zod";
import { BoundedMap } from "../../core/bounded.ts";
import { fault } from "./fault.ts";
import { frameMatch, matches } from "./frame-match.ts";
import type { MarketFrame } from "./hooks.ts";

/** Each topic repeats its first frame after the beginning, until the fault ends. Book deltas are repeated too. */
export const freeze = fault({
  name: "freeze",
  group: "market",
  description: "Pushes keep coming and repeat what was true when the fault began, old times included.",
  params: z.object({ ...frameMatch }).strict(),
  start: (_world, params, entropy) => {
    const first = new BoundedMap<string, MarketFrame>(10_000);
    const frozen = (frame: MarketFrame): MarketFrame => {
      const topic = `${frame.channel}|${frame.symbol}|${frame.interval ?? ""}`;
      const known = first.get(topic);
      if (known) return known;
      first.set(topic, frame);
      return frame;
    };
    return { hooks: { marketFrame: (frame) => [matches(params, frame, entropy) ? frozen(frame) : frame] } };
  },
});
