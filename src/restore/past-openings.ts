/** Opening orders of earlier runs whose end filled more than what was known of their positions included. */
import type { FilledOrder } from "../agent/positions/past-fact.ts";
import type { PositionMeta } from "../agent/positions/positions.ts";
import { ZERO } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { type IntentOpenRow, readIntent } from "../rows/intent.ts";
import { type JournalRow, peek } from "../rows/row.ts";
import { ENDED_ROWS_READ } from "./restore-intents.ts";

/** By intent. */
export type PastOpenings = Map<string, { readonly intent: IntentOpenRow; readonly row: JournalRow }>;

/** The rows that begin and end such orders, oldest first. Mostly there are none, and no row is checked. */
export function unshownRows(reader: JournalReader): readonly JournalRow[] {
  const rows = reader.rows({ kinds: ["intent"], limit: ENDED_ROWS_READ, newest: true });
  const unshown = new Set<unknown>();
  for (const row of rows) {
    const intentId = peek(row, "intentId");
    if (peek(row, "event") === "shown") unshown.delete(intentId);
    else if (peek(row, "shownQty") !== undefined) unshown.add(intentId);
  }
  return unshown.size === 0 ? [] : rows.filter((row) => unshown.has(peek(row, "intentId")));
}

/** The order if this row ends it, else null. `heardMs`: when the row was written, our time. */
export function takeIntent(openings: PastOpenings, row: JournalRow, heardMs: number): FilledOrder | null {
  const intent = readIntent(row);
  if (intent.event === "open") openings.set(intent.intentId, { intent, row });
  const opening = intent.event === "end" ? openings.get(intent.intentId) : undefined;
  if (!opening || intent.event !== "end" || intent.how !== "terminal") return null;
  const { symbol, leg, order } = opening.intent;
  const meta = planOf(opening.intent, opening.row, heardMs);
  const key = positionKeyOf(symbol, leg);
  const { executedQty: qty, filledMs = null } = intent;
  return { kind: "filled", key, meta, avgPrice: order.limitPrice ?? ZERO, qty, filledMs };
}

function planOf(intent: IntentOpenRow, { decisionId, atMs }: JournalRow, heardMs: number): PositionMeta {
  const { strategy = null, reason: thesis = null, evidence, stopPrice, targetPrice, trail, notBeforeMs } = intent;
  return {
    ...{ decisionId, strategy, thesis, basis: basisOf(evidence), stopPrice, targetPrice },
    openedAtMs: Math.min(atMs, heardMs),
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    ...(trail ? { trail } : {}),
  };
}
