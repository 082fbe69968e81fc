/**
 * The positions at the start of a run: the facts of the journal go through the functions that apply what a running agent hears,
 * so that a restart is a silence and not a second telling. Fault P1; invariants I5, I9.
 */
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import { otherSide, positionKeyOf, positionOf, type Position } from "../../domain/position.ts";
import { type HeldPosition, isTaken, newHeld, planAfter } from "./held-position.ts";
import { adoptSafer } from "./held-stop.ts";
import type { EndedPosition, FilledOrder, PastExecution, PastFact, PastStop, ReportedPosition } from "./past-fact.ts";
import {
  changePosition,
  closeHeld,
  createPositionBook,
  NO_SURROUNDINGS,
  openPosition,
  type PositionBook,
  type Surroundings,
} from "./position-book.ts";
import { reversePosition, takeFromPosition } from "./position-exits.ts";
import type { PositionFill } from "./position-fills.ts";
import { askedToEnd, stopOver } from "./position-stops.ts";

/** What only the past needs, by position. */
interface Recalling {
  readonly book: PositionBook;
  /** When the order was sent that opened it, where no row about it says when it began: older fills are another's. */
  readonly promisedMs: Map<string, number>;
}

type At<Fact> = Fact & { readonly heardMs: number };

/** What was held is held until a report says otherwise, but nothing of this run has confirmed it. `nowMs` is our time. */
export function recall(
  facts: readonly PastFact[],
  nowMs: number,
  surroundings: Surroundings = NO_SURROUNDINGS,
): PositionBook {
  const book = createPositionBook(surroundings);
  const recalling: Recalling = { book, promisedMs: new Map() };
  for (const fact of facts) take(recalling, fact);
  for (const held of book.held.values()) awake(book, held, nowMs);
  return book;
}

function take(recalling: Recalling, fact: PastFact): void {
  const { book } = recalling;
  switch (fact.kind) {
    case "reported":
      return takeReport(recalling, fact);
    case "over":
      return takeEnd(recalling, fact);
    case "fill":
      return takeFill(recalling, fact);
    case "filled":
      return takeOrder(recalling, fact);
    case "close-requested": {
      const held = book.held.get(fact.key);
      if (held) held.closeAskedMs = fact.heardMs;
      return;
    }
    case "tail-lost":
      for (const held of book.held.values()) held.readAtMs = held.sizedMs = held.aheadMs = 0;
      book.fills.clear();
      return;
    default:
      return takeStop(book, fact);
  }
}

interface Dated {
  readonly provenMs: number | null;
  readonly begunMs: number | null;
}

/** In the form of a record. A row has fewer fields than one. */
const recordOf = (
  { key, qty, avgPrice, meta }: Pick<ReportedPosition, "key" | "qty" | "avgPrice" | "meta">,
  { provenMs, begunMs }: Dated,
): Position => ({
  ...positionOf(key),
  ...{ qty, avgPrice, markPrice: avgPrice, unrealizedPnl: ZERO, leverage: 1, liquidationPrice: null },
  createdAtMs: begunMs ?? meta.openedAtMs,
  updatedAtMs: provenMs ?? 0,
});

const UNDATED: Dated = { provenMs: null, begunMs: null };

/** A row about a position includes every fill that was known when it was written. */
function takeReport({ book, promisedMs }: Recalling, fact: At<ReportedPosition>): void {
  const { key, qty, heardMs, filledMs, doubted } = fact;
  if (filledMs !== null) noteFill(book, key, { atMs: filledMs, heardMs });
  const before = book.held.get(key);
  const grew = !before?.position.qty.gte(qty);
  const aheadMs = before?.aheadMs ?? heardMs;
  const openedAtMs = before?.meta.openedAtMs ?? Infinity;
  const record = recordOf(fact, fact);
  const updatedAtMs = Math.max(record.updatedAtMs, filledMs ?? 0);
  const { held } = changePosition(book, { ...record, updatedAtMs }, heardMs);
  // Rows of one clock agree; of those before and after it was set back the earliest is the nearest.
  held.meta = held === before ? { ...fact.meta, openedAtMs: Math.min(openedAtMs, fact.meta.openedAtMs) } : fact.meta;
  held.proven = { qty: doubted ? ZERO : qty, atMs: fact.provenMs ?? -Infinity, heardMs };
  held.reportedMs = held.proven.atMs;
  held.begunMs = fact.begunMs ?? -Infinity;
  held.unsureSinceMs = doubted ? heardMs : null;
  // A list that lags shows more where the position shrank.
  held.aheadMs = grew ? heardMs : aheadMs;
  promisedMs.delete(key);
}

