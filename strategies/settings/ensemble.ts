/** What can be set of the ensemble strategy, with units and bounds. */
import { z } from "zod";

const member = z.strictObject({
  weight: z.number().min(0.01).max(10).default(1).describe("Weight before its record counts."),
  settings: z.record(z.string(), z.unknown()).default({}).describe("Settings of the member, as under its own name."),
});

const share = (usual: number, what: string) => z.number().min(0.05).max(1).default(usual).describe(what);

/** A member's settings are checked by the member itself, when it is loaded. */
export const Settings = z.strictObject({
  members: z
    .record(z.string().regex(/^[a-z0-9-]+$/, "names of strategies"), member.prefault({}))
    .refine((members) => Object.keys(members).length >= 2, "must name at least two strategies")
    .refine((members) => Object.keys(members).length <= 8, "must name at most eight strategies")
    .prefault({ momentum: {}, "mean-reversion": {}, "funding-carry": {}, "news-event": {} })
    .describe("Strategies by name, each with a weight and its settings."),
  openShare: share(0.25, "Share of all weights, those against it taken off, that must want an opening."),
  closeShare: share(0.5, "Share of the weight of those who wanted a position that must want to leave it."),
  recordTrades: z
    .number()
    .min(1)
    .max(1_000)
    .default(20)
    .describe("A member's record counts as if so many further closed trades had shown nothing."),
  recordPower: z
    .number()
    .min(1)
    .max(10)
    .default(3)
    .describe("A record makes a weight at most so many times larger or smaller; 1 leaves weights as they are set."),
  maxPositions: z.number().int().min(1).max(20).default(4).describe("Positions at once, resting openings included."),
});

export type Settings = z.infer<typeof Settings>;
