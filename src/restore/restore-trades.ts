/** Trades of earlier runs from the journal: the closed ones, and what the open positions have cost so far. */
import type { PastFill, RestoredTrades } from "../agent/positions/trade-book.ts";
import type { ClosedTrade } from "../domain/closed-trade.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { readTrade, tradeOf } from "../rows/trade.ts";
import type { HeldByKey } from "./restore-positions.ts";

const TRADES_READ = 200;
const FILLS_READ = 5_000;
/** Our clock may have been slightly off when the position was opened. */
const EARLIER_MS = 1_000;

/** `positions` are those that were open at the end. */
export function tradesOf(reader: JournalReader, positions: HeldByKey): RestoredTrades {
  const trades = reader
    .rows({ kinds: ["trade"], limit: TRADES_READ, newest: true })
    .map((row) => ({ atMs: row.atMs, trade: readTrade(row) }));
  const closed = new Map<string, ClosedTrade>();
  for (const { trade } of trades) if (trade.event === "closed") closed.set(trade.id, tradeOf(trade));
  if (positions.size === 0) return { closed: [...closed.values()], fills: [], funding: [] };
  const isOfOpen = (key: string, atMs: number): boolean => {
    const held = positions.get(key);
    return held !== undefined && atMs >= held.meta.openedAtMs - EARLIER_MS;
  };
  const sinceMs = Math.min(...[...positions.values()].map((held) => held.meta.openedAtMs)) - EARLIER_MS;
  const fills = reader.rows({ kinds: ["fill"], sinceMs, limit: FILLS_READ, newest: true }).flatMap((row) => {
    const fill = readFill(row);
    // What closed before the position began closed the one before it, however late it was found.
    const isEarlier = !fill.opening && fill.atMs < (positions.get(fill.leg)?.begunMs ?? -Infinity);
    return !isEarlier && isOfOpen(fill.leg, row.atMs) ? [pastFill(fill)] : [];
  });
  const funding = trades.flatMap(({ trade, atMs }) =>
    trade.event === "funding" && isOfOpen(trade.leg, atMs)
      ? [{ positionKey: trade.leg, amountUsdt: trade.amountUsdt }]
      : [],
  );
  return { closed: [...closed.values()], fills, funding };
}

/** A fill in the form that the trade book takes. */
export const pastFill = ({ leg: positionKey, opening, ...execution }: FillRow): PastFill => ({
  positionKey,
  opening,
  execution,
});
