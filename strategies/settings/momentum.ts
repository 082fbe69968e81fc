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
        "Spans of the score, and how long a position is planned to be held: fast 15 s to 5 m, held for 20 m (for demonstration); hours 5 m to 4 h, held for 2 h; days 1 h to 24 h, held for 8 h. Other defaults depend on it, as they say.",
      ),
    entryScore: z
      .number()
      .min(0.2)
      .max(4)
      .optional()
      .describe(
        "Opens a position when the score reaches this: the mean move over the spans, in standard deviations. Default by horizon: 0.8, 1.2, 1.2.",
      ),
    exitScore: z
      .number()
      .min(-4)
      .max(4)
      .optional()
      .describe(
        "Closes a position when its score falls below this. Must be lower than entryScore. Default by horizon: -0.5, 0, 0.",
      ),
    persistence: z
      .number()
      .min(0)
      .max(1)
      .default(0.25)
      .describe("Share of the past move that is assumed to continue. The expected gain is computed from it."),
    edgeOverCost: z
      .number()
      .min(0)
      .max(20)
      .optional()
      .describe(
        "The expected move must be at least this many times the cost of the round trip. Default by horizon: 1, 3, 4.",
      ),
    confirmation: z
      .number()
      .min(-1)
      .max(1)
      .optional()
      .describe(
        "Lowest mean of trade flow and book imbalance in the direction of the trade, from -1 to 1. Default by horizon: -0.3, 0, 0.",
      ),
    maxPositions: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(3)
      .describe("Most positions at once, including resting opening orders."),
    maxSameDirection: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(2)
      .describe("Most positions at once on one side, including resting opening orders, because coins move together."),
    allowShort: z.boolean().default(true).describe("Whether short positions are allowed."),
    minHoldMinutes: z
      .number()
      .min(0)
      .max(10_000)
      .optional()
      .describe(
        "Minutes before the score may close a position. Its stop is active at any time. Default by horizon: 3, 60, 240.",
      ),
    maxHoldMinutes: z
      .number()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        "Minutes after which a position is closed unless it would be opened again now. Default by horizon: 40, 720, 4320.",
      ),
    stopVolatilities: z
      .number()
      .min(0.5)
      .max(10)
      .default(2)
      .describe("Stop distance in standard deviations over the horizon."),
    targetVolatilities: z
      .number()
      .min(0)
      .max(20)
      .default(3)
      .describe("Target distance in standard deviations over the horizon; 0 for no target."),
    minStop: z
      .number()
      .min(0.001)
      .max(0.1)
      .default(0.005)
      .describe("Smallest stop distance, as a fraction of the price."),
    maxStop: z
      .number()
      .min(0.002)
      .max(0.2)
      .default(0.05)
      .describe("Largest stop distance, as a fraction of the price. A position that needs a larger one is not opened."),
    fullSizeVolatility: z
      .number()
      .min(0.0005)
      .max(0.1)
      .default(0.006)
      .describe(
        "Hourly volatility, as a fraction, up to which positions have full size. Above it they are smaller in proportion.",
      ),
    maxSize: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.8)
      .describe("Largest size, as a share of the largest position that the limits allow."),
    maxSpreadBps: z
      .number()
      .min(0.1)
      .max(100)
      .default(8)
      .describe("Opens nothing when the spread is wider than this, in basis points."),
    maxQuoteAgeSeconds: z
      .number()
      .min(0.5)
      .max(60)
      .default(5)
      .describe("Ignores quotes and mark prices that are older than this, in seconds."),
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
