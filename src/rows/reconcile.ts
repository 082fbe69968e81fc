/** `reconcile` rows: what was read from the venue, and which parts of it are not ours. */
import { z } from "zod";
import { always, anything, decimal, instant, number, position, text, texts } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line } from "./words.ts";
import { counted } from "../core/words.ts";

const complete = z
  .object({
    event: always("complete", "Account, positions and orders were read."),
    startedAtMs: instant("When the reading began."),
    positions: z
      .array(z.object({ leg: position(), qty: decimal("What is held.") }).readonly())
      .readonly()
      .meta({ description: "Every open position with its quantity.", is: "list of object" }),
    changes: z
      .array(z.object({ leg: position(), kind: text("opened, resized, closed or same.") }).readonly())
      .readonly()
      .default([])
      .meta({ description: "Differences from what was known, by position.", is: "list of object" }),
    orders: number("How many orders differed from what was known."),
  })
  .readonly();

const external = z
  .object({
    event: always("external-order", "An order that is not ours."),
    orderId: text("The venue's id."),
    clientOrderId: text("Its client order id."),
    symbol: text("Its symbol."),
  })
  .readonly();

const fills = z
  .object({
    event: always("fills", "The list of executions was read."),
    throughMs: instant("The newest execution it showed, by the venue's time; null before the first.").nullable(),
    sinceMs: instant("Earlier executions belong to another journal.").nullable().optional(),
    found: number("How many had not been pushed."),
  })
  .readonly();

const acknowledged = z
  .object({
    event: always("journal-acknowledged", "The operator has looked at a damaged journal."),
    note: text("In the operator's words."),
    found: anything("What was wrong with it."),
  })
  .readonly();

const adopted = z
  .object({
    event: always("adopted-orders", "The venue holds orders of ours that this journal does not know."),
    ids: texts("Their client order ids."),
  })
  .readonly();

export const RECONCILE = rowForm(
  "reconcile",
  {
    written:
      "When a reading of the account differs from what was known or completes a start, and for what is not ours.",
    readBy: "A start (how far executions were read, orders known), and the verifier.",
  },
  z.discriminatedUnion("event", [complete, external, fills, acknowledged, adopted]),
);

export type ReconcileRow = z.output<typeof RECONCILE.body>;
export const reconcileRow = RECONCILE.write;
export const readReconcile = RECONCILE.read;

function happened(row: ReconcileRow): string {
  switch (row.event) {
    case "complete":
      return `everything was read: ${counted(row.positions.length, "position")}, ${counted(row.orders, "order")} differed`;
    case "external-order":
      return `order ${row.orderId} (${row.clientOrderId}) in ${row.symbol} is not ours`;
    case "fills":
      return `executions were read, ${row.found} had not been pushed`;
    case "journal-acknowledged":
      return `the damaged journal was acknowledged: ${row.note}`;
    case "adopted-orders":
      return `orders of ours that the journal does not know: ${row.ids.join(", ")}`;
  }
}

export const reconcileText = (row: ReconcileRow): string => line(happened(row), 400);
