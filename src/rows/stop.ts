/** `stop` rows: the last row of a run that ended in an orderly way. */
import { z } from "zod";
import { text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { telemetry } from "./telemetry.ts";
import { line } from "./words.ts";

export const STOP = rowForm(
  "stop",
  {
    written: "As the last row of a run that ends in order.",
    readBy: "`ballast why-not` and `status` without an agent, and the verifier.",
  },
  z.object({ reason: text("Why the run ended, for people."), ...telemetry }).readonly(),
);

export type StopRow = z.output<typeof STOP.body>;
export const stopRow = STOP.write;
export const readStop = STOP.read;

export const stopText = ({ reason }: StopRow): string => line(reason, 400);
