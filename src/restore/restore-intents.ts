/** Intents of earlier runs: those that may be at the venue still, those never sent, and the newest that have ended. */
import type { EndedIntent, PastIntent } from "../agent/books/intents.ts";
import { ENDED_CAP } from "../agent/books/order-tracker.ts";
import { type Decimal, maxDecimal, ZERO } from "../core/decimal.ts";
import { basisOf } from "../domain/closed-trade.ts";
import { readOrderState } from "../domain/order.ts";
import { parseSymbol } from "../domain/symbol.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";
import { type AmendRow, type IntentEndRow, type IntentOpenRow, readIntent } from "../rows/intent.ts";
import { readWireOut, textParam, type WireOutRow } from "../rows/wire-out.ts";
import { firstOrdersOf } from "./first-orders.ts";
import { CLOCK_STEP_MS } from "./row-times.ts";

/** Each has two rows, and one more for each change. */
export const ENDED_ROWS_READ = 4 * ENDED_CAP;
/** An older withdrawal has had no effect, or has ended the order long ago. */
const WITHDRAWALS_COUNT_MS = 60_000;

/** An intent without an end, with the number and the wall time (epoch ms) of its row. */
type OpenIntent = IntentOpenRow & { readonly seq: number; readonly atMs: number };

/** Every intent to place an order that has no end, oldest first. Throws RowError for any row of an intent that does not fit. */
export const openIntents = (reader: JournalReader): readonly OpenIntent[] =>
  openAmong(reader.rows({ kinds: ["intent"] }));

export function openAmong(rows: readonly JournalRow[]): readonly OpenIntent[] {
  const open = new Map<string, OpenIntent>();
  for (const row of rows) {
    const intent = readIntent(row);
    if (intent.event === "open") open.set(intent.intentId, { ...intent, seq: row.seq, atMs: row.atMs });
    else if (intent.event === "end") open.delete(intent.intentId);
  }
  return [...open.values()];
}

/** The newest intents that have an end, oldest first: as many as an agent that never stopped would still know. */
export function endedIntents(reader: JournalReader): readonly EndedIntent[] {
  const opened = new Map<string, OpenIntent>();
  const ended = new Map<string, EndedIntent>();
  for (const row of reader.rows({ kinds: ["intent"], limit: ENDED_ROWS_READ, newest: true })) {
    const intent = readIntent(row);
    if (intent.event === "open") opened.set(intent.intentId, { ...intent, seq: row.seq, atMs: row.atMs });
    const open = intent.event === "end" ? opened.get(intent.intentId) : undefined;
    if (intent.event === "end" && open) ended.set(open.intentId, { ...intentOf(open), ...endingOf(intent) });
    const over = intent.event === "shown" ? ended.get(intent.intentId) : undefined;
    if (over) ended.set(over.clientOrderId, { ...over, unshown: null });
  }
  return [...ended.values()].slice(-ENDED_CAP);
}

/** By exchange: whether the newest order there names the side of its position, as it must in hedge mode alone. */
export function hedgeModesOf(reader: JournalReader): ReadonlyMap<string, boolean> {
  const modes = new Map<string, boolean>();
  for (const row of reader.rows({ kinds: ["intent"], limit: ENDED_ROWS_READ, newest: true })) {
    const intent = readIntent(row);
    const parts = intent.event === "open" ? parseSymbol(intent.symbol) : null;
    if (intent.event === "open" && parts?.ok) modes.set(parts.value.exchange, intent.order.positionSide !== "NONE");
  }
  return modes;
}

const endingOf = (end: IntentEndRow): Omit<EndedIntent, keyof PastIntent> & Pick<EndedIntent, "orderId"> => {
  const none = { orderId: "", state: "NEW" as const, executedQty: ZERO, unsent: false, unshown: null };
  switch (end.how) {
    case "terminal": {
      const state = readOrderState(end.state);
      const { orderId, executedQty, shownQty, filledMs = -Infinity } = end;
      const unshown = shownQty === undefined ? null : { shownQty, filledMs };
      return { ...none, orderId, state, executedQty, ending: state, unshown };
    }
    case "refused":
      return { ...none, ending: end.message };
    case "not-sent":
      return { ...none, unsent: true, ending: end.reason };
    case "absent":
      return { ...none, ending: "ABSENT" };
  }
};

/** Sent intents are looked up at the venue; unsent ones are ended in the journal before anything else. */
export interface Promises {
  readonly sent: readonly PastIntent[];
  /** Client order ids of those that never left. */
  readonly unsent: readonly string[];
}

