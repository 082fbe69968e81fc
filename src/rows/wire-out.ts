/** `wire-out` rows: a write as it leaves. Without this row nothing is sent. */
import { z } from "zod";
import { text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { seenField } from "./seen.ts";
import { line, paramsText } from "./words.ts";

/** Flat, with the documented field names, decimals as text. */
export const params = () =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .readonly()
    .meta({
      description: "The write's parameters in documented field names, decimals as text.",
      is: "object",
    });

export const WIRE_OUT = rowForm(
  "wire-out",
  {
    written: "Before a write is sent to the venue.",
    readBy: "A start (what was sent), `ballast why`, `reasons`, `explain` and the verifier.",
  },
  z
    .object({
      previewId: text("The preview that it carries out."),
      action: text("The write: `order.place`, `order.cancel`, `position.close`, `algo.place` ..."),
      params: params(),
      paramsHash: text("SHA-256 of the canonical parameters, as in the preview."),
      runtime: text("The run or program that sends it."),
      clientOrderId: text("The id we give a new order; null for other writes.").nullable(),
      decisionId: text("The decision behind it.").nullable(),
      automationSessionId: text("The session it uses.").nullable(),
      seen: seenField().default(null),
    })
    .readonly(),
);

export type WireOutRow = z.output<typeof WIRE_OUT.body>;
export const wireOutRow = WIRE_OUT.write;
export const readWireOut = WIRE_OUT.read;

/** A text parameter; null if it is absent or of another type. */
export const textParam = ({ params }: Pick<WireOutRow, "params">, name: string): string | null => {
  const value = params[name];
  return typeof value === "string" ? value : null;
};

export const wireOutText = ({ action, params }: WireOutRow): string =>
  line(`${action} leaves: ${paramsText(params)}`, 500);
