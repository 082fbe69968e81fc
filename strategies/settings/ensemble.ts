/** What can be set of the ensemble strategy, with units and bounds. */
import { z } from "zod";

const member = z.strictObject({
  weight: z.number().min(0.01).max(10).default(1).describe("Weight of the member before its track record counts."),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("Settings of the member, as that strategy takes them on its own."),
});

const share = (usual: number, what: string) => z.number().min(0.05).max(1).default(usual).describe(what);

/** A member's settings are checked by the member itself, when it is loaded. */
export const Settings = z.strictObject({
  members: z
    .record(z.string().regex(/^[a-z0-9-]+$/, "names of strategies"), member.prefault({}))
    .refine((members) => Object.keys(members).length >= 2, "must name at least two strategies")
    .refine((members) => Object.keys(members).length <= 8, "must name at most eight strategies")
    .prefault({ momentum: {}, "mean-reversion": {}, "funding-carry": {}, "news-event": {} })
    .describe("The members: strategies by name, each with a weight and settings."),
  openShare: share(
    0.25,
    "Opens a position when the weights for it, less those against it, reach this share of all weights.",
  ),
  closeShare: share(0.5, "Closes a position when this share of the weight that wanted it no longer does."),
  recordTrades: z
    .number()
    .min(1)
    .max(1_000)
    .default(20)
    .describe("Adds this many neutral trades to the track record of each member, so that short records count little."),
  recordPower: z
    .number()
    .min(1)
    .max(10)
    .default(3)
    .describe("The track record multiplies or divides a weight by at most this factor; 1 keeps the weights as set."),
  maxPositions: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(4)
    .describe("Most positions at once, including resting opening orders."),
});

export type Settings = z.infer<typeof Settings>;
