/** What can be set of the trend-carry strategy, with units and bounds. Defaults come from the literature, none from a search. */
import { z } from "zod";
import { RULE_FIELDS, stopOrder } from "../../src/strategy/rule-settings.ts";

const part = (what: string) => z.number().min(0).max(1).default(1).describe(`Weight of ${what} in the forecast.`);

export const Settings = z
  .strictObject({
    volatilityTarget: z
      .number()
      .min(0.02)
      .max(1)
      .default(0.25)
      .describe("Yearly volatility of the whole portfolio at average forecasts, as a fraction of equity."),
    timeSeries: part("each coin's own trend"),
    crossSection: part("its trend less that of all coins"),
    carry: part("funding received"),
    enterForecast: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.3)
      .describe(
        "Opens a position when the strength of the forecast reaches this, from 0 to 1; 0.5 is the average strength of one forecast.",
      ),
    leaveForecast: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe("Closes a position when the strength falls below this. Must be lower than enterForecast."),
    maxPositions: z
      .number()
      .int()
      .min(1)
      .max(50)
      .default(4)
      .describe("Most positions at once; `risk.maxPositions` applies as well."),
    allowShort: z.boolean().default(true).describe("Whether short positions are allowed."),
    rebalanceHours: z
      .union([z.literal(4), z.literal(6), z.literal(8), z.literal(12), z.literal(24)])
      .default(6)
      .describe("Hours between two rebalances. They begin one hour after the multiples of this time, UTC."),
    rebalanceMinutes: z
      .number()
      .min(5)
      .max(240)
      .default(30)
      .describe("Minutes that a rebalance lasts. What has not filled by then waits for the next one."),
    band: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe(
        "Leaves a position unchanged while it differs from its target by less than this share of its average size.",
      ),
    stopVolatilities: z
      .number()
      .min(1)
      .max(10)
      .default(4)
      .describe("Stop distance in daily standard deviations. Forecasts close positions, so it is for accidents only."),
    minStop: z
      .number()
      .min(0.005)
      .max(0.2)
      .default(0.03)
      .describe("Smallest stop distance, as a fraction of the price."),
    maxStop: z.number().min(0.01).max(0.3).default(0.12).describe("Largest stop distance, as a fraction of the price."),
    minVolatility: z
      .number()
      .min(0)
      .max(0.1)
      .default(0.001)
      .describe("Ignores coins that move less than this fraction per hour, because costs would outweigh any trend."),
    maxSpreadBps: RULE_FIELDS.maxSpreadBps,
    maxQuoteAgeSeconds: RULE_FIELDS.maxQuoteAgeSeconds,
  })
  .refine((settings) => settings.leaveForecast < settings.enterForecast, {
    path: ["leaveForecast"],
    message: "must be lower than enterForecast",
  })
  .refine(stopOrder.holds, stopOrder.problem)
  .refine((settings) => settings.timeSeries + settings.crossSection + settings.carry > 0, {
    path: ["timeSeries"],
    message: "one of timeSeries, crossSection and carry must count",
  });

export type Settings = z.infer<typeof Settings>;
