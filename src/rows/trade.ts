/** `trade` rows: funding of an open position, and a completed round trip. */
import { z } from "zod";
import { EXIT_CAUSES, TRADE_BASES } from "../domain/closed-trade.ts";
import {
  always,
  decimal,
  decimalOrZero,
  instant,
  number,
  oneOf,
  position,
  positionSide,
  symbol,
  text,
} from "./fields.ts";
import { rowForm, without } from "./form.ts";
import { line, shown } from "./words.ts";

const funding = z
  .object({
    event: always("funding", "A funding settlement of an open position."),
    leg: position(),
    amountUsdt: decimal("USDT received; negative where paid."),
    rate: number("Funding rate, fraction."),
    atMs: instant("The settlement."),
  })
  .readonly();

const closed = z
  .object({
    event: always("closed", "A round trip is over and all its fills are known."),
    id: text("Id of the trade: its position and when that began."),
    symbol: symbol(),
    side: positionSide("Side of the position."),
    qty: decimal("Quantity that was held."),
    entryPrice: decimal("Average entry price."),
    exitPrice: decimal("Average exit price; null if no fill of the exit was seen.").nullable(),
    feesUsdt: decimalOrZero("Fees of all fills."),
    fundingUsdt: decimalOrZero("Funding received less paid."),
    netUsdt: decimal("Result after fees and funding; null if the exit or its result is not known.").nullable(),
    openedAtMs: instant("First fill."),
    closedAtMs: instant("When it was flat."),
    decisionId: text("The decision that opened it.").nullable().default(null),
    strategy: text("The strategy that opened it.").nullable().default(null),
    thesis: text("Why it was opened, for people.").nullable().default(null),
    basis: oneOf(TRADE_BASES, "The basis of the opening.").default("none"),
    exit: oneOf(EXIT_CAUSES, "What ended it.").default("outside"),
    exitReason: text("Why it ended, for people.").default(""),
  })
  .readonly();

export const TRADE = rowForm(
  "trade",
  {
    written: "At a funding settlement of an open position, and when a position is flat and its fills are all in.",
    readBy:
      "A start (own trades, funding), the daily review, `ballast reasons`, `ballast trades`, the run summary and the backtest.",
  },
  z.discriminatedUnion("event", [funding, closed]),
);

export type TradeRow = z.output<typeof TRADE.body>;
/** One round trip. */
export type ClosedTradeRow = z.output<typeof closed>;
export const tradeRow = TRADE.write;
export const readTrade = TRADE.read;

/** The round trip that a row describes. */
export const tradeOf = (row: ClosedTradeRow): Omit<ClosedTradeRow, "event"> => without(row, "event");

/** Funding with its amount, or the round trip with its result. */
export function tradeText(row: TradeRow): string {
  if (row.event === "funding") return line(`${row.leg}: funding ${shown(row.amountUsdt)} USDT at rate ${row.rate}`);
  const result = row.netUsdt ? `${row.netUsdt.toFixed(2)} USDT` : "result not known";
  return line(
    `${row.symbol} ${row.side}: ${shown(row.qty)} from ${shown(row.entryPrice)} to ${shown(row.exitPrice)}, ${result} after costs (${row.exitReason})`,
    400,
  );
}
