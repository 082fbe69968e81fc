/** `protection` rows: what the agent does to give a position a stop, and how long it had none. */
import { z } from "zod";
import { always, clientOrderId, decimal, flag, instant, position, span, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, seconds, shown } from "./words.ts";

const asked = z
  .object({
    leg: position(),
    clientOrderId: clientOrderId(),
    stopPrice: decimal("The stop that is asked for."),
    targetPrice: decimal("The target that is asked for with it.").nullable(),
    qty: decimal("How much of the position it covers; 0 is all of it, even if it grows."),
  })
  .readonly();

const standing = z
  .object({
    leg: position(),
    standing: always(true, "A stop is active at the venue."),
    algoOrderId: text("The venue's id of the stop.").nullable(),
    stopPrice: z
      .union([decimal("The active stop."), z.literal("?").transform(() => null), z.null()])
      .meta({ description: "The active stop; null (`?` in older journals) if it is not known.", is: "decimal" }),
    unprotectedMs: span("How long the position had no stop."),
    external: flag("Somebody else placed the stop.").optional(),
  })
  .readonly();

const supervised = z
  .object({
    leg: position(),
    supervised: always(
      true,
      "The agent watches the price itself: the venue has no stop, or none for all of the position.",
    ),
    stopPrice: decimal("The stop that is watched for."),
    markPrice: decimal("The mark that is compared with it.").optional(),
    midPrice: decimal("Mid price of the book, if no mark arrives.").optional(),
    unprotectedForMs: span("How long the position has had no stop."),
    untilMs: instant("The watch is renewed by then."),
  })
  .readonly();

const moving = z
  .object({
    leg: position(),
    moving: always(true, "The stop moves towards safety."),
    from: decimal("The stop so far."),
    stopPrice: decimal("The new stop."),
    why: text("`break-even` or `trailing`."),
    markPrice: decimal("The mark."),
    bestPrice: decimal("The most favourable mark since the position is held."),
  })
  .readonly();

const over = z
  .object({
    leg: position(),
    over: always(true, "The stop at the venue is over, and the position may still be held."),
    algoOrderId: text("The venue's id of the stop."),
    state: text("Its last state, or why the venue refused to change it."),
  })
  .readonly();

const ended = z
  .object({
    leg: position(),
    ended: text("`closed`: the position closed without a stop."),
    unprotectedMs: span("How long the position had no stop."),
  })
  .readonly();

export const PROTECTION = rowForm(
  "protection",
  {
    written:
      "When a stop is requested, is active, moves, is replaced by the agent's own watch, is over, or is no longer needed.",
    readBy: "A start (stops wanted and active, spans without one), `ballast why`, `explain` and the verifier.",
  },
  z.union([moving, supervised, standing, over, ended, asked]),
);

export type ProtectionRow = z.output<typeof PROTECTION.body>;
export type SupervisedRow = z.output<typeof supervised>;
export const protectionRow = PROTECTION.write;
export const readProtection = PROTECTION.read;

const watchedAgainst = ({ markPrice, midPrice }: SupervisedRow): string =>
  midPrice === undefined ? `mark ${shown(markPrice)}` : `middle of the book ${shown(midPrice)}, no mark`;

function happened(row: ProtectionRow): string {
  if ("moving" in row)
    return `${row.why}, the stop goes from ${shown(row.from)} to ${shown(row.stopPrice)}, mark ${shown(row.markPrice)}`;
  if ("supervised" in row)
    return `no stop at the venue for ${seconds(row.unprotectedForMs)}, watched here against ${shown(row.stopPrice)}, ${watchedAgainst(row)}`;
  if ("standing" in row)
    return `a stop at ${row.stopPrice ? shown(row.stopPrice) : "?"} stands as ${shown(row.algoOrderId)}, ${seconds(row.unprotectedMs)} without one`;
  if ("over" in row) return `the stop ${shown(row.algoOrderId)} is over (${row.state})`;
  if ("ended" in row) return `closed, ${seconds(row.unprotectedMs)} without a stop`;
  return `asks for a stop at ${shown(row.stopPrice)}, target ${shown(row.targetPrice)}, as ${row.clientOrderId}`;
}

/** `SYMBOL|LONG: ` and what happened to its stop. */
export const protectionText = (row: ProtectionRow): string => line(`${row.leg}: ${happened(row)}`, 400);
