/** What can be set of the funding-carry strategy, with units and bounds. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS, stopOrder } from "../../src/strategy/rule-settings.ts";

/** Rates are fractions of notional for one period of `periodHours`. */
export const Settings = z
  .strictObject({
    ...RULE_FIELDS,
    minRate: z
      .number()
      .min(0)
      .max(0.05)
      .default(0.0004)
      .describe(
        "Opens a position when the funding rate of one period, of either sign, is at least this fraction of notional.",
      ),
    exitRate: z
      .number()
      .min(-0.05)
      .max(0.05)
      .default(0.0001)
      .describe(
        "Closes a position that earns less than this per period, as a fraction of notional. Must be lower than minRate.",
      ),
    periodHours: z.number().min(0.5).max(24).default(8).describe("Hours between two funding payments."),
    horizonHours: z
      .number()
      .min(1)
      .max(240)
      .default(24)
      .describe("Hours that a position is planned to be held. The payments in this time must exceed its costs."),
    edgeOverCost: edgeField(1.5),
    maxTrend: z
      .number()
      .min(0)
      .max(4)
      .default(0.6)
      .describe("Opens nothing against a trend of 1 to 24 hours that is stronger than this, in standard deviations."),
    trendExit: z
      .number()
      .min(0.2)
      .max(4)
      .default(1.5)
      .describe("Closes a position when the trend against it is stronger than this. Must be higher than maxTrend."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .default(120)
      .describe("Minutes before the rate or the trend may close a position. Its stop is active at any time."),
    maxFundingAgeMinutes: z
      .number()
      .min(1)
      .max(600)
      .default(30)
      .describe("Ignores a funding rate that was reported more than this many minutes ago."),
    maxSize: maxSizeField(0.4),
  })
  .refine(stopOrder.holds, stopOrder.problem)
  .refine((settings) => settings.exitRate < settings.minRate, {
    path: ["exitRate"],
    message: "must be lower than minRate",
  })
  .refine((settings) => settings.maxTrend < settings.trendExit, {
    path: ["maxTrend"],
    message: "must be lower than trendExit",
  });

export type Settings = z.infer<typeof Settings>;
