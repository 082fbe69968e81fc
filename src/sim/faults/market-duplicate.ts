/** Frames delivered twice. Faults M4. */
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault } from "./fault.ts";

/** The copy follows at once, with the same number and time. */
export const marketDuplicate = fault({
  name: "market-duplicate",
  group: "market",
  description: "Pushes come twice.",
  params: z.object({ ...frameMatch }).strict(),
  start: (_world, params, entropy) => {
    return {
      hooks: { marketFrame: (frame) => (matches(params, frame, entropy) ? [frame, frame] : [frame]) },
    };
  },
});
