/**
 * Every order of ours from promise to end, fed by replies, pushes and look-ups in any order, duplicated or late, always
 * to the same end. An order whose fate is not known stays counted as exposure and is asked for, never sent again; it ends
 * as absent only after repeated misses spread over time. Spec: 1 §3.1; ground rule 1 of the fault catalogue.
 */
import { Decimal, ZERO } from "../core/decimal.ts";
import { laterState, isTerminal, type Order, type OrderState, type OrderUpdate } from "../domain/order.ts";
import { type Amending, amendHolds } from "./amending.ts";
import type { PastIntent } from "./events.ts";

/** Misses needed, and the time they must span, before an order that nobody has seen counts as absent. */
const ABSENT_AFTER_MISSES = 4;
const ABSENT_AFTER_MS = 30_000;
const LOOK_UP_GAPS_MS = [500, 2_000, 8_000, 20_000];
/** Ended orders kept for late evidence and for the status view. */
const ENDED_CAP = 500;

export type Fate = "promised" | "unknown" | "known" | "ended";

export interface Tracked {
  readonly clientOrderId: string;
  readonly decisionId: string | null;
  /** False for orders that others placed on our account. */
  readonly ours: boolean;
  /** False for orders found at the venue: where an intent stands behind one, the journal has told its end. */
  readonly promised: boolean;
  readonly opening: boolean;
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  /** The venue's record as far as known; before the first sight made from the intent. */
  order: Order;
  fate: Fate;
  /** How it ended: a venue state, or why it never was. Empty while it lives. */
  ending: string;
  readonly stopPrice: Decimal | null;
  readonly targetPrice: Decimal | null;
  readonly promisedAtMs: number;
  /** The how-manieth promise of this run: what was promised later is checked after it. */
  readonly turn: number;
  misses: number;
  firstMissMs: number;
  nextLookUpMs: number;
  cancelAskedMs: number | null;
  /** Executed quantity that a later position reading already shows. */
  settledQty: Decimal;
  /** Our time at which the executed quantity was last told to have grown. */
  grewMs: number;
  amend: Amending | null;
  /** The venue's time of the newest record that told price and size. */
  toldMs: number;
  /** It ended without having left this machine. */
  unsent: boolean;
}

/** What an update changed, for logging and for the cadence. */
export interface OrderChange {
  readonly tracked: Tracked;
  readonly filledNow: Decimal;
  readonly endedNow: boolean;
  /** The amendment that this update shows to hold, or that ended with its order; else null. */
  readonly amendedNow: Amending | null;
}

export interface OrderTracker {
  promise(intent: PastIntent, atMs: number): Tracked;
  /** Takes an order found at the venue that no promise of this run knows. */
  adopt(order: Order, ours: boolean, atMs: number): Tracked;
  get(clientOrderId: string): Tracked | undefined;
  byOrderId(orderId: string): Tracked | undefined;
  live(): readonly Tracked[];
  markUnknown(tracked: Tracked, atMs: number): void;
  accepted(tracked: Tracked, orderId: string): void;
  update(tracked: Tracked, update: OrderUpdate, atMs: number): OrderChange;
  /** One look-up found nothing. True when that was the last one needed to call it absent. */
  missed(tracked: Tracked, atMs: number): boolean;
  lookUpLater(tracked: Tracked, atMs: number, inMs: number): void;
  /** Promises a change of an order that rests. It counts as the larger of both until the venue tells which it is. */
  amend(tracked: Tracked, wanted: Pick<Amending, "intentId" | "price" | "qty">): Amending;
  end(tracked: Tracked, ending: string): void;
  settle(symbol: string, leg: "LONG" | "SHORT"): void;
  /** Opening orders with fills that no position reading shows yet. */
  unsettled(): readonly Tracked[];
}

export const legOf = (order: Pick<Order, "side" | "positionSide" | "reduceOnly">): "LONG" | "SHORT" => {
  if (order.positionSide !== "NONE") return order.positionSide;
  return (order.side === "BUY") === !order.reduceOnly ? "LONG" : "SHORT";
};

