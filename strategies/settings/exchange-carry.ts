/** What can be set of the exchange-carry strategy, with units and bounds. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS } from "../../src/strategy/rule-settings.ts";

const { maxSpreadBps, maxQuoteAgeSeconds } = RULE_FIELDS;

/** Rates are fractions of notional for one period of `periodHours`. */
export const Settings = z
  .strictObject({
    maxSpreadBps,
    maxQuoteAgeSeconds,
    maxPairs: z
      .number()
      .int()
      .min(1)
      .max(10)
      .default(2)
      .describe("Most coins held as pairs (one side on each exchange) at once."),
    minDifference: z
      .number()
      .min(0)
      .max(0.05)
      .default(0.0002)
      .describe(
        "Opens a pair when the funding rates of the exchanges differ by at least this in one period, as a fraction of notional.",
      ),
    exitDifference: z
      .number()
      .min(-0.05)
      .max(0.05)
      .default(0)
      .describe(
        "Closes a pair that earns less than this per period, as a fraction of notional. Must be lower than minDifference.",
      ),
    periodHours: z.number().min(0.5).max(24).default(8).describe("Hours between two funding payments."),
    horizonHours: z
      .number()
      .min(1)
      .max(720)
      .default(72)
      .describe(
        "Hours that a pair is planned to be held. The payments in this time must exceed the cost of four crossings.",
      ),
    edgeOverCost: edgeField(1.5),
    aloneMinutes: z
      .number()
      .min(1)
      .max(240)
      .default(15)
      .describe(
        "Minutes in which a position without its counterpart is completed; after that it is closed, but not before risk.minHolding.",
      ),
    mismatch: z
      .number()
      .min(0.02)
      .max(1)
      .default(0.2)
      .describe(
        "Reduces the larger side of a pair to the smaller one when they differ by more than this share of the larger side.",
      ),
    stopDistance: z
      .number()
      .min(0.01)
      .max(0.2)
      .default(0.1)
      .describe(
        "Stop distance of each side, as a fraction of the price. The sides offset each other, so it is for accidents only.",
      ),
    maxSize: maxSizeField(0.5),
  })
  .refine((settings) => settings.exitDifference < settings.minDifference, {
    path: ["exitDifference"],
    message: "must be lower than minDifference",
  });

export type Settings = z.infer<typeof Settings>;