/** No order leaves before its wire-out row is durable: an intent without one was never sent. */
export function promisesOf(reader: JournalReader, nowMs: number, open = openIntents(reader)): Promises {
  if (open.length === 0) return { sent: [], unsent: [] };
  const sinceSeq = Math.min(...open.map(({ seq }) => seq));
  const sinceMs = Math.min(...open.map(({ atMs }) => atMs)) - CLOCK_STEP_MS;
  const writes = reader
    .rows({ kinds: ["wire-out"], sinceMs })
    .filter(({ seq }) => seq > sinceSeq)
    .map((row) => ({ ...readWireOut(row), seq: row.seq }));
  const left = new Set(writes.map(({ clientOrderId }) => clientOrderId));
  // What the end of a damaged journal held is unknown.
  const knows = (intent: OpenIntent): boolean => reader.opened.state === "ok" && !left.has(intent.clientOrderId);
  const sent = amendedOnes(reader, open.filter((intent) => !knows(intent)).map(intentOf), writes);
  const named = namedOnes(reader, sent, sinceMs);
  return {
    sent: withdrawnOnes(reader, named, nowMs),
    unsent: open.filter(knows).map((intent) => intent.clientOrderId),
  };
}

/** Why it was sent: its position is managed and explained by this thesis, whichever run it fills in. */
function thesisOf({ strategy, reason, evidence, trail }: OpenIntent): Pick<PastIntent, "thesis"> {
  if (strategy === undefined || reason === undefined) return {};
  return { thesis: { strategy, reason, basis: basisOf(evidence), ...(trail ? { trail } : {}) } };
}

const intentOf = (open: OpenIntent): PastIntent => ({
  clientOrderId: open.clientOrderId,
  decisionId: open.decisionId ?? "",
  opening: open.opening,
  promisedAtMs: open.atMs,
  ...(open.notBeforeMs === undefined ? {} : { notBeforeMs: open.notBeforeMs }),
  ...thesisOf(open),
  draft: { order: open.order, stopPrice: open.stopPrice, targetPrice: open.targetPrice },
});

/**
 * An intent whose order was being changed: until it is read, nobody knows which version the venue has, so the larger
 * size at the higher price counts. A change that left and has no end is still under way.
 */
function amendedOnes(
  reader: JournalReader,
  intents: readonly PastIntent[],
  writes: readonly (WireOutRow & { readonly seq: number })[],
): readonly PastIntent[] {
  if (intents.length === 0) return intents;
  const amends = new Map<string, AmendRow & { readonly seq: number }>();
  const ended = new Set<string>();
  for (const row of reader.rows({ kinds: ["intent"] })) {
    const intent = readIntent(row);
    if (intent.event === "amend") amends.set(intent.intentId, { ...intent, seq: row.seq });
    else if (intent.event === "amend-end") ended.add(intent.intentId);
  }
  const isUnderWay = ({ intentId, orderId, seq }: AmendRow & { readonly seq: number }): boolean =>
    !ended.has(intentId) &&
    (reader.opened.state !== "ok" ||
      writes.some(
        (write) => write.action === "order.replace" && write.seq > seq && textParam(write, "orderId") === orderId,
      ));
  return intents.map((intent) => {
    const mine = [...amends.values()].filter(({ clientOrderId }) => clientOrderId === intent.clientOrderId);
    const { order } = intent.draft;
    const qty = mine.reduce((most, amend) => maxDecimal(most, amend.qty), order.qty);
    const limitPrice = mine.reduce<Decimal | null>(
      (most, amend) => maxDecimal(most ?? ZERO, amend.price),
      order.limitPrice,
    );
    const amend = mine.findLast(isUnderWay) ?? null;
    return { ...intent, amend, draft: { ...intent.draft, order: { ...order, qty, limitPrice } } };
  });
}

/** By the id that it named, of ours or the venue's, when an order was last withdrawn: not to be repeated too early. Invariant I27. */
export function withdrawalsOf(reader: JournalReader, nowMs: number): ReadonlyMap<string, number> {
  const askedMs = new Map<string, number>();
  for (const row of reader.rows({ kinds: ["wire-out"], sinceMs: nowMs - WITHDRAWALS_COUNT_MS })) {
    const write = readWireOut(row);
    if (write.action !== "order.cancel") continue;
    const id = textParam(write, "clientOrderId") ?? textParam(write, "orderId");
    if (id !== null) askedMs.set(id, Math.min(row.atMs, nowMs));
  }
  return askedMs;
}

/** An order that a reply or a fill has named is that one: the venue may have taken its request twice meanwhile. */
function namedOnes(reader: JournalReader, intents: readonly PastIntent[], sinceMs: number): readonly PastIntent[] {
  if (intents.length === 0) return intents;
  const firsts = firstOrdersOf(reader.rows({ kinds: ["wire-in", "fill"], sinceMs }));
  return intents.map((intent) => {
    const orderId = firsts.get(intent.clientOrderId);
    return orderId === undefined ? intent : { ...intent, orderId };
  });
}

function withdrawnOnes(reader: JournalReader, intents: readonly PastIntent[], nowMs: number): readonly PastIntent[] {
  if (intents.length === 0) return intents;
  const askedMs = withdrawalsOf(reader, nowMs);
  return intents.map((intent) => ({ ...intent, cancelAskedMs: askedMs.get(intent.clientOrderId) ?? null }));
}
