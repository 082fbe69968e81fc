/** `verdict` rows: the limits' answers about an order, or why a target led to no order. */
import { z } from "zod";
import { clientOrderId, oneOf, side, symbol, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { shown } from "./words.ts";

const verdict = z
  .object({
    limit: text("Name of the limit."),
    kind: oneOf(["allow", "shrink", "deny"], "What it says."),
    found: text("The figure found."),
    allowed: text("The figure allowed."),
    reason: text("One sentence for people."),
    qty: text("The quantity that it would allow.").optional(),
  })
  .readonly();

const reviewed = z
  .object({
    clientOrderId: clientOrderId(),
    symbol: symbol(),
    side: side("Side of the order."),
    kind: text("`approved` or `denied`."),
    verdicts: z
      .array(verdict)
      .readonly()
      .meta({ description: "Every limit's answer: limit, kind, found, allowed, reason.", is: "list of object" }),
  })
  .readonly();

const skipped = z
  .object({
    symbol: symbol(),
    leg: text("LONG or SHORT.").default(""),
    skipped: text("Why the target led to no order."),
  })
  .readonly();

export const VERDICT = rowForm(
  "verdict",
  {
    written: "When the limits have judged an order, and when a target leads to no order.",
    readBy: "`ballast explain`, `why`, `reasons`, `why-not` and the verifier.",
  },
  z.union([skipped, reviewed]),
);

export type VerdictRow = z.output<typeof VERDICT.body>;
/** The limits' answers to one order. */
export type ReviewedRow = z.output<typeof reviewed>;
/** One limit's answer. */
export type LimitVerdict = z.output<typeof verdict>;
export const verdictRow = VERDICT.write;
export const readVerdict = VERDICT.read;

const limitText = ({ kind, limit, found, allowed, reason }: LimitVerdict): string =>
  `\n      ${kind.padEnd(6)} ${limit.padEnd(20)} found ${found}, allowed ${allowed}${kind === "allow" ? "" : `: ${reason}`}`;

/** The verdict with a line for each limit. */
export const verdictRowText = (row: VerdictRow): string =>
  "skipped" in row
    ? `${row.symbol} ${row.leg}: not drafted, ${row.skipped}`
    : `${row.side} ${row.symbol}: ${shown(row.kind)}${row.verdicts.map(limitText).join("")}`;
