/** Closes that the venue made without a write of ours: a stop or target that fired, or somebody else's action. */
import { positionKeyOf } from "../../domain/position.ts";
import { type FillRow, readFill } from "../../rows/fill.ts";
import type { JournalRow } from "../../rows/row.ts";
import { type ClosedTradeRow, readTrade } from "../../rows/trade.ts";

/** A position closed by its stop, its target or somebody else. */
export interface VenueClose {
  /** The `trade` row of the close, and its content. */
  readonly row: JournalRow;
  readonly trade: ClosedTradeRow;
  readonly cause: "stop" | "target" | "outside";
  /** The fills that closed the position, as far as they were seen. */
  readonly fills: readonly FillRow[];
}

const CAUSES = ["stop", "target", "outside"] as const;

/** Oldest first; `rows` in the order in which they were written. */
export function venueCloses(rows: readonly JournalRow[]): readonly VenueClose[] {
  const closing = new Map<string, FillRow[]>();
  const closes: VenueClose[] = [];
  for (const row of rows) {
    if (row.kind === "fill") {
      const fill = readFill(row);
      if (!fill.opening) closing.set(fill.leg, [...(closing.get(fill.leg) ?? []), fill]);
    }
    const trade = row.kind === "trade" ? readTrade(row) : null;
    if (trade?.event !== "closed") continue;
    const key = positionKeyOf(trade.symbol, trade.side);
    const cause = CAUSES.find((each) => each === trade.exit);
    const fills = closing.get(key) ?? [];
    closing.delete(key);
    if (cause) closes.push({ row, trade, cause, fills });
  }
  return closes;
}
