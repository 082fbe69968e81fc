/**
 * Every order of ours from promise to end, fed by replies, pushes and look-ups in any order, duplicated or late, always
 * to the same end. An order whose fate is not known stays counted as exposure and is asked for, never sent again; it ends
 * as absent only after repeated misses spread over time. Spec: 1 §3.1; ground rule 1 of the fault catalogue.
 */
import { Decimal } from "../../core/decimal.ts";
import { isTerminal, type Order, type OrderUpdate } from "../../domain/order.ts";
import type { Amending } from "./amending.ts";
import type { EndedIntent, PastIntent } from "./intents.ts";
import { markUnknown, noteMiss, type OrderChange, takeUpdate } from "./order-evidence.ts";
import { endedOrder, foundOrder, promisedOrder, type Tracked } from "./tracked.ts";

export type { OrderChange } from "./order-evidence.ts";
export type { Tracked } from "./tracked.ts";

/** Ended orders kept for late evidence and for the status view, those of earlier runs included. */
export const ENDED_CAP = 500;

/** By client order id; ended orders stay findable, the last 500. `atMs` is our time. Sends and journals nothing. */
export interface OrderTracker {
  promise(intent: PastIntent, atMs: number): Tracked;
  /** Takes over an order that ended in an earlier run; the oldest first. */
  recall(intent: EndedIntent, atMs: number): Tracked;
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
  /** Promises a change of an order that rests. It counts as the larger of both until the venue says which it is. */
  amend(tracked: Tracked, wanted: Pick<Amending, "intentId" | "price" | "qty">): Amending;
  end(tracked: Tracked, ending: string): void;
  settle(symbol: string, positionSide: "LONG" | "SHORT"): void;
  /** Opening orders with fills that no position reading shows yet. */
  unsettled(): readonly Tracked[];
}

const isUnsettled = ({ opening, order, settledQty }: Tracked): boolean => opening && order.executedQty.gt(settledQty);

/** Nothing is known to begin with: what earlier runs promised is promised again by whoever reads their journal. */
export function createOrderTracker(): OrderTracker {
  const all = new Map<string, Tracked>();
  const byId = new Map<string, Tracked>();
  const ended: string[] = [];
  /** Looked through at every tick, so kept apart from the hundreds that have ended. */
  const live = new Set<Tracked>();
  const filling = new Set<Tracked>();
  let turns = 0;

  const retire = (tracked: Tracked): void => {
    ended.push(tracked.clientOrderId);
    if (ended.length <= ENDED_CAP) return;
    const oldest = ended.shift();
    const gone = oldest === undefined ? undefined : all.get(oldest);
    if (!gone) return;
    all.delete(gone.clientOrderId);
    byId.delete(gone.order.orderId);
    filling.delete(gone);
  };
  const end = (tracked: Tracked, ending: string): void => {
    if (tracked.fate === "ended") return;
    tracked.fate = "ended";
    tracked.ending = ending;
    live.delete(tracked);
    retire(tracked);
  };
  /** The journal already has an end of it, and takes no second one. */
  const comeBack = (tracked: Tracked): void => {
    ended.splice(ended.indexOf(tracked.clientOrderId), 1);
    tracked.ending = "";
    tracked.unsent = false;
    tracked.promised = false;
    live.add(tracked);
  };
  const remember = (tracked: Tracked): Tracked => {
    all.set(tracked.clientOrderId, tracked);
    if (tracked.fate !== "ended") live.add(tracked);
    if (isUnsettled(tracked)) filling.add(tracked);
    if (tracked.order.orderId) byId.set(tracked.order.orderId, tracked);
    return tracked;
  };

  return {
    promise: (intent, atMs) => remember(promisedOrder(intent, atMs, turns++)),
    recall: (intent, atMs) => {
      const tracked = remember(endedOrder(intent, atMs, turns++));
      retire(tracked);
      return tracked;
    },
    adopt: (order, ours, atMs) => remember(foundOrder(order, ours, atMs, turns++)),
    get: (clientOrderId) => all.get(clientOrderId),
    byOrderId: (orderId) => byId.get(orderId),
    live: () => [...live],
    markUnknown,
    accepted: (tracked, orderId) => {
      tracked.order = { ...tracked.order, orderId };
      byId.set(orderId, tracked);
      if (tracked.fate === "promised" || tracked.fate === "unknown") tracked.fate = "known";
    },
    update: (tracked, update, atMs) => {
      const change = takeUpdate(tracked, update, atMs);
      if (tracked.order.orderId) byId.set(tracked.order.orderId, tracked);
      if (change.backNow) comeBack(tracked);
      if (isTerminal(tracked.order.state)) end(tracked, tracked.order.state);
      if (isUnsettled(tracked)) filling.add(tracked);
      return change;
    },
    missed: noteMiss,
    lookUpLater: (tracked, atMs, inMs) => {
      tracked.nextLookUpMs = atMs + inMs;
    },
    amend: (tracked, wanted) => {
      tracked.amend = { ...wanted, turn: turns++, fate: "promised", reads: 0, firstReadMs: 0 };
      return tracked.amend;
    },
    end,
    settle: (symbol, positionSide) => {
      for (const tracked of all.values()) {
        if (tracked.symbol === symbol && tracked.leg === positionSide)
          tracked.settledQty = Decimal.max(tracked.settledQty, tracked.order.executedQty);
      }
    },
    unsettled: () => {
      for (const tracked of filling) if (!isUnsettled(tracked)) filling.delete(tracked);
      return [...filling];
    },
  };
}
