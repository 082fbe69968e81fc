/** Settings that the rules have in common, with units, bounds and defaults. */
import { z } from "zod";

/** Fields for the settings of each rule. */
export const RULE_FIELDS = {
  maxPositions: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe("Positions at the same time, including resting openings."),
  maxSameDirection: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe("The same for one side, because coins move together."),
  allowShort: z.boolean().default(true).describe("Allows short positions."),
  stopVolatilities: z
    .number()
    .min(0.5)
    .max(10)
    .default(2)
    .describe("Stop distance in standard deviations over the intended life of a position."),
  minStop: z.number().min(0.001).max(0.1).default(0.005).describe("Nearest stop, fraction of price."),
  maxStop: z
    .number()
    .min(0.002)
    .max(0.2)
    .default(0.05)
    .describe("Widest stop, fraction of price; a position that needs a wider one is not opened."),
  fullSizeVolatility: z
    .number()
    .min(0.0005)
    .max(0.1)
    .default(0.006)
    .describe(
      "Hourly volatility up to which a position has full size, fraction; above it the size falls in proportion.",
    ),
  maxSpreadBps: z
    .number()
    .min(0.1)
    .max(100)
    .default(8)
    .describe("Symbols with a wider spread are not traded, basis points."),
  maxQuoteAgeSeconds: z
    .number()
    .min(0.5)
    .max(60)
    .default(5)
    .describe("Symbols with older quotes or marks are not traded, seconds."),
} as const;

/** `usual` is the default; the bounds are the same for all rules. */
export const maxSizeField = (usual: number) =>
  z.number().min(0.05).max(1).default(usual).describe("Largest size, share of the largest position the limits allow.");

/** `usual` is the default, in round-trip costs. */
export const edgeField = (usual: number) =>
  z.number().min(0).max(20).default(usual).describe("Least expected gain, in multiples of the round-trip cost.");

/** For `refine` on settings with both stops. */
export const stopOrder = {
  holds: (settings: { readonly minStop: number; readonly maxStop: number }): boolean =>
    settings.minStop <= settings.maxStop,
  problem: { path: ["minStop"], message: "must not exceed maxStop" },
};
