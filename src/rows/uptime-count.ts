/** The count of uptime in a `beat` row: apart from its other fields, because `ballast status` reads only this one. */
import { z } from "zod";
import { instant, list } from "./fields.ts";
import { rowForm } from "./form.ts";

const outage = z.object({ fromMs: instant("First beat missed."), toMs: instant("The next beat.") }).readonly();

const count = z
  .object({
    firstBeatMs: instant("The first beat of the journal.").nullable(),
    lastBeatMs: instant("The last beat so far.").nullable(),
    outages: list(outage, "Spans without beats, oldest first.").default([]),
    restart: outage.optional().meta({ description: "From the last beat of one process to the first of the next." }),
  })
  .readonly();

export const uptimeCount = count.optional().meta({
  description: "The whole count of uptime, about once an hour: beats, outages, the last restart.",
  is: "object",
});

const about = { written: "About once an hour.", readBy: "`ballast status`." };

/** Throws RowError if the count does not fit; the other fields are not checked. */
export const readUptimeCount = rowForm("beat", about, z.object({ uptime: uptimeCount }).readonly()).read;
