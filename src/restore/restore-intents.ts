/** Promises of earlier runs that have no end: what was sent as it may stand at the venue now, and what never left. */
import type { PastIntent } from "../agent/books/intents.ts";
import { dec, Decimal, ZERO } from "../core/decimal.ts";
import { DAY_MS } from "../core/time.ts";
import { basisOf } from "../domain/closed-trade.ts";
import type { PlaceOrder } from "../domain/order.ts";
import { openIntents, type OpenIntent } from "../journal/intents.ts";
import type { JournalReader } from "../journal/reader.ts";
import { trailIn } from "./restore-legs.ts";
import { price, text, type WriteBody } from "./restore-fields.ts";

/** The machine's clock may have been set back since. */
const CLOCK_STEP_MS = DAY_MS;
/** A withdrawal that is older has come to nothing, or has ended the order long ago. */
const WITHDRAWALS_COUNT_MS = 60_000;

type Texts<T> = { readonly [K in keyof T]: unknown };

/** The sent ones are asked for at the venue; the unsent are ended in the journal before anything else. */
export interface Promises {
  readonly sent: readonly PastIntent[];
  /** Client order ids of those that never left. */
  readonly unsent: readonly string[];
}

/** No order leaves before its wire-out row is durable: a promise without one was never sent. */
export function promisesOf(reader: JournalReader, nowMs: number): Promises {
  const open = openIntents(reader);
  if (open.length === 0) return { sent: [], unsent: [] };
  const sinceSeq = Math.min(...open.map(({ seq }) => seq));
  const sinceMs = Math.min(...open.map(({ atMs }) => atMs)) - CLOCK_STEP_MS;
  const left = new Set(
    reader
      .rows({ kinds: ["wire-out"], sinceMs })
      .filter(({ seq }) => seq > sinceSeq)
      .map(({ body }) => (body as { clientOrderId?: unknown }).clientOrderId),
  );
  // What the end of a damaged journal held, nobody knows.
  const knows = (intent: OpenIntent): boolean => reader.opened.state === "ok" && !left.has(intent.clientOrderId);
  const sent = amendedOnes(reader, open.filter((intent) => !knows(intent)).map(intentOf));
  return { sent: withdrawnOnes(reader, sent, nowMs), unsent: open.filter(knows).map((intent) => intent.clientOrderId) };
}

type Told = OpenIntent & Readonly<Record<"strategy" | "reason" | "evidence" | "trail", unknown>>;

/** Why it was sent: its leg is managed and told by that, whichever run it fills in. */
function thesisOf({ strategy, reason, evidence, trail }: Told): Pick<PastIntent, "thesis"> {
  if (typeof strategy !== "string" || typeof reason !== "string") return {};
  const basis = basisOf(Array.isArray(evidence) ? evidence.filter((id) => typeof id === "string") : []);
  return { thesis: { strategy, reason, basis, ...trailIn(trail) } };
}

function intentOf(open: OpenIntent): PastIntent {
  const order = open.order as Texts<PlaceOrder>;
  return {
    clientOrderId: open.clientOrderId,
    decisionId: open.decisionId ?? "",
    opening: open.opening,
    promisedAtMs: open.atMs,
    ...thesisOf(open as Told),
    draft: {
      order: {
        symbol: String(order.symbol),
        side: order.side as PlaceOrder["side"],
        positionSide: order.positionSide as PlaceOrder["positionSide"],
        orderType: order.orderType as PlaceOrder["orderType"],
        qty: dec(String(order.qty)),
        limitPrice: price(order.limitPrice),
        timeInForce: (order.timeInForce ?? null) as PlaceOrder["timeInForce"],
        reduceOnly: order.reduceOnly === true,
        clientOrderId: open.clientOrderId,
      },
      stopPrice: price(open.stopPrice),
      targetPrice: price(open.targetPrice),
    },
  };
}

/**
 * A promise whose order was to be changed: which of the two the venue has, nobody knows until it is read, so the larger
 * size at the higher price counts.
 */
function amendedOnes(reader: JournalReader, intents: readonly PastIntent[]): readonly PastIntent[] {
  if (intents.length === 0) return intents;
  const amends = reader
    .rows({ kinds: ["intent"] })
    .map(({ body }) => body as Record<string, unknown>)
    .filter((body) => body["event"] === "amend");
  return intents.map((intent) => {
    const mine = amends.filter((body) => body["clientOrderId"] === intent.clientOrderId);
    const { order } = intent.draft;
    const qty = mine.reduce((most, body) => Decimal.max(most, price(body["qty"]) ?? ZERO), order.qty);
    const limitPrice = mine.reduce<Decimal | null>(
      (most, body) => Decimal.max(most ?? ZERO, price(body["price"]) ?? ZERO),
      order.limitPrice,
    );
    return { ...intent, draft: { ...intent.draft, order: { ...order, qty, limitPrice } } };
  });
}

/** A withdrawal that the venue may still be carrying out is not asked for anew before its time. Invariant I27. */
function withdrawnOnes(reader: JournalReader, intents: readonly PastIntent[], nowMs: number): readonly PastIntent[] {
  if (intents.length === 0) return intents;
  const askedMs = new Map<string, number>();
  for (const { body, atMs } of reader.rows({ kinds: ["wire-out"], sinceMs: nowMs - WITHDRAWALS_COUNT_MS })) {
    const { action, params } = body as WriteBody;
    const id = action === "order.cancel" ? text(params?.["clientOrderId"]) : null;
    if (id !== null) askedMs.set(id, Math.min(atMs, nowMs));
  }
  return intents.map((intent) => ({ ...intent, cancelAskedMs: askedMs.get(intent.clientOrderId) ?? null }));
}
