/** What can be set of the news-event strategy, with units and bounds. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS, stopOrder } from "../../src/strategy/rule-settings.ts";

/** Never fewer than two sources, whatever is set: one headline alone is not enough. */
export const Settings = z
  .strictObject({
    ...RULE_FIELDS,
    sources: z
      .number()
      .int()
      .min(2)
      .max(10)
      .default(2)
      .describe("Different sources that must say it in their own words; never fewer than two."),
    maxAgeMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(45)
      .describe("Older news, counted from our own first sight, counts for nothing, minutes."),
    copyLikeness: z
      .number()
      .min(0.2)
      .max(1)
      .default(0.6)
      .describe("Titles that share so many of their words are one story, 0 to 1."),
    confirmVolatilities: z
      .number()
      .min(0.1)
      .max(10)
      .default(0.8)
      .describe("The price must have moved so far the claimed way, in standard deviations over the span looked at."),
    spentVolatilities: z
      .number()
      .min(0.5)
      .max(20)
      .default(4)
      .describe("A move beyond this is taken to be the whole of it, standard deviations."),
    confirmation: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe("Least mean of trade flow and book imbalance in the direction of the trade, -1 to 1."),
    followShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.4)
      .describe("Share of an hour's usual spread assumed to follow; an assumption, used by the cost gate."),
    horizonHours: z.number().min(0.1).max(48).default(2).describe("Time a position is meant to last, hours."),
    edgeOverCost: edgeField(2),
    targetVolatilities: z
      .number()
      .min(0)
      .max(20)
      .default(3)
      .describe("Target distance in standard deviations over the horizon; 0 for none."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .default(20)
      .describe("No exit by a turn of the price before, minutes; stops act at any time."),
    maxHoldMinutes: z.number().min(1).max(10_000).default(180).describe("A position is closed after, minutes."),
    maxSize: maxSizeField(0.5),
  })
  .refine(stopOrder.holds, stopOrder.problem)
  .refine((settings) => settings.confirmVolatilities < settings.spentVolatilities, {
    path: ["confirmVolatilities"],
    message: "must be lower than spentVolatilities",
  });

export type Settings = z.infer<typeof Settings>;
