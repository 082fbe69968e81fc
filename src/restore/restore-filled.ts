/**
 * What opening orders filled just before the previous run ended, not yet reported by a position row: the first lists of
 * the next run may lag behind it. Fault R9; invariants I9, I14.
 */
import type { RestoredPosition } from "../agent/positions/restored-position.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";
import { type FillRow, readFill } from "../rows/fill.ts";
import { type IntentEndRow, type IntentOpenRow, readIntent } from "../rows/intent.ts";
import { readPosition } from "../rows/position.ts";

/** A start that comes later finds it in the first list. */
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

/** By position, what ended orders filled since the last position row: the restored size comes from these fills alone. */
export function filledUntold(reader: JournalReader, nowMs: number): ReadonlyMap<string, RestoredPosition> {
  const openings = new Map<string, Opening>();
  const unreported = new Map<string, RestoredPosition>();
  const sinceMs = nowMs - COUNTS_MS - RESTED_MS;
  const rows = reader.rows({ kinds: ["intent", "fill", "position"], sinceMs });
  // Of an order that ended earlier nothing counts; a command is over sooner than the checks of all these rows.
  if (!rows.some((row) => row.kind === "intent" && nowMs - row.atMs <= COUNTS_MS)) return unreported;
  for (const row of rows) {
    if (row.kind === "position") {
      const { leg: positionKey } = readPosition(row);
      unreported.delete(positionKey);
      for (const opening of openings.values()) if (opening.positionKey === positionKey) opening.shown = opening.filled;
    } else if (row.kind === "fill") {
      const fill = readFill(row);
      const opening = openings.get(fill.clientOrderId);
      if (opening) opening.filled = opening.filled.add(fill.qty);
      else if (!fill.opening) takeFrom(unreported, fill, row.atMs);
    } else {
      const intent = readIntent(row);
      if (intent.event === "open" && intent.opening) {
        const positionKey = positionKeyOf(intent.symbol, intent.leg);
        openings.set(intent.intentId, { row, intent, positionKey, filled: ZERO, shown: ZERO });
      } else if (intent.event === "end") {
        const ended = endedIn(openings, { end: intent, atMs: row.atMs }, nowMs);
        if (ended) unreported.set(...ended);
      }
    }
  }
  return unreported;
}

function takeFrom(unreported: Map<string, RestoredPosition>, fill: FillRow, heardMs: number): void {
  const held = unreported.get(fill.leg);
  if (!held) return;
  const left = held.qty.sub(fill.qty);
  const over = { ...held, takenQty: held.qty, lastFill: { atMs: fill.atMs, heardMs } };
  unreported.set(fill.leg, left.gt(0) ? { ...held, qty: left } : over);
}

interface Ended {
  readonly end: IntentEndRow;
  readonly atMs: number;
}

function endedIn(openings: Map<string, Opening>, { end, atMs }: Ended, nowMs: number) {
  const opening = openings.get(end.intentId);
  openings.delete(end.intentId);
  const qty = end.how === "terminal" ? end.executedQty : ZERO;
  if (!opening || qty.lte(opening.shown) || nowMs - atMs > COUNTS_MS) return null;
  return [opening.positionKey, positionFrom(opening, qty, Math.min(atMs, nowMs))] as const;
}

function positionFrom(
  { intent, row: { decisionId, atMs } }: Opening,
  qty: Decimal,
  reportedMs: number,
): RestoredPosition {
  const { strategy = null, reason = null, evidence, stopPrice, targetPrice, order, trail } = intent;
  return {
    decisionId,
    strategy,
    thesis: reason,
    basis: basisOf(evidence),
    stopPrice,
    targetPrice,
    openedAtMs: Math.min(atMs, reportedMs),
    qty,
    avgPrice: order.limitPrice ?? ZERO,
    reportedMs,
    standingAlgoId: null,
    ...(trail ? { trail } : {}),
  };
}
