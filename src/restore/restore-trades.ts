/** Trades of earlier runs from the journal: the closed ones, and what the open positions have cost so far. */
import type { PastFill, RestoredTrades } from "../agent/positions/trade-book.ts";
import type { ClosedTrade } from "../domain/closed-trade.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { readTrade, tradeOf } from "../rows/trade.ts";
import type { JournalRow } from "../rows/row.ts";
import type { HeldByKey } from "./restore-positions.ts";

const TRADES_READ = 200;
const FILLS_READ = 5_000;
/** Our clock may have been slightly off when the position was opened. */
const EARLIER_MS = 1_000;

/** `positions` are those that were open at the end. `timeOf` says when a row was written, our time. */
export function tradesOf(
  reader: JournalReader,
  positions: HeldByKey,
  timeOf: (row: JournalRow) => number,
): RestoredTrades {
  const rows = tradeRows(reader);
  const closed = closedIn(rows);
  if (positions.size === 0) return { closed, fills: [], funding: [] };
  const isOfOpen = (key: string, atMs: number): boolean => {
    const held = positions.get(key);
    return held !== undefined && atMs >= held.meta.openedAtMs - EARLIER_MS;
  };
  const sinceMs = Math.min(...[...positions.values()].map((held) => held.meta.openedAtMs)) - EARLIER_MS;
  const fills = reader.rows({ kinds: ["fill"], sinceMs, limit: FILLS_READ, newest: true }).flatMap((row) => {
    const fill = readFill(row);
    return isOfOpen(fill.leg, timeOf(row)) ? [fill] : [];
  });
  const begins = closedBefore(fills, positions);
  const ofHeld = fills.filter(({ leg, atMs }) => atMs > (begins.get(leg) ?? -Infinity));
  const funding = rows.flatMap((row) => {
    const trade = readTrade(row);
    return trade.event === "funding" && isOfOpen(trade.leg, timeOf(row))
      ? [{ positionKey: trade.leg, amountUsdt: trade.amountUsdt }]
      : [];
  });
  return { closed, fills: ofHeld.map(pastFill), funding };
}

/**
 * When the position before each held one was last closed, by the venue's time: what closed before the held one began closed
 * the one before it, however late it was found, and what had filled until then was that one's.
 */
function closedBefore(fills: readonly FillRow[], positions: HeldByKey): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  for (const { leg, opening, atMs } of fills) {
    const isEarlier = !opening && atMs < (positions.get(leg)?.begunMs ?? -Infinity);
    if (isEarlier) at.set(leg, Math.max(atMs, at.get(leg) ?? -Infinity));
  }
  return at;
}

/** The closed ones alone, newest row of each. */
export const closedTradesOf = (reader: JournalReader): readonly ClosedTrade[] => closedIn(tradeRows(reader));

const tradeRows = (reader: JournalReader): readonly JournalRow[] =>
  reader.rows({ kinds: ["trade"], limit: TRADES_READ, newest: true });

function closedIn(rows: readonly JournalRow[]): readonly ClosedTrade[] {
  const closed = new Map<string, ClosedTrade>();
  for (const row of rows) {
    const trade = readTrade(row);
    if (trade.event === "closed") closed.set(trade.id, tradeOf(trade));
  }
  return [...closed.values()];
}

/** A fill in the form that the trade book takes. */
export const pastFill = ({ leg: positionKey, opening, ...execution }: FillRow): PastFill => ({
  positionKey,
  opening,
  execution,
});
