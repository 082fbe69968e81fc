/** What an opening order rests on at the instant before it leaves: a member of `wire-out` and `wire-in` rows. */
import { z } from "zod";
import { decimal, flag, instant, number, span, text, texts } from "./fields.ts";

export const seen = z
  .object({
    atMs: instant("The look."),
    phase: number("Phase of the competition."),
    floor: text("Rung of the equity floor's ladder."),
    hedgeMode: flag("Position mode of the account.").nullable(),
    equityUsdt: decimal("Equity."),
    bookAgeMs: span("Age of the book; null where none came.").nullable(),
    markAgeMs: span("Age of the mark.").nullable(),
    accountAgeMs: span("Age of the account reading.").nullable(),
    clockUncertaintyMs: span("How well the venue's clock is known; null where it never was.").nullable(),
    leverage: number("Leverage of the symbol.").nullable(),
    leverageAgeMs: span("Age of that reading.").nullable(),
    mark: decimal("Mark price.").nullable(),
    rules: z
      .object({
        tick: decimal("Tick."),
        lot: decimal("Lot."),
        minNotional: decimal("Minimum value."),
        contractSize: decimal("Base units per contract."),
      })
      .readonly()
      .nullable()
      .meta({ description: "Trading rules of the symbol; null where not known." }),
    counted: texts("Client order ids of every opening order in the exposure."),
    amends: text("Client order id of the order that is changed; absent for a new order.").optional(),
    intentId: text("The intent to change it.").optional(),
    decisionLifeMs: span("How long the decision has been alive.").optional(),
  })
  .readonly()
  .meta({ id: "seen", description: "The facts behind an opening order just before it is sent." });

/** Figures and their ages; money in USDT. */
export type Seen = z.output<typeof seen>;

export const seenField = () =>
  seen.nullable().meta({ description: "The facts behind an opening order; null for other writes." });
