/** `equity` rows: the value of the account, with the anchors of the UTC day. */
import { z } from "zod";
import { decimal, instant, number, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { shown } from "./words.ts";
import { counted } from "../core/words.ts";

const anchors = z
  .object({
    day: text("UTC date, `2026-07-01`."),
    fromMs: instant("Our time: fills since then are counted; absent: midnight.").optional(),
    equityStartUsdt: decimal("Equity at its start."),
    unrealizedStartUsdt: decimal("Unrealised result at its start."),
    feesUsdt: decimal("Fees paid since."),
    realizedUsdt: decimal("Result realised since."),
  })
  .readonly();

export const EQUITY = rowForm(
  "equity",
  {
    written: "Every minute while the account is known.",
    readBy: "A start (the day's anchors, the score), `ballast status` without an agent, the run summary, the backtest.",
  },
  z
    .object({
      equityUsdt: decimal("Equity, open positions at their marks."),
      positions: number("How many positions are open."),
      anchors: anchors
        .nullable()
        .default(null)
        .meta({ description: "What the day is counted from; null before it is known." }),
    })
    .readonly(),
);

export type EquityRow = z.output<typeof EQUITY.body>;
export const equityRow = EQUITY.write;
export const readEquity = EQUITY.read;

export const equityText = ({ equityUsdt, positions }: EquityRow): string =>
  `${shown(equityUsdt)} USDT, ${counted(positions, "position")}`;
