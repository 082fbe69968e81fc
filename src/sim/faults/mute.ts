/** One channel or symbol falls silent on a living socket. Faults M2. */
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault } from "./fault.ts";

/** Nothing is made up for at its end; pongs and acknowledgements come as ever. */
export const mute = fault({
  name: "mute",
  group: "market",
  description: "Pushes of a channel or symbol do not come; the others flow on.",
  params: z.object({ ...frameMatch }).strict(),
  start: (_world, params, entropy) => {
    return {
      hooks: { marketFrame: (frame) => (matches(params, frame, entropy) ? [] : [frame]) },
    };
  },
});
