/** Positions that were over at the end of the journal and whose trades no row reports yet: their fills may still come. */
import type { PastEnding } from "../agent/positions/trade-book.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readFill } from "../rows/fill.ts";
import { type PositionRow, readPosition } from "../rows/position.ts";
import type { JournalRow } from "../rows/row.ts";
import { type ClosedTradeRow, readTrade } from "../rows/trade.ts";
import { newestRows } from "./newest-rows.ts";
import { metaIn } from "./position-facts.ts";

const ROWS_READ = 5_000;

/** What the rows say of one position until it is over. */
interface Until {
  readonly report: PositionRow | null;
  readonly fundingUsdt: Decimal;
  readonly knownMs: number;
}

const NOTHING: Until = { report: null, fundingUsdt: ZERO, knownMs: -Infinity };

/** With what its row says of when it was opened: rows of older builds may not. */
type Stated = PastEnding & { readonly openedAtMs: number };

/** Oldest first. `timeOf` says when a row was written, our time. */
export function endingsOf(reader: JournalReader, timeOf: (row: JournalRow) => number): readonly PastEnding[] {
  let endings: readonly Stated[] = [];
  const until = new Map<string, Until>();
  const note = (key: string, news: Partial<Until>): void =>
    void until.set(key, { ...(until.get(key) ?? NOTHING), ...news });
  for (const row of newestRows(reader, ["position", "trade", "fill"], ROWS_READ)) {
    if (row.kind === "fill") {
      const { leg, atMs } = readFill(row);
      note(leg, { knownMs: Math.max(atMs, until.get(leg)?.knownMs ?? -Infinity) });
    } else if (row.kind === "trade") {
      const trade = readTrade(row);
      if (trade.event === "funding")
        note(trade.leg, { fundingUsdt: trade.amountUsdt.add(until.get(trade.leg)?.fundingUsdt ?? ZERO) });
      else endings = endings.filter((ending) => !isReported(ending, trade));
    } else {
      const position = readPosition(row);
      const { leg, doubted = false } = position;
      const known = until.get(leg) ?? NOTHING;
      if (position.kind !== "closed") {
        // One that only a list lacked is held after all.
        const back = endings.find(
          (ending) => ending.missed && ending.positionKey === leg && ending.openedAtMs === position.openedAtMs,
        );
        endings = endings.filter((ending) => ending !== back);
        // A later run reports as opened what it finds held.
        const isSame = known.report?.openedAtMs === position.openedAtMs;
        const fundingUsdt = back?.fundingUsdt ?? (isSame ? known.fundingUsdt : ZERO);
        note(leg, { report: position, fundingUsdt });
      } else if (!doubted) {
        if (known.report) endings = [...endings, endingIn(row, position, { ...known, report: known.report }, timeOf)];
        note(leg, { report: null, fundingUsdt: ZERO });
      }
    }
  }
  return endings;
}

/** Of that position or of one before it: trades are reported in sequence, but for those of which nothing more is known. */
const isReported = ({ positionKey, openedAtMs }: Stated, trade: ClosedTradeRow): boolean =>
  positionKey === positionKeyOf(trade.symbol, trade.side) && openedAtMs <= trade.openedAtMs;

function endingIn(
  row: JournalRow,
  closed: PositionRow,
  { report, fundingUsdt, knownMs }: Until & { readonly report: PositionRow },
  timeOf: (row: JournalRow) => number,
): Stated {
  const closedAtMs = timeOf(row);
  return {
    positionKey: closed.leg,
    openedAtMs: closed.openedAtMs ?? -Infinity,
    meta: metaIn(closed, row, closedAtMs),
    ...{ qty: report.qty, avgPrice: report.avgPrice, begunMs: report.begunMs ?? -Infinity },
    ...{ closedAtMs, missed: closed.missed === true, knownMs, fundingUsdt, wanted: null },
  };
}
