/** `markout` rows: how a post-only entry ended, and where the middle of the book stood afterwards. */
import { z } from "zod";
import { always, decimal, list, number, oneOf, position, side, span, symbol, text } from "./fields.ts";
import { rowForm } from "./form.ts";
import { bps, line, shown } from "./words.ts";

/** `filled`: as maker. `crossed`: taken after the wait. `missed`: not entered at all. */
export const ENTRY_ENDS = ["filled", "crossed", "missed"] as const;
export type EntryEnd = (typeof ENTRY_ENDS)[number];

const begin = z
  .object({
    event: always("begin", "A part of the entry was filled, or the rest of it was given up."),
    id: text("Id of the observation."),
    symbol: symbol(),
    leg: position(),
    side: side("Side of the entry."),
    ended: oneOf(ENTRY_ENDS, "How it ended."),
    valueUsdt: decimal("Value of that part."),
    waitedMs: span("From the decision until then."),
    crossBps: number("Slippage and fee that crossing at the decision was predicted to cost."),
    paidBps: number("Slippage and fee against the middle at the decision; null for a miss.").nullable(),
    movedBps: number("Move of the middle since the decision, positive in favour of the entry."),
  })
  .readonly();

const end = z
  .object({
    event: always("end", "The last horizon has passed."),
    id: text("Id of the observation."),
    moves: list(
      z
        .object({
          afterMs: span("Time since the end of the entry."),
          movedBps: number("Move of the middle since the decision; null where no quote was seen in time.").nullable(),
        })
        .readonly(),
      "One for each horizon.",
    ),
  })
  .readonly();

export const MARKOUT = rowForm(
  "markout",
  {
    written: "When a part of a post-only entry is filled or given up, and half an hour later (docs/EXECUTION.md).",
    readBy: "`ballast report`.",
  },
  z.discriminatedUnion("event", [begin, end]),
);

export type MarkoutRow = z.output<typeof MARKOUT.body>;
export type MarkoutBegin = z.output<typeof begin>;
export const markoutRow = MARKOUT.write;
export const readMarkout = MARKOUT.read;

/** `BUY SYMBOL filled after 3.0 s: paid 0.30 bp, crossing 2.25 bp`, or the moves afterwards. */
export function markoutText(row: MarkoutRow): string {
  if (row.event === "end") {
    const moves = row.moves.map(({ afterMs, movedBps }) => `${bps(movedBps)} after ${afterMs / 60_000} min`);
    return line(`entry ${row.id}: the price had moved ${moves.join(", ")}`);
  }
  const paid = row.paidBps === null ? "nothing paid" : `paid ${bps(row.paidBps)}`;
  const after = `${row.ended} after ${(row.waitedMs / 1_000).toFixed(1)} s`;
  return line(
    `${row.side} ${row.symbol} ${after}, ${shown(row.valueUsdt)} USDT: ${paid}, crossing ${bps(row.crossBps)}`,
  );
}
