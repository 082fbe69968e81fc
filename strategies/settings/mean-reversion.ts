/** What can be set of the mean-reversion strategy, with units, bounds and the defaults of each horizon. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS, stopOrder } from "../../src/strategy/rule-settings.ts";

/** Bars that make the mean, how long a return to it may take, and the longer spans that must not be a trend. */
export const HORIZONS = {
  fast: { interval: "1m", bars: 40, barsNeeded: 20, hours: 0.5, trendSpans: ["1h"], maxHoldMinutes: 45 },
  hours: { interval: "5m", bars: 48, barsNeeded: 36, hours: 2, trendSpans: ["4h", "24h"], maxHoldMinutes: 240 },
} as const;

/** `maxHoldMinutes` alone takes its default from the horizon, when it is used. */
export const Settings = z
  .strictObject({
    ...RULE_FIELDS,
    horizon: z
      .enum(["fast", "hours"])
      .default("hours")
      .describe(
        "fast: the mean of 40 one-minute bars, held for half an hour. hours: the mean of 48 five-minute bars, held for two hours.",
      ),
    entryDeviations: z
      .number()
      .min(1)
      .max(6)
      .default(2.2)
      .describe("Opens a position at this distance from the mean, in standard deviations of the bars."),
    exitDeviations: z
      .number()
      .min(0)
      .max(3)
      .default(0.4)
      .describe("Closes a position once the price is within this distance of the mean, in standard deviations."),
    rsiExtreme: z
      .number()
      .min(5)
      .max(45)
      .default(32)
      .describe("Long positions need a relative strength index below this, short ones above 100 minus this."),
    maxTrend: z
      .number()
      .min(0.2)
      .max(4)
      .default(1.3)
      .describe("Opens nothing against a trend that is stronger than this, in standard deviations."),
    confirmation: z
      .number()
      .min(-1)
      .max(1)
      .default(-0.2)
      .describe("Lowest mean of trade flow and book imbalance in the direction of the mean, from -1 to 1."),
    reversionShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        "Share of the distance to the mean that is assumed to be recovered. The expected gain is computed from it.",
      ),
    edgeOverCost: edgeField(2.5),
    maxHoldMinutes: z
      .number()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        "Minutes after which a position that has not returned to the mean is closed. Default by horizon: 45, 240.",
      ),
    maxSize: maxSizeField(0.6),
  })
  .refine(stopOrder.holds, stopOrder.problem)
  .refine((settings) => settings.exitDeviations < settings.entryDeviations, {
    path: ["exitDeviations"],
    message: "must be lower than entryDeviations",
  });

export type Settings = z.infer<typeof Settings>;
