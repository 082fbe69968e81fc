/** `cost` rows: the cost of one order as its fills measured it, beside the prediction. */
import { z } from "zod";
import { clientOrderId, decimal, instant, number, oneOf, orderId, position, side, symbol } from "./fields.ts";
import { rowForm } from "./form.ts";
import { bps, line, shown } from "./words.ts";

export const COST = rowForm(
  "cost",
  {
    written: "Seconds after the last fill of an order (docs/PROTECTION.md says how it is measured).",
    readBy: "A start (what the predictions learn from) and `ballast why`.",
  },
  z
    .object({
      orderId: orderId(),
      clientOrderId: clientOrderId(),
      symbol: symbol(),
      leg: position(),
      what: oneOf(["open", "reduce", "close", "stop", "target"], "What the order was for."),
      side: side("Side of the order."),
      atMs: instant("The last fill."),
      valueUsdt: decimal("Value of the fills."),
      feeUsdt: decimal("Fees of the fills."),
      predictedFeeUsdt: decimal("Predicted fee; null if there was no prediction.").nullable().default(null),
      makerShare: number("Share of the value that was filled as maker.").default(0),
      slippageBps: number("Slippage in basis points, against the middle at the decision or the stop's trigger.")
        .nullable()
        .default(null),
      predictedSlippageBps: number("Slippage that was predicted.").nullable().default(null),
      biasBps: number("The part of the prediction that was learnt.").nullable().default(null),
      noiseBps: number("One standard deviation of the prediction.").nullable().default(null),
    })
    .readonly(),
);

export type CostRow = z.output<typeof COST.body>;
export const costRow = COST.write;
export const readCost = COST.read;

/** `BUY SYMBOL (open): slippage 0.40 bp, predicted 0.50 bp (give or take 0.30 bp); fee 0.3 USDT, predicted 0.3`. */
export function costText(row: CostRow): string {
  const predicted = `predicted ${bps(row.predictedSlippageBps)} (give or take ${bps(row.noiseBps)})`;
  const fees = `fee ${shown(row.feeUsdt)} USDT, predicted ${shown(row.predictedFeeUsdt)}`;
  return line(`${row.side} ${row.symbol} (${row.what}): slippage ${bps(row.slippageBps)}, ${predicted}; ${fees}`);
}
