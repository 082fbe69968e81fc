/** `model-settle` rows: the amount booked for a call, and what the gateway's own figure adds. */
import { z } from "zod";
import { decimal, instant, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { shown } from "./words.ts";

export const MODEL_SETTLE = rowForm(
  "model-settle",
  {
    written: "When a call is booked, a booking is corrected, or the gateway's own figure is adopted.",
    readBy: "A start (the day's budget), `ballast budget`, the run summary, the backtest and the verifier.",
  },
  z
    .object({
      attemptId: text("Id of the call, or of the adoption."),
      atMs: instant("When."),
      costUsd: decimal("What it is booked at."),
      how: text(
        "`actual`; `estimated` by our tokenizer; `bound` (outcome unknown) or `crash`: the most it can have cost; `nothing`; `corrected` lowers a booking at a bound; `adopted`, `reported` and `boundary` are the gateway's own figures.",
      ),
      reportedUsd: decimal("The gateway's figure at this instant, where the row comes from it.").nullish(),
      provenUsd: decimal("The gateway's counter that proves a correction.").nullish(),
      boundaryMs: z.number().min(0).max(86_400_000).nullish().meta({
        description: "From this row on budget days begin so long after midnight UTC.",
        is: "span, ms",
      }),
    })
    .readonly(),
);

export type ModelSettleRow = z.output<typeof MODEL_SETTLE.body>;
export const modelSettleRow = MODEL_SETTLE.write;
export const readModelSettle = MODEL_SETTLE.read;

export const modelSettleText = ({ attemptId, costUsd, how }: ModelSettleRow): string =>
  `${attemptId}: booked at ${shown(costUsd)} USD (${how})`;
