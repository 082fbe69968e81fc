/** A storm of frames that a slow reader cannot take in. Faults M8. */
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault } from "./fault.ts";

/** `copies` is how often each frame is sent in all, 100 unless told. */
export const marketBurst = fault({
  name: "market-burst",
  group: "market",
  description: "Every push is followed by copies of itself: many times the usual load.",
  params: z.object({ copies: z.number().int().min(1).max(1_000).default(100), ...frameMatch }).strict(),
  start: (_world, params, entropy) => {
    return {
      hooks: {
        marketFrame: (frame) =>
          matches(params, frame, entropy) ? Array.from({ length: params.copies }, () => frame) : [frame],
      },
    };
  },
});
