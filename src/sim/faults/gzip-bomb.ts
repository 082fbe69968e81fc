/** A frame made to exhaust the reader's memory. Faults M5. */
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { frameMatch, matches } from "./frame-match.ts";
import { fault, share } from "./fault.ts";

/** Takes the place of a frame for readers of compressed frames; one in a hundred unless told. */
export const gzipBomb = fault({
  name: "gzip-bomb",
  group: "market",
  description: "A small compressed frame that unfolds into many megabytes.",
  params: z
    .object({ megabytes: z.number().min(1).max(200).default(50), ...frameMatch, share: share.default(0.01) })
    .strict(),
  start: (_world, params, entropy) => {
    const bomb = gzipSync(Buffer.alloc(params.megabytes * 1_000_000, 0x20), { level: 9 });
    return {
      hooks: { marketFrame: (frame) => (matches(params, frame, entropy) ? [{ ...frame, bytes: bomb }] : [frame]) },
    };
  },
});
