/** What orders that the venue took twice had opened at the end of the journal, in the sequence of its rows. Invariant I2. */
import type { PastSurplus } from "../agent/books/tracked.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { positionKeyOf } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import { readFill } from "../rows/fill.ts";
import { type IntentRow, readIntent } from "../rows/intent.ts";
import { readPosition } from "../rows/position.ts";
import { firstOrdersOf } from "./first-orders.ts";
import { newestRows } from "./newest-rows.ts";
import { ENDED_ROWS_READ, withdrawalsOf } from "./restore-intents.ts";

type Opened = Extract<IntentRow, { event: "open" }>;
type Second = PastSurplus["seconds"][number];

/** By position; those of one that is over are over with it. `nowMs` is epoch ms. */
export function surplusOf(reader: JournalReader, nowMs: number): readonly PastSurplus[] {
  const rows = newestRows(reader, ["intent", "wire-in", "fill", "position"], ENDED_ROWS_READ);
  const firsts = firstOrdersOf(rows);
  const opened = new Map<string, Opened>();
  const found = new Map<string, { seconds: Map<string, Second>; reducing: Set<string>; reducedQty: Decimal }>();
  for (const row of rows) {
    if (row.kind === "position") {
      const { kind, leg, doubted = false } = readPosition(row);
      if (kind === "closed" && !doubted) found.delete(leg);
    } else if (row.kind === "fill") {
      const { clientOrderId, orderId, qty, leg, opening } = readFill(row);
      if (!opened.get(clientOrderId)?.opening || !opening) continue;
      if (orderId === firsts.get(clientOrderId)) continue;
      const known = found.get(leg) ?? {
        seconds: new Map<string, Second>(),
        reducing: new Set<string>(),
        reducedQty: ZERO,
      };
      const before = known.seconds.get(orderId)?.qty ?? ZERO;
      known.seconds.set(orderId, { clientOrderId, orderId, qty: before.add(qty), cancelAskedMs: null });
      found.set(leg, known);
    } else if (row.kind === "intent") {
      const intent = readIntent(row);
      const promised = opened.get(intent.intentId);
      if (intent.event === "open") {
        opened.set(intent.intentId, intent);
        if (!intent.opening) found.get(positionKeyOf(intent.symbol, intent.leg))?.reducing.add(intent.intentId);
      } else if (intent.event === "end" && intent.how === "terminal" && promised) {
        const known = found.get(positionKeyOf(promised.symbol, promised.leg));
        if (known?.reducing.has(intent.intentId)) known.reducedQty = known.reducedQty.add(intent.executedQty);
      }
    }
  }
  if (found.size === 0) return [];
  const askedMs = withdrawalsOf(reader, nowMs);
  return [...found.values()].map(({ seconds, reducedQty }) => ({
    seconds: [...seconds.values()].map((one) => ({ ...one, cancelAskedMs: askedMs.get(one.orderId) ?? null })),
    reducedQty,
  }));
}
