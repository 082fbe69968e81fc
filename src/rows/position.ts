/** `position` rows: a position was opened, changed its size, or was closed. */
import { z } from "zod";
import { TRADE_BASES } from "../domain/closed-trade.ts";
import { decimal, flag, instant, oneOf, position, positionSide, symbol, text, trail } from "./fields.ts";
import { rowForm } from "./form.ts";
import { line, shown } from "./words.ts";

export const POSITION = rowForm(
  "position",
  {
    written: "When a position is opened, changes its size or is closed, and when a start finds one closed.",
    readBy: "A start (positions with their thesis and stop), `ballast explain` and the verifier.",
  },
  z
    .object({
      leg: position(),
      symbol: symbol(),
      side: positionSide("Side of the position."),
      kind: oneOf(["opened", "resized", "closed"], "What happened."),
      qty: decimal("What is held now; 0 when closed."),
      avgPrice: decimal("Average entry price."),
      decision: text("The decision that opened it; absent where none is known.").optional(),
      strategy: text("The strategy that opened it.").nullable().default(null),
      thesis: text("Why it was opened, for people.").nullable().default(null),
      basis: oneOf(TRADE_BASES, "The basis of the opening.").default("none"),
      stopPrice: decimal("The stop that is wanted.").nullable(),
      targetPrice: decimal("The target that is wanted.").nullable(),
      openedAtMs: instant("When it was opened; null if not known.").nullable().default(null),
      trail: trail(),
      provenMs: instant("The venue's time of the last record that showed it.").optional(),
      begunMs: instant("When it began, by the venue's time.").optional(),
      filledMs: instant(
        "The venue's time of its newest known fill; closed: of the one that closed the last of it.",
      ).optional(),
      missed: flag("Closed, and known only from a list that lacked it.").optional(),
      doubted: flag("A push that may have been late reported it; the next list decides.").optional(),
      stop: text("Closed: the stop that was active then, by the venue's id.").optional(),
    })
    .readonly(),
);

export type PositionRow = z.output<typeof POSITION.body>;
export const positionRow = POSITION.write;
export const readPosition = POSITION.read;

/** `LONG SYMBOL opened: 0.01 at 60000, stop 58800, target -`. */
export function positionText({
  kind,
  side,
  symbol,
  qty,
  avgPrice,
  stopPrice,
  targetPrice,
  missed,
}: PositionRow): string {
  if (kind === "closed") return line(`${side} ${symbol} closed${missed ? ": a list of positions lacked it" : ""}`);
  const prices = `stop ${shown(stopPrice)}, target ${shown(targetPrice)}`;
  return line(`${side} ${symbol} ${kind}: ${shown(qty)} at ${shown(avgPrice)}, ${prices}`);
}
