/** `fill` rows: one execution of an order, written once however often the venue reports it. */
import { z } from "zod";
import {
  clientOrderId,
  decimal,
  decimalOrZero,
  flag,
  instant,
  oneOf,
  orderId,
  position,
  side,
  symbol,
  text,
} from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, shown } from "./words.ts";

export const FILL = rowForm(
  "fill",
  {
    written: "For every execution that concerns the account, pushed or found in the list of executions.",
    readBy:
      "A start (executions known, day anchors, trades, costs, positions), `ballast why`, `reasons`, `explain`, the run summary and the verifier.",
  },
  z
    .object({
      transactionId: text("The venue's id of the execution."),
      orderId: orderId(),
      clientOrderId: clientOrderId(),
      symbol: symbol(),
      side: side("Side of the order."),
      qty: decimal("Quantity filled."),
      price: decimal("Price of the execution."),
      fee: decimalOrZero("Fee in USDT, positive where paid."),
      realizedPnl: decimalOrZero(
        "Realised profit before the fee, USDT; zero for opening fills, null where the venue does not say.",
      ).nullable(),
      liquidity: oneOf(["MAKER", "TAKER"], "Whether the order rested in the book or took from it."),
      atMs: instant("The venue's time of the execution."),
      leg: position("The position it belongs to, `SYMBOL|LONG` or `SYMBOL|SHORT`."),
      opening: flag("Whether it adds to the position."),
      beforeDay: flag("True if the equity that the day began with includes it, though it was heard later.").optional(),
      reverses: flag("True of an opening in one-way mode: it first closed what the other side held.").optional(),
    })
    .readonly(),
);

/** Money in USDT, quantities in the venue's unit. */
export type FillRow = z.output<typeof FILL.body>;
export const fillRow = FILL.write;
export const readFill = FILL.read;

/** `BUY 0.01 SYMBOL at 60000, fee 0.3, realised 0, TAKER, transaction 77`. */
export const fillText = (row: FillRow): string => line(`${fillWords(row)}, transaction ${row.transactionId}`);

/** The same without the transaction id. */
export const fillWords = ({ side, qty, symbol, price, fee, realizedPnl, liquidity }: FillRow): string =>
  `${side} ${shown(qty)} ${symbol} at ${shown(price)}, fee ${shown(fee)}, realised ${shown(realizedPnl)}, ${liquidity}`;
