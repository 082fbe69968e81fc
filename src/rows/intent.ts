/** `intent` rows: a durable intent to place or change an order, and the evidence that ended it. */
import { z } from "zod";
import {
  always,
  clientOrderId,
  decimal,
  flag,
  instant,
  number,
  oneOf,
  orderId,
  positionSide,
  prediction,
  side,
  span,
  symbol,
  text,
  texts,
  trail,
} from "./fields.ts";
import { rowForm } from "./form.ts";
import { bps, line, shown } from "./words.ts";

const order = z
  .object({
    symbol: symbol(),
    side: side("Side of the order."),
    positionSide: oneOf(["LONG", "SHORT", "NONE"], "NONE in one-way mode."),
    orderType: oneOf(["LIMIT", "MARKET"], "Type."),
    qty: decimal("Quantity."),
    limitPrice: decimal("Limit; null for MARKET.").nullable(),
    timeInForce: oneOf(["GTC", "IOC", "FOK", "GTX"], "GTX is post-only.").nullable(),
    reduceOnly: flag("Whether it may only reduce."),
    clientOrderId: clientOrderId(),
  })
  .readonly();

const part = z
  .object({
    no: number("Number of the child, from 1."),
    totalQty: decimal("Quantity of the parent order."),
    filledQty: decimal("Its quantity filled so far."),
  })
  .readonly();

const open = z
  .object({
    event: always("open", "The intent to place an order: it is on disk before the order is sent."),
    intentId: text("The client order id, so that the venue can be asked about it."),
    clientOrderId: clientOrderId(),
    decisionId: text("The decision behind it.").nullable(),
    symbol: symbol(),
    opening: flag("Whether it adds exposure; then it is sent at most once, ever."),
    leg: positionSide("Side of the position."),
    begins: flag("Whether a new position begins with it, as `cadence.openingsPerHour` counts them.").optional(),
    order: order.meta({ description: "The order exactly as it will be sent.", is: "object" }),
    stopPrice: decimal("The stop of the position it opens.").nullable(),
    targetPrice: decimal("Its target.").nullable(),
    notional: decimal("Value of the order, USDT."),
    reason: text("The reason, for people.").optional(),
    strategy: text("The strategy that decided it.").optional(),
    evidence: texts("Keys of news items or names of figures.").default([]),
    trail: trail(),
    part: part
      .optional()
      .meta({ description: "The child of a parent order: number, total and filled quantity.", is: "object" }),
    predicted: prediction(),
    notBeforeMs: instant("The earliest that the venue's clock may have shown when it was promised.").optional(),
  })
  .readonly();

const ends = { event: always("end", "The intent is over."), intentId: text("Id of the intent.") };

const end = z.discriminatedUnion("how", [
  z
    .object({
      ...ends,
      how: always("refused", "The venue refused the order."),
      code: text("The venue's code."),
      message: text("The venue's message."),
    })
    .readonly(),
  z
    .object({
      ...ends,
      how: always("terminal", "The order has ended at the venue."),
      orderId: orderId(),
      state: text("FILLED, CANCELLED or REJECTED."),
      executedQty: decimal("What was filled."),
      shownQty: decimal("How much of that what is known of the position includes; absent where it is all.").optional(),
      filledMs: instant("Then: the venue's time of its newest fill.").optional(),
    })
    .readonly(),
  z
    .object({
      ...ends,
      how: always("not-sent", "The order was provably never sent."),
      reason: text("The reason, for people."),
    })
    .readonly(),
  z
    .object({
      ...ends,
      how: always("absent", "The venue provably never had the order."),
      misses: number("Queries that found nothing."),
      spreadMs: span("From the first of them to the last."),
      openOrdersEmpty: flag("Open orders were read without it."),
      executionsEmpty: flag("Executions were read without a fill of it."),
      positionUnchanged: flag("The position was read unchanged."),
    })
    .readonly(),
]);

const shownEnd = z
  .object({
    event: always("shown", "What is known of the position includes all that the ended order filled."),
    intentId: text("Id of the intent."),
    clientOrderId: clientOrderId(),
  })
  .readonly();

