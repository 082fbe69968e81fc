/** What can be set of the news-event strategy, with units and bounds. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS, stopOrder } from "../../src/strategy/rule-settings.ts";

/** Never fewer than two sources, even if the setting is lower: one headline alone is not enough. */
export const Settings = z
  .strictObject({
    ...RULE_FIELDS,
    sources: z
      .number()
      .int()
      .min(2)
      .max(10)
      .default(2)
      .describe("Number of sources that must report the event in their own words, at least two."),
    maxAgeMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(45)
      .describe("Ignores news that the agent first saw more than this many minutes ago."),
    copyLikeness: z
      .number()
      .min(0.2)
      .max(1)
      .default(0.6)
      .describe("Titles that share at least this fraction of their words count as one story, from 0 to 1."),
    confirmVolatilities: z
      .number()
      .min(0.1)
      .max(10)
      .default(0.8)
      .describe("The price must have moved at least this far in the expected direction, in standard deviations."),
    spentVolatilities: z
      .number()
      .min(0.5)
      .max(20)
      .default(4)
      .describe(
        "Opens nothing after a larger move than this, in standard deviations: the news is then taken to be priced in.",
      ),
    confirmation: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe("Lowest mean of trade flow and book imbalance in the direction of the trade, from -1 to 1."),
    followShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.4)
      .describe(
        "Further move that is assumed to follow, as a share of one standard deviation over the horizon. The expected gain is computed from it.",
      ),
    horizonHours: z.number().min(0.1).max(48).default(2).describe("Hours that a position is planned to be held."),
    edgeOverCost: edgeField(2),
    targetVolatilities: z
      .number()
      .min(0)
      .max(20)
      .default(3)
      .describe("Target distance in standard deviations over the horizon; 0 for no target."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .default(20)
      .describe("Minutes before a turn of the price may close a position. Its stop is active at any time."),
    maxHoldMinutes: z.number().min(1).max(10_000).default(180).describe("Minutes after which a position is closed."),
    maxSize: maxSizeField(0.5),
  })
  .refine(stopOrder.holds, stopOrder.problem)
  .refine((settings) => settings.confirmVolatilities < settings.spentVolatilities, {
    path: ["confirmVolatilities"],
    message: "must be lower than spentVolatilities",
  });

export type Settings = z.infer<typeof Settings>;
