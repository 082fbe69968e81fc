/** What the journal of earlier runs tells a new one: promises without an end, legs with their theses, anchors, beats. */
import { dec, Decimal, ZERO } from "../core/decimal.ts";
import { DAY_MS } from "../core/time.ts";
import type { DayAnchors } from "../agent/equity.ts";
import type { PastIntent } from "../agent/intents.ts";
import type { RestoredFills } from "../agent/fill-watch.ts";
import type { Restored } from "../agent/restored.ts";
import { countBeat, noBeats, type UptimeCount } from "../agent/uptime.ts";
import type { PlaceOrder } from "../domain/order.ts";
import { openIntents, type OpenIntent } from "../journal/intents.ts";
import type { JournalReader } from "../journal/reader.ts";
import { lostCloses, ownCloses } from "./restore-closes.ts";
import { costsOf } from "./restore-costs.ts";
import { legsOf } from "./restore-legs.ts";
import { restoreMind } from "./restore-mind.ts";
import type { FloorState } from "../risk/view.ts";
import { stopsAsked, stopsAskedMs, stopsLeft } from "./restore-stops.ts";
import { tradesOf } from "./restore-trades.ts";
import { price, text } from "./restore-fields.ts";

const OURS_FOR_MS = 8 * DAY_MS;
const FILLS_KNOWN = 5_000;
/** Rows about protection that the spans of earlier runs are read from. */
const SPANS_READ = 1_000;
/** The machine's clock may have been set back since. */
const CLOCK_STEP_MS = DAY_MS;
const BEATS_FOR_MS = 14 * DAY_MS;
/** More beats than an hour has; one of them carries the whole count. */
const BEATS_WITH_A_TALLY = 400;

type Texts<T> = { readonly [K in keyof T]: unknown };

export function restore(reader: JournalReader, nowMs: number): Restored {
  const { legs, closed } = legsOf(reader);
  const { sent, unsent } = promisesOf(reader);
  return {
    openIntents: amendedOnes(reader, sent.map(intentOf)),
    unsentIntents: unsent.map(({ clientOrderId }) => clientOrderId),
    ourClientIds: ourClientIds(reader, nowMs),
    ownCloseIds: ownCloses(reader),
    lostCloses: lostCloses(reader, nowMs),
    legs,
    closedLegs: closed,
    trades: tradesOf(reader, legs),
    fills: fillsOf(reader),
    protectAskedMs: stopsAskedMs(reader, nowMs),
    stopsAsked: stopsAsked(reader, nowMs),
    stopsLeft: stopsLeft(reader, nowMs),
    unprotectedMs: unprotectedMs(reader),
    costs: costsOf(reader, nowMs),
    floor: floorOf(reader),
    anchors: anchorsOf(reader),
    uptime: uptimeOf(reader, nowMs),
    mind: restoreMind(reader, nowMs),
  };
}

/** No order leaves before its wire-out row is durable: a promise without one was never sent. */
function promisesOf(reader: JournalReader): { sent: readonly OpenIntent[]; unsent: readonly OpenIntent[] } {
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
  return { sent: open.filter((intent) => !knows(intent)), unsent: open.filter(knows) };
}

function intentOf(open: OpenIntent): PastIntent {
  const order = open.order as Texts<PlaceOrder>;
  return {
    clientOrderId: open.clientOrderId,
    decisionId: open.decisionId ?? "",
    opening: open.opening,
    promisedAtMs: open.atMs,
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

function ourClientIds(reader: JournalReader, nowMs: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const row of reader.rows({ kinds: ["intent"], sinceMs: nowMs - OURS_FOR_MS })) {
    const id = text((row.body as { clientOrderId?: unknown }).clientOrderId);
    if (id) ids.add(id);
  }
  return ids;
}

/** How long positions stood without a stop, oldest first. */
const unprotectedMs = (reader: JournalReader): readonly number[] =>
  reader
    .rows({ kinds: ["protection"], limit: SPANS_READ, newest: true })
    .map((row) => (row.body as { unprotectedMs?: unknown }).unprotectedMs)
    .filter((ms): ms is number => typeof ms === "number" && ms >= 0);

/** Fills that are told already, and how far the list of executions had been read. */
function fillsOf(reader: JournalReader): RestoredFills {
  const ids = reader
    .rows({ kinds: ["fill"], limit: FILLS_KNOWN, newest: true })
    .map((row) => String((row.body as { transactionId?: unknown }).transactionId));
  const reads = reader.rows({ kinds: ["reconcile"], limit: 200, newest: true });
  const through = reads.map((row) => (row.body as { throughMs?: unknown }).throughMs).filter(Number.isFinite);
  const first = reader.rows({ limit: 1 })[0];
  return { ids, throughMs: (through.at(-1) as number | undefined) ?? first?.atMs ?? null };
}

function floorOf(reader: JournalReader): FloorState {
  const rows = reader.rows({ kinds: ["floor", "operator"], limit: 50, newest: true });
  const states = rows.map((row) => (row.body as { to?: unknown } | null)?.to).filter((to) => isFloorState(to));
  return states.at(-1) ?? "NORMAL";
}

const FLOOR_STATES: readonly FloorState[] = ["NORMAL", "WARN", "HOLD", "FLATTEN", "HALT"];
const isFloorState = (word: unknown): word is FloorState => FLOOR_STATES.some((state) => state === word);

function anchorsOf(reader: JournalReader): DayAnchors | null {
  const body = reader.latest("equity")?.body as { anchors?: Record<string, string> | null } | undefined;
  const anchors = body?.anchors;
  if (!anchors) return null;
  const figure = (name: string) => dec(anchors[name] ?? "0");
  return {
    day: anchors["day"] ?? "",
    equityStartUsdt: figure("equityStartUsdt"),
    unrealizedStartUsdt: figure("unrealizedStartUsdt"),
    feesUsdt: figure("feesUsdt"),
    realizedUsdt: figure("realizedUsdt"),
  };
}

/** From the newest beat that carries the whole count; every beat of the last weeks where none does. */
function uptimeOf(reader: JournalReader, nowMs: number): UptimeCount {
  const recent = reader.rows({ kinds: ["beat"], limit: BEATS_WITH_A_TALLY, newest: true });
  const at = recent.findLastIndex((row) => tallyIn(row.body) !== null);
  const start = tallyIn(recent[at]?.body);
  const beats = start ? recent.slice(at + 1) : reader.rows({ kinds: ["beat"], sinceMs: nowMs - BEATS_FOR_MS });
  const before = start ? recent[at] : undefined;
  return beats.reduce((count, row, index) => {
    const last = index === 0 ? before : beats[index - 1];
    return countBeat(count, row.atMs, last?.boot === row.boot ? row.monoMs - last.monoMs : null);
  }, start ?? noBeats);
}

function tallyIn(body: unknown): UptimeCount | null {
  const tally = (body as { uptime?: Partial<UptimeCount> } | null | undefined)?.uptime;
  if (typeof tally?.firstBeatMs !== "number" || typeof tally.lastBeatMs !== "number") return null;
  return {
    firstBeatMs: tally.firstBeatMs,
    lastBeatMs: tally.lastBeatMs,
    outages: tally.outages ?? [],
    ...(tally.restart ? { restart: tally.restart } : {}),
  };
}
