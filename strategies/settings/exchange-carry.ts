/** What can be set of the exchange-carry strategy, with units and bounds. */
import { z } from "zod";
import { edgeField, maxSizeField, RULE_FIELDS } from "../../src/strategy/rule-settings.ts";

const { maxSpreadBps, maxQuoteAgeSeconds } = RULE_FIELDS;

/** Rates are fractions of notional for one period of `periodHours`. */
export const Settings = z
  .strictObject({
    maxSpreadBps,
    maxQuoteAgeSeconds,
    maxPairs: z.number().int().min(1).max(10).default(2).describe("Coins held on both exchanges at the same time."),
    minDifference: z
      .number()
      .min(0)
      .max(0.05)
      .default(0.0002)
      .describe("Difference of the funding of one period between the exchanges that opens, fraction of notional."),
    exitDifference: z
      .number()
      .min(-0.05)
      .max(0.05)
      .default(0)
      .describe("A pair closes when it receives less than this a period, fraction; lower than minDifference."),
    periodHours: z.number().min(0.5).max(24).default(8).describe("Time between two payments, hours."),
    horizonHours: z
      .number()
      .min(1)
      .max(720)
      .default(72)
      .describe("Time a pair is meant to last, hours; the payments inside it must pay for four crossings."),
    edgeOverCost: edgeField(1.5),
    aloneMinutes: z
      .number()
      .min(1)
      .max(240)
      .default(15)
      .describe(
        "A position without its counterpart is completed until this age and closed after it, minutes; risk.minHolding lets none be closed earlier.",
      ),
    mismatch: z
      .number()
      .min(0.02)
      .max(1)
      .default(0.2)
      .describe("A pair whose sides differ by more than this share of the larger one is reduced to the smaller one."),
    stopDistance: z
      .number()
      .min(0.01)
      .max(0.2)
      .default(0.1)
      .describe("Stop of each side, fraction of price: for accidents, as the sides offset each other."),
    maxSize: maxSizeField(0.5),
  })
  .refine((settings) => settings.exitDifference < settings.minDifference, {
    path: ["exitDifference"],
    message: "must be lower than minDifference",
  });

export type Settings = z.infer<typeof Settings>;
