/** The phase and its dates: apart from all other settings, because `ballast status` reads only these of an earlier run. */
import { z } from "zod";
import { instant } from "../core/setting-fields.ts";

/** In force at the start of a run. */
export const phase = z
  .union([z.literal(1), z.literal(2)], "must be 1 or 2")
  .default(1)
  .describe("Competition phase at the start: 1 caps leverage at 2x, 2 at 5x. See competition.phaseTwo.");

/** Phase II begins by the venue's clock; uptime is measured over `days` from `start`. */
export const competition = z.strictObject({
  start: instant(
    "Start of the period over which uptime is measured, ISO 8601. Default: the first heartbeat of this journal.",
  ).optional(),
  days: z.number().min(0.01).max(366).default(7).describe("Length of that period, days."),
  phaseTwo: instant(
    "Start of Phase II, ISO 8601. Its leverage cap and instruments apply from then on, by the venue's clock and never earlier. Without it `phase` applies throughout.",
  ).optional(),
});
