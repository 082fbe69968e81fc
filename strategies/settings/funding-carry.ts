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
      .describe("Funding of one period that opens, fraction of notional, either sign."),
    exitRate: z
      .number()
      .min(-0.05)
      .max(0.05)
      .default(0.0001)
      .describe("A position closes when what it receives a period falls below this, fraction; lower than minRate."),
    periodHours: z.number().min(0.5).max(24).default(8).describe("Time between two payments, hours."),
    horizonHours: z
      .number()
      .min(1)
      .max(240)
      .default(24)
      .describe("Time a position is meant to last, hours; the payments inside it must pay for the costs."),
    edgeOverCost: edgeField(1.5),
    maxTrend: z
      .number()
      .min(0)
      .max(4)
      .default(0.6)
      .describe(
        "A trend of 1 to 24 hours against the position stronger than this, in standard deviations, forbids it.",
      ),
    trendExit: z
      .number()
      .min(0.2)
      .max(4)
      .default(1.5)
      .describe("A position is closed when the trend against it is stronger than this; higher than maxTrend."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .default(120)
      .describe("No exit by rate or trend before, minutes; stops act at any time."),
    maxFundingAgeMinutes: z
      .number()
      .min(1)
      .max(600)
      .default(30)
      .describe("A rate reported longer ago is not acted on, minutes."),
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
