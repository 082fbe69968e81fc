/** `preview` rows: what a write would do, recorded before it may be submitted. */
import { z } from "zod";
import { instant, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { params } from "./wire-out.ts";
import { line, paramsText } from "./words.ts";

export const PREVIEW = rowForm(
  "preview",
  { written: "Before every write: a submit must match its preview.", readBy: "`ballast explain` and the verifier." },
  z
    .object({
      previewId: text("Id of the preview."),
      action: text("The write: `order.place`, `order.cancel`, `position.close`, `algo.place` ..."),
      params: params(),
      paramsHash: text("SHA-256 of the canonical parameters."),
      expiresAtMs: instant("It cannot be submitted after this."),
      runtime: text("The run or program that made it."),
      automationSessionId: text("The session that it is bound to.").nullable(),
      clientOrderId: text("The id of the order concerned, where the parameters have one.").optional(),
    })
    .readonly(),
);

export type PreviewRow = z.output<typeof PREVIEW.body>;
export const previewRow = PREVIEW.write;
export const readPreview = PREVIEW.read;

export const previewText = ({ previewId, action, params }: PreviewRow): string =>
  line(`${previewId} of ${action}: ${paramsText(params)}`, 500);
