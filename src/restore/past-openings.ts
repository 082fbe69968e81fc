/** The opening orders of the last minutes, and how much of what each filled the rows about its position show already. */
import type { PositionMeta } from "../agent/positions/positions.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { FillRow } from "../rows/fill.ts";
import { type IntentEndRow, type IntentOpenRow, type IntentRow, readIntent } from "../rows/intent.ts";
import type { JournalRow } from "../rows/row.ts";
import type { FilledOrder } from "../agent/positions/past-fact.ts";

/** A start that comes later finds in the first list what an order filled before it ended. */
const COUNTS_MS = 600_000;
/** How long an order may have rested before it filled. */
const RESTED_MS = 3_600_000;

interface Opening {
  readonly row: JournalRow;
  readonly intent: IntentOpenRow;
  readonly positionKey: string;
  /** What its fills have reported, and how much of that preceded the newest row about its position. */
  filled: Decimal;
  shown: Decimal;
}

/** By intent. */
export type PastOpenings = Map<string, Opening>;

/** The rows that begin or end such orders; none where no order can have ended lately. */
export function openingRows(reader: JournalReader, nowMs: number): readonly JournalRow[] {
  const rows = reader.rows({ kinds: ["intent"], sinceMs: nowMs - COUNTS_MS - RESTED_MS });
  return rows.some(({ atMs }) => nowMs - atMs <= COUNTS_MS) ? rows : [];
}

export function fillOpening(openings: PastOpenings, { clientOrderId, qty }: FillRow): void {
  const opening = openings.get(clientOrderId);
  if (opening) opening.filled = opening.filled.add(qty);
}

/** A row about the position includes the fills so far. */
export function showOpenings(openings: PastOpenings, positionKey: string): void {
  for (const opening of openings.values()) if (opening.positionKey === positionKey) opening.shown = opening.filled;
}

/** When the row was written, and when the start is that reads it; our time. */
interface Heard {
  readonly heardMs: number;
  readonly nowMs: number;
}

/** The order if it has ended, a short while ago, and had filled more than is shown; else null. */
export function takeIntent(openings: PastOpenings, row: JournalRow, heard: Heard): FilledOrder | null {
  const intent: IntentRow = readIntent(row);
  if (intent.event === "open" && intent.opening) {
    const positionKey = positionKeyOf(intent.symbol, intent.leg);
    openings.set(intent.intentId, { row, intent, positionKey, filled: ZERO, shown: ZERO });
  }
  return intent.event === "end" ? endedIn(openings, intent, heard) : null;
}

function endedIn(openings: PastOpenings, end: IntentEndRow, { heardMs, nowMs }: Heard): FilledOrder | null {
  const opening = openings.get(end.intentId);
  openings.delete(end.intentId);
  const qty = end.how === "terminal" ? end.executedQty : ZERO;
  if (!opening || qty.lte(opening.shown) || nowMs - heardMs > COUNTS_MS) return null;
  const avgPrice = opening.intent.order.limitPrice ?? ZERO;
  return { kind: "filled", key: opening.positionKey, meta: planOf(opening, heardMs), avgPrice, qty };
}

function planOf({ intent, row }: Opening, heardMs: number): PositionMeta {
  const { strategy = null, reason: thesis = null, evidence, stopPrice, targetPrice, trail } = intent;
  return {
    ...{ decisionId: row.decisionId, strategy, thesis, basis: basisOf(evidence), stopPrice, targetPrice },
    openedAtMs: Math.min(row.atMs, heardMs),
    ...(trail ? { trail } : {}),
  };
}
