/** `model-reserve` rows: the maximum cost of a call, set aside before the call. */
import { z } from "zod";
import { decimal, instant, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { shown } from "./words.ts";

export const MODEL_RESERVE = rowForm(
  "model-reserve",
  { written: "Before a model is called.", readBy: "A start (the day's budget), `ballast budget` and the verifier." },
  z
    .object({
      attemptId: text("Id of the call."),
      decisionId: text("The decision it is for."),
      purpose: text("`decision`, a further use of it such as `second-opinion`, or which shadow or review asks."),
      model: text("The model."),
      atMs: instant("When."),
      boundUsd: decimal("The most it can cost, a repair of the reply included."),
    })
    .readonly(),
);

export type ModelReserveRow = z.output<typeof MODEL_RESERVE.body>;
export const modelReserveRow = MODEL_RESERVE.write;
export const readModelReserve = MODEL_RESERVE.read;

export const modelReserveText = ({ attemptId, boundUsd, model }: ModelReserveRow): string =>
  `${attemptId}: at most ${shown(boundUsd)} USD are set aside for ${model}`;
