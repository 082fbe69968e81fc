/** A broken compressed frame. Readers of plain frames see nothing of it. Faults M5. */
import { gzipSync } from "node:zlib";
import { z } from "zod";
import type { MarketFrame } from "./hooks.ts";
import { frameMatch, matches } from "./frame-match.ts";
import { fault } from "./fault.ts";

/** `flip` turns eight bytes in the middle over, `cut` sends the first half. */
export const corruptGzip = fault({
  name: "corrupt-gzip",
  group: "market",
  description: "Compressed frames are damaged in the middle, or cut off.",
  params: z.object({ kind: z.enum(["flip", "cut"]).default("flip"), ...frameMatch }).strict(),
  start: (_world, params, entropy) => {
    return {
      hooks: {
        marketFrame: (frame) =>
          matches(params, frame, entropy) ? [{ ...frame, bytes: damaged(frame, params.kind) }] : [frame],
      },
    };
  },
});

function damaged(frame: MarketFrame, kind: "flip" | "cut"): Buffer {
  const bytes = gzipSync(JSON.stringify(frame.data));
  const middle = Math.floor(bytes.length / 2);
  if (kind === "cut") return bytes.subarray(0, middle);
  for (let at = middle; at < Math.min(bytes.length, middle + 8); at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}
