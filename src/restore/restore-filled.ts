/**
 * What opening orders filled just before the end of the run before, and no row about a position had told yet: the first
 * lists of the next run may lag behind it. Fault R9; invariants I9, I14.
 */
import type { RestoredLeg } from "../agent/legs/leg.ts";
import { type Decimal, ZERO } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { legKey } from "../domain/position.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../journal/rows.ts";
import { fillOf, trailIn } from "./restore-legs.ts";
import { price, text } from "./restore-fields.ts";

/** A start that comes later finds it in the first list. */
const COUNTS_MS = 600_000;
/** So long may an order have rested before it filled. */
const RESTED_MS = 3_600_000;

type Body = Readonly<Record<string, unknown>>;

interface Opening {
  readonly row: JournalRow;
  readonly leg: string;
  /** What its fills have told, and how much of that came before the newest row about its leg. */
  filled: Decimal;
  shown: Decimal;
}

/** By leg, what orders that have ended filled in it since it was last told: its size is theirs alone. */
export function filledUntold(reader: JournalReader, nowMs: number): ReadonlyMap<string, RestoredLeg> {
  const openings = new Map<string, Opening>();
  const untold = new Map<string, RestoredLeg>();
  const sinceMs = nowMs - COUNTS_MS - RESTED_MS;
  for (const row of reader.rows({ kinds: ["intent", "fill", "position"], sinceMs })) {
    const body = row.body as Body;
    const leg = text(body["leg"]) ?? "";
    if (row.kind === "position") {
      untold.delete(leg);
      for (const opening of openings.values()) if (opening.leg === leg) opening.shown = opening.filled;
    } else if (row.kind === "fill") {
      const opening = openings.get(text(body["clientOrderId"]) ?? "");
      const qty = price(body["qty"]) ?? ZERO;
      if (opening) opening.filled = opening.filled.add(qty);
      else if (body["opening"] === false) takeFrom(untold, leg, qty, row);
    } else if (body["event"] === "open" && body["opening"] === true) {
      const key = legKey(String(body["symbol"]), body["leg"] === "SHORT" ? "SHORT" : "LONG");
      openings.set(String(body["intentId"]), { row, leg: key, filled: ZERO, shown: ZERO });
    } else if (body["event"] === "end") {
      const ended = endedIn(openings, row, nowMs);
      if (ended) untold.set(...ended);
    }
  }
  return untold;
}

function takeFrom(untold: Map<string, RestoredLeg>, key: string, qty: Decimal, row: JournalRow): void {
  const leg = untold.get(key);
  if (!leg) return;
  const left = leg.qty.sub(qty);
  untold.set(key, left.gt(0) ? { ...leg, qty: left } : { ...leg, toldMs: 0, takenBy: fillOf(row) });
}

function endedIn(openings: Map<string, Opening>, { body: end, atMs }: JournalRow, nowMs: number) {
  const { intentId, executedQty } = end as Body;
  const opening = openings.get(String(intentId));
  openings.delete(String(intentId));
  const qty = price(executedQty) ?? ZERO;
  if (!opening || qty.lte(opening.shown) || nowMs - atMs > COUNTS_MS) return null;
  return [opening.leg, legFrom(opening.row, qty, Math.min(atMs, nowMs))] as const;
}

function legFrom({ body: told, decisionId, atMs }: JournalRow, qty: Decimal, toldMs: number): RestoredLeg {
  const body = told as Body;
  const { evidence, order } = body as { readonly evidence?: unknown; readonly order?: Body };
  return {
    decisionId,
    strategy: text(body["strategy"]),
    thesis: text(body["reason"]),
    basis: basisOf(Array.isArray(evidence) ? evidence.filter((id) => typeof id === "string") : []),
    stopPrice: price(body["stopPrice"]),
    targetPrice: price(body["targetPrice"]),
    openedAtMs: Math.min(atMs, toldMs),
    qty,
    avgPrice: price(order?.["limitPrice"]) ?? ZERO,
    toldMs,
    standingAlgoId: null,
    ...trailIn(body["trail"]),
  };
}