function takeEnd({ book, promisedMs }: Recalling, fact: At<EndedPosition>): void {
  const { key, meta, heardMs, missed, filledMs, stop } = fact;
  const known = book.held.get(key);
  if (fact.doubted) {
    book.held.delete(key);
    return;
  }
  promisedMs.delete(key);
  const held = known ?? newHeld(recordOf({ key, qty: ZERO, avgPrice: ZERO, meta }, UNDATED), meta, heardMs);
  held.repliedAlgoId = stop ?? held.repliedAlgoId;
  if (filledMs !== null) {
    held.takenQty = held.position.qty;
    held.takenMs = Math.max(held.takenMs, filledMs);
    // Fills until then are counted, whether or not a row reports them.
    held.position = { ...held.position, updatedAtMs: Math.max(held.position.updatedAtMs, filledMs) };
  }
  closeHeld(book, held, heardMs, { missed: missed && (known === undefined || !isTaken(held)) });
}

/** Returns whether the fill is newer, by the venue's time, than all that were known. */
function noteFill({ fills }: PositionBook, key: string, fill: PositionFill): boolean {
  const isNewest = fill.atMs > (fills.newestMs(key) ?? -Infinity);
  fills.note(key, fill);
  return isNewest;
}

function takeFill({ book, promisedMs }: Recalling, fact: At<PastExecution>): void {
  const { key, opening, qty, atMs, heardMs } = fact;
  const { symbol, side } = positionOf(key);
  if (fact.reverses) reversePosition(book, positionKeyOf(symbol, otherSide(side)), qty, { atMs, heardMs });
  const isNewest = noteFill(book, key, { atMs, heardMs, opens: opening });
  const held = book.held.get(key);
  if (!opening) {
    if (atMs < (promisedMs.get(key) ?? -Infinity)) book.past.took(key, qty, { atMs, heardMs });
    else takeFromPosition(book, key, qty, { atMs, heardMs });
    return;
  }
  // An older fill is part of what was reported.
  if (!held || !isNewest || atMs < held.begunMs || atMs <= held.proven.atMs) return;
  isHeldSurely(held, qty, heardMs);
}

/** Even what only a late push showed is surely held once it is filled, and a list from before that need not show it. */
function isHeldSurely(held: HeldPosition, qty: Decimal, heardMs: number): void {
  held.proven.qty = maxDecimal(held.proven.qty, qty);
  held.unsureSinceMs = null;
  held.readAtMs = held.sizedMs = held.aheadMs = Math.max(held.aheadMs, heardMs);
}

function takeOrder({ book, promisedMs }: Recalling, fact: At<FilledOrder>): void {
  const { key, qty, meta, filledMs, heardMs } = fact;
  if (filledMs !== null) noteFill(book, key, { atMs: filledMs, heardMs, opens: true });
  const before = book.held.get(key);
  if (before) {
    before.meta = planAfter(before.side, before.meta, meta);
    before.position = { ...before.position, qty: maxDecimal(before.position.qty, qty) };
    isHeldSurely(before, qty, heardMs);
  } else {
    const { held } = openPosition(book, recordOf(fact, UNDATED), heardMs);
    held.meta = meta;
    isHeldSurely(held, qty, heardMs);
    promisedMs.set(key, meta.notBeforeMs ?? meta.openedAtMs);
  }
}

function takeStop(book: PositionBook, fact: At<PastStop>): void {
  switch (fact.kind) {
    case "stop-cancelled":
      return askedToEnd(book, fact.algoOrderId, fact.heardMs);
    case "stop-resized":
      for (const held of book.held.values())
        if (held.repliedAlgoId === fact.algoOrderId)
          held.shrinking = { algoOrderId: fact.algoOrderId, qty: fact.qty, updatedMs: fact.heardMs };
      return;
    case "stop-requested":
      book.known.asked(fact.clientOrderId, fact.stop);
      break;
    case "stop-over":
      stopOver(book, fact.key, fact.algoOrderId, fact.heardMs);
      break;
    default:
  }
  const held = book.held.get(fact.key);
  if (!held) return;
  if (fact.kind === "stop-moved") {
    held.meta = { ...held.meta, stopPrice: fact.stopPrice };
    return;
  }
  held.repliedAlgoId = held.stood = null;
  if (fact.kind !== "stop-stands") return;
  const { algoOrderId, stopPrice, external, heardMs } = fact;
  // No reply of ours named the stop of somebody else: it is not ours to cancel.
  held.repliedAlgoId = external ? null : algoOrderId;
  held.stood = algoOrderId === null ? null : { algoOrderId, heardMs };
  adoptSafer(held, stopPrice);
}

/** As the last run would hold it now if it had gone on and heard nothing more. */
function awake({ fills }: PositionBook, held: HeldPosition, nowMs: number): void {
  held.isUnconfirmed = held.isUndated = true;
  held.unprotectedSinceMs = nowMs;
  // What was reported to have grown without a fill was filled at the latest then: an older record does not show it.
  const fill = fills.newest(held.key);
  if (held.aheadMs > 0 && (fill === null || fill.heardMs < held.aheadMs))
    fills.note(held.key, { atMs: held.aheadMs, heardMs: held.aheadMs });
}
