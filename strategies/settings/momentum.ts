/** What can be set of the momentum strategy, with units, bounds and the defaults of each horizon. */
import { z } from "zod";

/** What is looked at, how long a position is meant to last, and the defaults that go with it. */
export const HORIZONS = {
  fast: {
    spans: ["15s", "30s", "1m", "5m"],
    spansNeeded: 1,
    hours: 1 / 3,
    defaults: {
      entryScore: 0.8,
      exitScore: -0.5,
      edgeOverCost: 1,
      confirmation: -0.3,
      minHoldMinutes: 3,
      maxHoldMinutes: 40,
    },
  },
  hours: {
    spans: ["5m", "15m", "1h", "4h"],
    spansNeeded: 2,
    hours: 2,
    defaults: {
      entryScore: 1.2,
      exitScore: 0,
      edgeOverCost: 3,
      confirmation: 0,
      minHoldMinutes: 60,
      maxHoldMinutes: 720,
    },
  },
  days: {
    spans: ["1h", "4h", "24h"],
    spansNeeded: 2,
    hours: 8,
    defaults: {
      entryScore: 1.2,
      exitScore: 0,
      edgeOverCost: 4,
      confirmation: 0,
      minHoldMinutes: 240,
      maxHoldMinutes: 4_320,
    },
  },
} as const;

/** Given members only, so that a default is not overwritten by an absence. */
const definedOf = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** Takes what was left out from the horizon's defaults, then checks the whole. */
export const Settings = z
  .strictObject({
    horizon: z
      .enum(["fast", "hours", "days"])
      .default("hours")
      .describe(
        "Spans judged and time a position is meant to last: fast 15 s to 5 m for 20 m (for demonstration), hours 5 m to 4 h for 2 h, days 1 h to 24 h for 8 h. Sets the defaults of what says so.",
      ),
    entryScore: z
      .number()
      .min(0.2)
      .max(4)
      .optional()
      .describe("Move that opens, in standard deviations, mean of the spans. Default by horizon: 0.8, 1.2, 1.2."),
    exitScore: z
      .number()
      .min(-4)
      .max(4)
      .optional()
      .describe(
        "A held position closes when its score falls below this; lower than entryScore. Default by horizon: -0.5, 0, 0.",
      ),
    persistence: z
      .number()
      .min(0)
      .max(1)
      .default(0.25)
      .describe("Share of the past move's strength assumed to go on; an assumption, used by the cost gate."),
    edgeOverCost: z
      .number()
      .min(0)
      .max(20)
      .optional()
      .describe("The expected move must be so many times the round-trip cost. Default by horizon: 1, 3, 4."),
    confirmation: z
      .number()
      .min(-1)
      .max(1)
      .optional()
      .describe(
        "Least mean of trade flow and book imbalance in the direction of the trade, -1 to 1. Default by horizon: -0.3, 0, 0.",
      ),
    maxPositions: z.number().int().min(1).max(20).default(3).describe("Positions at once, resting openings included."),
    maxSameDirection: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(2)
      .describe("Positions at once on one side, resting openings included: coins move together."),
    allowShort: z.boolean().default(true).describe("Falling prices may be sold."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .optional()
      .describe("No exit by score before, minutes; stops act at any time. Default by horizon: 3, 60, 240."),
    maxHoldMinutes: z
      .number()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        "After so many minutes a position that would not be opened again is closed. Default by horizon: 40, 720, 4320.",
      ),
    stopVolatilities: z
      .number()
      .min(0.5)
      .max(10)
      .default(2)
      .describe("Stop distance in standard deviations over the horizon."),
    targetVolatilities: z.number().min(0).max(20).default(3).describe("Target distance likewise; 0 for none."),
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
    maxSize: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.8)
      .describe("Largest size, share of the largest position the limits allow."),
    maxSpreadBps: z.number().min(0.1).max(100).default(8).describe("Wider spreads are left alone, basis points."),
    maxQuoteAgeSeconds: z
      .number()
      .min(0.5)
      .max(60)
      .default(5)
      .describe("Older quotes and marks are not acted on, seconds."),
  })
  .transform((settings) => ({ ...HORIZONS[settings.horizon].defaults, ...definedOf(settings) }))
  .refine((settings) => settings.exitScore < settings.entryScore, {
    path: ["exitScore"],
    message: "must be lower than entryScore",
  })
  .refine((settings) => settings.minStop <= settings.maxStop, {
    path: ["minStop"],
    message: "must not exceed maxStop",
  });

/** With the horizon's defaults filled in, so that nothing is left open. */
export type Settings = z.infer<typeof Settings>;
