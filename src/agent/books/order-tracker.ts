/**
 * Every order of ours from intent to end. Replies, pushes and look-ups may arrive in any order, duplicated or late, and
 * always lead to the same result. An order of unknown outcome counts as exposure and is looked up, never sent again; it
 * ends as absent only after repeated misses spread over time. Spec: 1 §3.1; ground rule 1 of the fault catalogue.
 */
import { isTerminal, type Order, type OrderUpdate } from "../../domain/order.ts";
import type { Amending } from "./amending.ts";
import type { EndedIntent, PastIntent } from "./intents.ts";
import { markUnknown, noteMiss, type OrderChange, takeUpdate } from "./order-evidence.ts";
import { unmeasured, type VenueTime } from "../../domain/venue-time.ts";
import { OrderIndex } from "./order-index.ts";
import { endedOrder, foundOrder, promisedOrder, type Tracked } from "./tracked.ts";

export type { OrderChange } from "./order-evidence.ts";
export { ENDED_CAP } from "./order-index.ts";
export type { Tracked } from "./tracked.ts";

/** By client order id; ended orders stay findable, the last 500. `atMs` is our time. Sends and journals nothing. */
export interface OrderTracker {
  promise(intent: PastIntent, atMs: number): Tracked;
  /** Takes over an order that ended in an earlier run; the oldest first. */
  recall(intent: EndedIntent, atMs: number): Tracked;
  /** Takes an order found at the venue that no promise of this run knows. */
  adopt(order: Order, ours: boolean, atMs: number): Tracked;
  /** That promised order is the one that was found without its name: what it filled is counted in its position already. */
  join(promised: Tracked, found: Tracked): void;
  get(clientOrderId: string): Tracked | undefined;
  byOrderId(orderId: string): Tracked | undefined;
  live(): readonly Tracked[];
  /** The live ones, and those ended ones that stay findable. */
  all(): readonly Tracked[];
  markUnknown(tracked: Tracked, atMs: number): void;
  /** The venue has it under that id, says a reply or whatever else names both ids. */
  accepted(tracked: Tracked, orderId: string): void;
  update(tracked: Tracked, update: OrderUpdate, atMs: number): OrderChange;
  /** One look-up found nothing. True when that was the last one needed to call it absent. */
  missed(tracked: Tracked, atMs: number): boolean;
  lookUpLater(tracked: Tracked, atMs: number, inMs: number): void;
  /** Commits to a change of a resting order, which counts as the larger of both until the venue reports which it is. */
  amend(tracked: Tracked, wanted: Pick<Amending, "intentId" | "price" | "qty">): Amending;
  end(tracked: Tracked, ending: string): void;
  /** Opening orders with fills that no position reading shows yet. */
  unsettled(): readonly Tracked[];
  /** Opening orders whose margin a reading of the account that was requested then may not include. */
  unread(readFromMs: number): readonly Tracked[];
}

/** Empty at first: the reader of the journal adds the orders of earlier runs. */
export function createOrderTracker(venueTime: VenueTime = unmeasured()): OrderTracker {
  const index = new OrderIndex();
  let known = 0;
  const accepted = (tracked: Tracked, orderId: string): void => {
    tracked.order = { ...tracked.order, orderId };
    index.refresh(tracked);
    if (tracked.fate === "promised" || tracked.fate === "unknown") tracked.fate = "known";
  };
  return {
    promise: (intent, atMs) => index.add(promisedOrder(intent, atMs, known++)),
    recall: (intent, atMs) => index.add(endedOrder(intent, atMs, known++)),
    adopt: (order, ours, atMs) => index.add(foundOrder(order, ours, atMs, known++)),
    join: (promised, found) => {
      index.remove(found);
      promised.settledQty = found.settledQty;
      promised.countedMs = found.countedMs;
      promised.firstShownMs = found.firstShownMs;
      accepted(promised, found.order.orderId);
    },
    get: (clientOrderId) => index.byClientOrderId(clientOrderId),
    byOrderId: (orderId) => index.byOrderId(orderId),
    live: () => [...index.live],
    all: () => index.all(),
    markUnknown,
    accepted,
    update: (tracked, update, atMs) => {
      const change = takeUpdate(tracked, update, atMs, venueTime);
      index.refresh(tracked);
      if (change.backNow) index.comeBack(tracked);
      if (isTerminal(tracked.order.state)) index.end(tracked, tracked.order.state);
      return change;
    },
    missed: noteMiss,
    lookUpLater: (tracked, atMs, inMs) => {
      tracked.nextLookUpMs = atMs + inMs;
    },
    amend: (tracked, wanted) => {
      if (wanted.qty.gt(tracked.order.qty)) index.outgrow(tracked);
      tracked.amend = { ...wanted, sequence: known++, fate: "promised", refused: null, reads: 0, firstReadMs: 0 };
      return tracked.amend;
    },
    end: (tracked, ending) => index.end(tracked, ending),
    unsettled: () => index.unsettled(),
    unread: (readFromMs) => index.unread(readFromMs),
  };
}
