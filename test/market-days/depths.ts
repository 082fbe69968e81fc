/** The made books of market days. */
import type { Depth } from "../../src/lab/fast/carried.ts";

/** In the thin one, a market order for the largest position that any limit allows walks 0.1 % of price. */
export const DEPTHS: Readonly<Record<"deep" | "thin", Depth>> = {
  deep: {
    halfSpread: 0.0001,
    levels: [
      [0, 3_000],
      [0.0002, 10_000],
      [0.0008, 100_000],
    ],
  },
  thin: {
    halfSpread: 0.0003,
    levels: [
      [0, 150],
      [0.0004, 400],
      [0.0009, 1_000],
      [0.0014, 50_000],
    ],
  },
};
