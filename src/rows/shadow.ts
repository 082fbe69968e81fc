/** `shadow` rows: the present paper account of a shadow strategy. */
import { z } from "zod";
import { decimal, instant, list, number, oneOf, positionSide, symbol, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { counted } from "../core/words.ts";

const position = z
  .object({
    symbol: symbol(),
    side: positionSide("Side of the position."),
    qty: decimal("Contracts."),
    avgPrice: decimal("Average entry price."),
    stopPrice: decimal("Stop.").nullable(),
    targetPrice: decimal("Target.").nullable(),
    openedAtMs: instant("When it was opened."),
    thesis: text("The reason, for people."),
    contractSize: decimal("Base units per contract."),
  })
  .readonly();

const account = z
  .object({
    sinceMs: instant("When the account began."),
    balance: decimal("USDT without open positions."),
    legs: list(position, "Open positions."),
    totals: z
      .object({
        decisions: number("Decisions."),
        failed: number("Decisions it failed to make."),
        trades: number("Round trips."),
        wins: number("Those that won."),
        fees: decimal("Fees paid."),
        spread: decimal("Spread and slippage paid."),
        funding: decimal("Funding paid."),
        traded: decimal("Value of all fills; absent for an account that began before it was counted.").optional(),
        modelUsd: decimal("What its models cost, USD."),
      })
      .readonly()
      .meta({ description: "Sums since the account began." }),
    day: z
      .object({
        name: text("UTC date."),
        startEquity: decimal("Equity at its start."),
        fees: decimal("Fees since."),
        modelUsd: decimal("Models since, USD."),
      })
      .readonly()
      .meta({ description: "The running UTC day." }),
    peak: number("Highest equity."),
    maxDrawdown: number("Largest fall from a peak, fraction."),
    returns: z
      .object({
        count: number("Ten-minute returns."),
        mean: number("Their mean."),
        squares: number("Sum of squared deviations."),
        lastEquity: number("Equity at the last."),
        lastAtMs: instant("The last."),
      })
      .readonly()
      .optional()
      .meta({ description: "Ten-minute returns, summed, in rows of earlier versions." }),
    score: z
      .object({
        dayOpen: z
          .object({ atMs: instant("00:00 UTC."), equity: number("Equity then.") })
          .readonly()
          .nullable()
          .meta({ description: "The reading that began the running day; null where none was near." }),
        days: list(z.number(), "Returns of completed days, 00:00 to 23:00 UTC."),
        peak: number("Highest equity at a full hour."),
        drawdown: number("Largest fall over full hours, fraction."),
        lastHourMs: instant("The last full hour that was read."),
      })
      .readonly()
      .optional()
      .meta({ description: "What the organiser would count; absent in rows of earlier versions." }),
    closes: list(z.tuple([z.string(), z.number()]).readonly(), "Positions and when each was last closed."),
    openings: list(
      z
        .object({ symbol: symbol(), side: positionSide("Side of the position."), atMs: instant("When it was opened.") })
        .readonly(),
      "Openings of the last day, oldest first; absent in rows of earlier versions.",
    ).optional(),
  })
  .readonly();

export const SHADOW = rowForm(
  "shadow",
  {
    written: "When a shadow is seated, trades or ends, from time to time, and before a stop.",
    readBy: "A start (scores continue) and `ballast strategy` without an agent.",
  },
  z
    .object({
      event: oneOf(["seated", "traded", "marked", "ended"], "What happened."),
      book: text("Name of the shadow."),
      strategy: text("Its strategy."),
      hash: text("Hash of strategy and settings: another one begins a new account."),
      account: account.meta({
        description: "The paper account: balance, positions, totals, day, score.",
        is: "object",
      }),
    })
    .readonly(),
);

export type ShadowRow = z.output<typeof SHADOW.body>;
/** A paper account as its row stores it. */
export type PaperAccountRow = z.output<typeof account>;
export const shadowRow = SHADOW.write;
export const readShadow = SHADOW.read;

export const shadowText = ({ event, book, account }: ShadowRow): string =>
  `${book} ${event}: ${account.balance.toFixed(2)} USDT, ${counted(account.legs.length, "position")}, ${counted(account.totals.trades, "trade")}`;
