/** Trades of earlier runs from the journal: the closed ones, and what the open positions have cost so far. */
import type { HeldPosition } from "../agent/positions/positions.ts";
import type { PastEnding, PastFill, RestoredTrades } from "../agent/positions/trade-book.ts";
import type { ClosedTrade } from "../domain/closed-trade.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { readTrade, tradeOf } from "../rows/trade.ts";
import type { JournalRow } from "../rows/row.ts";
import { endingsOf } from "./restore-endings.ts";
import type { HeldByKey } from "./restore-positions.ts";

const TRADES_READ = 200;
const FILLS_READ = 5_000;
/** Our clock may have been slightly off when the position was opened. */
const EARLIER_MS = 1_000;

/** A position whose trade is not reported: it is held, or its fills may still come. */
type Unreported = Pick<HeldPosition, "meta" | "begunMs">;

const byKey = (ending: PastEnding): readonly [string, Unreported] => [ending.positionKey, ending];

/** `positions` are those that were open at the end. `timeOf` says when a row was written, our time. */
export function tradesOf(
  reader: JournalReader,
  positions: HeldByKey,
  timeOf: (row: JournalRow) => number,
): RestoredTrades {
  const rows = tradeRows(reader);
  const closed = closedIn(rows);
  const fills = reader
    .rows({ kinds: ["fill"], limit: FILLS_READ, newest: true })
    .map((row) => ({ ...readFill(row), writtenMs: timeOf(row) }));
  const endings = endingsOf(reader, timeOf);
  // Of each key the first position whose trade is not reported.
  const firsts = new Map<string, Unreported>([...positions, ...endings.map(byKey).reverse()]);
  const ended = endedOf(fills, firsts);
  const isOf = (position: Unreported | undefined, atMs: number): boolean =>
    position !== undefined && atMs >= position.meta.openedAtMs - EARLIER_MS;
  const unreported = fills.flatMap(({ writtenMs, ...fill }) => {
    const endedMs = ended.get(fill.leg) ?? -Infinity;
    const isEarlier = fill.opening ? fill.atMs < endedMs : fill.atMs <= endedMs;
    return !isEarlier && isOf(firsts.get(fill.leg), writtenMs) ? [pastFill(fill)] : [];
  });
  const funding = rows.flatMap((row) => {
    const trade = readTrade(row);
    return trade.event === "funding" && isOf(positions.get(trade.leg), timeOf(row))
      ? [{ positionKey: trade.leg, amountUsdt: trade.amountUsdt }]
      : [];
  });
  return { closed, endings, fills: unreported, funding, ended };
}

/**
 * By key, when the last position was closed that is over and reported, by the venue's time. What closed before the first of the
 * others began closed the one before it, however late it was found.
 */
function endedOf(fills: readonly FillRow[], firsts: ReadonlyMap<string, Unreported>): ReadonlyMap<string, number> {
  const ended = new Map<string, number>();
  for (const { leg, opening, atMs } of fills) {
    const first = firsts.get(leg);
    const isOver = !opening && (!first || atMs < first.begunMs);
    if (isOver) ended.set(leg, Math.max(atMs, ended.get(leg) ?? -Infinity));
  }
  return ended;
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
