/** A frame larger than any reader should take. Faults M5. */
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault, share } from "./fault.ts";

/** Takes the place of a frame, one in a hundred unless told; `megabytes` of plain text in both forms. */
export const oversizeFrame = fault({
  name: "oversize-frame",
  group: "market",
  description: "A frame of many megabytes of text, also where frames are compressed.",
  params: z
    .object({ megabytes: z.number().min(1).max(64).default(8), ...frameMatch, share: share.default(0.01) })
    .strict(),
  start: (_world, params, entropy) => {
    const filler = "x".repeat(params.megabytes * 1_000_000);
    return {
      hooks: {
        marketFrame: (frame) =>
          matches(params, frame, entropy) ? [{ ...frame, data: { filler }, bytes: Buffer.from(filler) }] : [frame],
      },
    };
  },
});
