/** Settings that the rules have in common, with units, bounds and defaults. */
import { z } from "zod";

/** To be spread into the settings of each rule. */
export const RULE_FIELDS = {
  maxPositions: z.number().int().min(1).max(20).default(3).describe("Positions at once, resting openings included."),
  maxSameDirection: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe("Positions at once on one side, resting openings included: coins move together."),
  allowShort: z.boolean().default(true).describe("The short side may be taken."),
  stopVolatilities: z
    .number()
    .min(0.5)
    .max(10)
    .default(2)
    .describe("Stop distance in standard deviations over the time a position is meant to last."),
  minStop: z.number().min(0.001).max(0.1).default(0.005).describe("Nearest stop, fraction of price."),
  maxStop: z
    .number()
    .min(0.002)
    .max(0.2)
    .default(0.05)
    .describe("Widest stop, fraction of price; what would need more is not opened."),
  fullSizeVolatility: z
    .number()
    .min(0.0005)
    .max(0.1)
    .default(0.006)
    .describe("Volatility of an hour up to which a position is full, fraction; smaller in proportion beyond."),
  maxSpreadBps: z.number().min(0.1).max(100).default(8).describe("Wider spreads are left alone, basis points."),
  maxQuoteAgeSeconds: z
    .number()
    .min(0.5)
    .max(60)
    .default(5)
    .describe("Older quotes and marks are not acted on, seconds."),
} as const;

/** `usual` is the default; the bounds are the same for all rules. */
export const maxSizeField = (usual: number) =>
  z.number().min(0.05).max(1).default(usual).describe("Largest size, share of the largest position the limits allow.");

/** `usual` is the default, in round-trip costs. */
export const edgeField = (usual: number) =>
  z.number().min(0).max(20).default(usual).describe("The expected gain must be so many times the round-trip cost.");

/** For `refine` on settings that hold both stops. */
export const stopOrder = {
  holds: (settings: { readonly minStop: number; readonly maxStop: number }): boolean =>
    settings.minStop <= settings.maxStop,
  problem: { path: ["minStop"], message: "must not exceed maxStop" },
};
