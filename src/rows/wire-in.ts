/** `wire-in` rows: the venue's answer to a write. Acceptance is not the end of an order. */
import { z } from "zod";
import { text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { seenField } from "./seen.ts";
import { line } from "./words.ts";

const reply = z
  .looseObject({
    orderId: text("The venue's id of the order.").nullish(),
    algoOrderId: text("The venue's id of the stop.").nullish(),
    state: text("The order's state as the venue reports it.").nullish(),
  })
  .readonly();

export const WIRE_IN = rowForm(
  "wire-in",
  {
    written: "When the answer to a write has arrived, or provably will not.",
    readBy: "A start (closes whose reply was lost), `ballast why`, `why-not`, `explain` and the verifier.",
  },
  z
    .object({
      previewId: text("The preview that was carried out."),
      action: text("The write."),
      clientOrderId: text("The id we gave a new order; null for other writes.").nullable(),
      outcome: text("done, rejected, rate-limited, not-sent or unknown."),
      message: text("The venue's message, or ours."),
      reply: reply.nullable().default(null).meta({
        description: "What the venue answered: `orderId` or `algoOrderId` where there is one; else null.",
        is: "object",
      }),
      seen: seenField().default(null),
    })
    .readonly(),
);

/** What an accepted write returned; null for nothing. */
export type VenueReply = z.output<typeof reply> | null;
export type WireInRow = z.output<typeof WIRE_IN.body>;
export const wireInRow = WIRE_IN.write;
export const readWireIn = WIRE_IN.read;

export const wireInText = ({ action, outcome, message }: WireInRow): string =>
  line(`${action} was ${outcome}${message === outcome ? "" : `: ${message}`}`);
