/** Frames lost on their way. Faults M4. */
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault, share } from "./fault.ts";

/** Three in ten unless told. A lost book delta shows in the numbers of the next one. */
export const marketDrop = fault({
  name: "market-drop",
  group: "market",
  description: "A share of the pushes is lost.",
  params: z.object({ ...frameMatch, share: share.default(0.3) }).strict(),
  start: (_world, params, entropy) => {
    return {
      hooks: { marketFrame: (frame) => (matches(params, frame, entropy) ? [] : [frame]) },
    };
  },
});
