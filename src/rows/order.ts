/** `order` rows: a close or a cancel that the agent requests, and the end of an order. */
import { z } from "zod";
import { always, clientOrderId, decimal, instant, orderId, position, prediction, symbol, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, shown } from "./words.ts";

const closed = z
  .object({
    close: position("The position that is to be closed at the market."),
    why: text("The reason, for people."),
    qty: decimal("The quantity held.").optional(),
    notBeforeMs: instant(
      "The earliest that the venue's clock may have shown; absent in rows of builds that did not keep it.",
    ).optional(),
    predicted: prediction(),
  })
  .readonly();

const cancelled = z
  .object({
    cancel: text("Client order id of the order to be cancelled."),
    why: text("The reason, for people."),
  })
  .readonly();

const ended = z
  .object({
    ended: always(true, "The order can fill no more."),
    clientOrderId: clientOrderId(),
    orderId: orderId(),
    symbol: symbol(),
    leg: text("LONG or SHORT.").optional(),
    decision: text("The decision behind it; absent where there is none.").optional(),
    state: text("FILLED, CANCELLED or REJECTED."),
    qty: decimal("Quantity of the order."),
    executedQty: decimal("Filled quantity."),
    avgPrice: decimal("Average price of the fills; 0 without one."),
    fee: decimal("Fee of all fills, USDT."),
    why: text("The venue's reason; empty if it gave none."),
  })
  .readonly();

export const ORDER = rowForm(
  "order",
  {
    written: "Before a close or a cancel is sent, and when an order has ended.",
    readBy: "`ballast why`, `reasons`, `explain` and the verifier.",
  },
  z.union([ended, closed, cancelled]),
);

export type OrderRow = z.output<typeof ORDER.body>;
export type OrderEndRow = z.output<typeof ended>;
export const orderRow = ORDER.write;
export const readOrder = ORDER.read;

/** How much of an order was filled, and at what price. */
export const orderEndWords = ({ state, executedQty, qty, avgPrice }: OrderEndRow): string =>
  `${state}, ${shown(executedQty)} of ${shown(qty)} at ${shown(avgPrice)}`;

/** `asks to close SYMBOL|LONG: why`, `asks to cancel ID: why`, or how an order ended. */
export function orderText(row: OrderRow): string {
  if ("close" in row) return line(`asks to close ${row.close}: ${row.why}`, 400);
  if ("cancel" in row) return line(`asks to cancel ${row.cancel}: ${row.why}`, 400);
  return line(`${row.clientOrderId} ended: ${orderEndWords(row)}${row.why === "" ? "" : `: ${row.why}`}`, 400);
}