function orderFromIntent(intent: PastIntent, atMs: number): Order {
  const { order } = intent.draft;
  return {
    ...order,
    orderId: "",
    timeInForce: order.timeInForce ?? (order.orderType === "MARKET" ? "IOC" : "GTC"),
    state: "NEW",
    executedQty: ZERO,
    avgPrice: ZERO,
    fee: ZERO,
    reason: "",
    cancelPending: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

/** Price and size may change both ways, so that only the venue's own time tells which of two records is the later one. */
const tellsShape = (tracked: Tracked, update: OrderUpdate): boolean =>
  update.updatedAtMs === null || update.updatedAtMs >= tracked.toldMs;

function merged(tracked: Tracked, update: OrderUpdate, atMs: number): Order {
  const { order } = tracked;
  const executedQty = Decimal.max(order.executedQty, update.executedQty);
  const newer = update.executedQty.gte(order.executedQty);
  const shape = tellsShape(tracked, update);
  return {
    ...order,
    orderId: update.orderId || order.orderId,
    state: laterState(order.state, update.state),
    executedQty,
    avgPrice: newer && update.avgPrice.gt(0) ? update.avgPrice : order.avgPrice,
    qty: shape && update.qty?.gt(0) ? update.qty : order.qty,
    limitPrice: shape && update.limitPrice?.gt(0) ? update.limitPrice : order.limitPrice,
    fee: update.fee && newer ? update.fee : order.fee,
    reason: update.reason || order.reason,
    cancelPending: update.cancelPending,
    updatedAtMs: atMs,
  };
}

export function createOrderTracker(): OrderTracker {
  const all = new Map<string, Tracked>();
  const byId = new Map<string, Tracked>();
  const ended: string[] = [];

  const retire = (tracked: Tracked): void => {
    ended.push(tracked.clientOrderId);
    if (ended.length <= ENDED_CAP) return;
    const oldest = ended.shift();
    const gone = oldest === undefined ? undefined : all.get(oldest);
    if (!gone) return;
    all.delete(gone.clientOrderId);
    byId.delete(gone.order.orderId);
  };
  const end = (tracked: Tracked, ending: string): void => {
    if (tracked.fate === "ended") return;
    tracked.fate = "ended";
    tracked.ending = ending;
    retire(tracked);
  };
  let turns = 0;
  const remember = (tracked: Tracked): Tracked => {
    all.set(tracked.clientOrderId, tracked);
    if (tracked.order.orderId) byId.set(tracked.order.orderId, tracked);
    return tracked;
  };
  const base = (order: Order, atMs: number) => ({
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    leg: legOf(order),
    order,
    ending: "",
    promisedAtMs: atMs,
    misses: 0,
    firstMissMs: 0,
    nextLookUpMs: Infinity,
    cancelAskedMs: null,
    settledQty: ZERO,
    grewMs: atMs,
    turn: turns++,
    amend: null,
    toldMs: -Infinity,
    unsent: false,
  });

  return {
    promise: (intent, atMs) =>
      remember({
        ...base(orderFromIntent(intent, atMs), atMs),
        decisionId: intent.decisionId,
        ours: true,
        promised: true,
        opening: intent.opening,
        // Not after now, whatever the clock said then: an order of an earlier run has rested since that promised it. Fault C2.
        promisedAtMs: Math.min(intent.promisedAtMs ?? atMs, atMs),
        fate: "promised",
        stopPrice: intent.draft.stopPrice,
        targetPrice: intent.draft.targetPrice,
      }),
    adopt: (order, ours, atMs) =>
      remember({
        ...base(order, atMs),
        decisionId: null,
        ours,
        promised: false,
        opening:
          order.positionSide === "NONE"
            ? !order.reduceOnly
            : (order.side === "BUY") === (order.positionSide === "LONG"),
        fate: "known",
        stopPrice: null,
        targetPrice: null,
      }),
    get: (clientOrderId) => all.get(clientOrderId),
    byOrderId: (orderId) => byId.get(orderId),
    live: () => [...all.values()].filter((tracked) => tracked.fate !== "ended"),
    markUnknown: (tracked, atMs) => {
      if (tracked.fate !== "promised") return;
      tracked.fate = "unknown";
      tracked.nextLookUpMs = atMs + (LOOK_UP_GAPS_MS[0] ?? 0);
    },
    accepted: (tracked, orderId) => {
      tracked.order = { ...tracked.order, orderId };
      byId.set(orderId, tracked);
      if (tracked.fate === "promised" || tracked.fate === "unknown") tracked.fate = "known";
    },
    update: (tracked, update, atMs) => {
      const before = tracked.order.executedQty;
      const wasEnded = tracked.fate === "ended";
      tracked.order = merged(tracked, update, atMs);
      if (update.qty && update.limitPrice) tracked.toldMs = Math.max(tracked.toldMs, update.updatedAtMs ?? -Infinity);
      if (tracked.order.orderId) byId.set(tracked.order.orderId, tracked);
      tracked.misses = 0;
      const terminal = isTerminal(tracked.order.state);
      if (!wasEnded) tracked.fate = "known";
      if (terminal) end(tracked, tracked.order.state);
      const amendedNow = tracked.amend !== null && (terminal || amendHolds(tracked)) ? tracked.amend : null;
      if (amendedNow) tracked.amend = null;
      // A list that shows the order as it was does not tell that it will stay so: the change goes on being asked for.
      if (!tracked.amend) tracked.nextLookUpMs = Infinity;
      const filledNow = tracked.order.executedQty.sub(before);
      if (filledNow.gt(0)) tracked.grewMs = atMs;
      return { tracked, filledNow, endedNow: terminal && !wasEnded, amendedNow };
    },
    missed: (tracked, atMs) => {
      if (tracked.misses === 0) tracked.firstMissMs = atMs;
      tracked.misses += 1;
      const gap = LOOK_UP_GAPS_MS[Math.min(tracked.misses, LOOK_UP_GAPS_MS.length - 1)] ?? 0;
      tracked.nextLookUpMs = atMs + gap;
      return tracked.misses >= ABSENT_AFTER_MISSES && atMs - tracked.firstMissMs >= ABSENT_AFTER_MS;
    },
    lookUpLater: (tracked, atMs, inMs) => {
      tracked.nextLookUpMs = atMs + inMs;
    },
    amend: (tracked, wanted) => {
      tracked.amend = { ...wanted, turn: turns++, fate: "promised", reads: 0, firstReadMs: 0 };
      return tracked.amend;
    },
    end,
    settle: (symbol, leg) => {
      for (const tracked of all.values()) {
        if (tracked.symbol === symbol && tracked.leg === leg) tracked.settledQty = tracked.order.executedQty;
      }
    },
    unsettled: () =>
      [...all.values()].filter((tracked) => tracked.opening && tracked.order.executedQty.gt(tracked.settledQty)),
  };
}

/** The update that a full record amounts to. */
export const updateFromOrder = (order: Order): OrderUpdate => ({
  ...order,
  symbol: order.symbol,
  side: order.side,
  positionSide: order.positionSide,
  qty: order.qty,
  limitPrice: order.limitPrice,
  fee: order.fee,
  updatedAtMs: order.updatedAtMs,
});

export const describeState = (tracked: Tracked): OrderState | Fate | string =>
  tracked.fate === "ended" ? tracked.ending : tracked.fate === "known" ? tracked.order.state : tracked.fate;