const amend = z
  .object({
    event: always("amend", "The intent to change a resting order."),
    intentId: text("Id of the intent."),
    clientOrderId: clientOrderId(),
    orderId: orderId(),
    decisionId: text("The decision behind it.").nullable(),
    symbol: symbol(),
    price: decimal("The new limit."),
    qty: decimal("The new quantity, including what has filled."),
    before: z
      .object({ price: decimal("Limit.").nullable(), qty: decimal("Quantity.") })
      .readonly()
      .meta({ description: "Price and quantity before.", is: "object" }),
    notional: decimal("Value of the changed order, USDT."),
    reason: text("The reason, for people."),
  })
  .readonly();

const amendEnds = {
  event: always("amend-end", "The intent to change an order is over."),
  intentId: text("Id of the intent."),
  clientOrderId: clientOrderId(),
};
const asRead = {
  orderId: orderId(),
  state: text("State of the order."),
  qty: decimal("Its quantity."),
  price: decimal("Its limit.").nullable(),
};

const amendEnd = z.discriminatedUnion("how", [
  z.object({ ...amendEnds, how: always("amended", "The order shows the change."), ...asRead }).readonly(),
  z.object({ ...amendEnds, how: always("order-ended", "The order ended first."), ...asRead }).readonly(),
  z
    .object({
      ...amendEnds,
      how: always("refused", "The venue refused the change."),
      code: text("The venue's code."),
      message: text("The venue's message."),
    })
    .readonly(),
  z
    .object({
      ...amendEnds,
      how: always("not-sent", "The change was never sent."),
      reason: text("The reason, for people."),
    })
    .readonly(),
  z
    .object({
      ...amendEnds,
      how: always("absent", "Enough look-ups over enough time showed the order unchanged."),
      reads: number("Look-ups."),
      spreadMs: span("From the first of them to the last."),
    })
    .readonly(),
]);

export const INTENT = rowForm(
  "intent",
  {
    written: "Before an order is placed or changed, and when the venue's answer or a proof of absence ends the intent.",
    readBy: "A start (intents without an end are looked up at the venue), `ballast explain`, `why` and the verifier.",
  },
  z.discriminatedUnion("event", [open, end, shownEnd, amend, amendEnd]),
);

export type IntentRow = z.output<typeof INTENT.body>;
/** The intent to place an order. */
export type IntentOpenRow = z.output<typeof open>;
export type IntentEndRow = z.output<typeof end>;
/** Which child of a parent order this is. */
export type ChildPart = z.output<typeof part>;
export type AmendRow = z.output<typeof amend>;
type WithoutNames<T> = T extends unknown ? Omit<T, "event" | "intentId" | "clientOrderId"> : never;
/** Why an intent is over, with its evidence. */
export type IntentEnd = WithoutNames<IntentEndRow>;
/** Why the intent to change an order is over. */
export type AmendEnd = WithoutNames<z.output<typeof amendEnd>>;
export const intentRow = INTENT.write;
export const readIntent = INTENT.read;

function predictedText({ predicted }: IntentOpenRow): string {
  if (predicted === undefined) return "";
  const { price, slippageBps, feeBps, noiseBps, liquidity } = predicted;
  return `; predicted ${price} as ${liquidity}, slippage ${bps(slippageBps)} (give or take ${bps(noiseBps)}), fee ${bps(feeBps)}`;
}

function openText(row: IntentOpenRow): string {
  const { order, opening, leg, stopPrice, targetPrice } = row;
  const price = order.limitPrice ? ` at ${shown(order.limitPrice)}` : "";
  const effect = `${opening ? "opens" : "reduces"} ${leg}, ${shown(row.notional)} USDT`;
  const evidence = row.evidence.length > 0 ? ` Evidence: ${row.evidence.join(", ")}` : "";
  return `${row.clientOrderId}: ${order.side} ${shown(order.qty)} ${row.symbol}${price} (${effect}), stop ${shown(stopPrice)}, target ${shown(targetPrice)}: ${shown(row.reason)}${evidence}${predictedText(row)}`;
}

/** Why an intent ended, in the words recorded with its end. */
export const endWords = (row: IntentEnd | AmendEnd): string =>
  "state" in row ? row.state : "reason" in row ? row.reason : "message" in row ? row.message : "";

function happened(row: IntentRow): string {
  switch (row.event) {
    case "open":
      return openText(row);
    case "amend":
      return `${row.clientOrderId}: to ${shown(row.qty)} at ${shown(row.price)}: ${row.reason}`;
    case "shown":
      return `${row.clientOrderId}: its position includes all that it filled`;
    default:
      return `${row.intentId} ended: ${row.how} ${endWords(row)}`;
  }
}

export const intentText = (row: IntentRow): string => line(happened(row), 700);
