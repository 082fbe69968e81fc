/** What pushes and lists tell of the stops of legs: which of them stands on its leg, and which stands on none. */
import type { AlgoOrder } from "../domain/algo-order.ts";
import { attach, detach, type Leg, type LoneStop, protectsMore, standingOrder, stopOf } from "./leg.ts";
import { type LegBook, mayCome } from "./leg-book.ts";
import { algoLeg } from "./leg-of.ts";

const STOP_LISTED_AFTER_MS = 2_000;

/** The leg is not held: a stop that stands waits for it, and one that has ended stands for none that might come back. */
function unheldStop({ past, ended, waitingAlgos }: LegBook, key: string, order: AlgoOrder): void {
  if (ended.stands(order)) waitingAlgos.set(key, order);
  else {
    waitingAlgos.delete(key);
    past.stopEnded(order.algoOrderId);
  }
}

/** A push. Returns the order that is not needed beside a safer one on the same leg. */
export function pushedStop(book: LegBook, order: AlgoOrder, atMs: number): AlgoOrder | null {
  const key = algoLeg(order);
  const leg = book.held.get(key);
  if (!leg) {
    unheldStop(book, key, order);
    return null;
  }
  if (!book.ended.stands(order)) {
    if (leg.algoOrderId === order.algoOrderId) detach(leg, atMs);
    if (leg.repliedAlgoId === order.algoOrderId) leg.repliedAlgoId = null;
    return null;
  }
  if (stopOf(leg, order) === null) return null;
  const standing = standingOrder(leg, order);
  if (standing !== null && !protectsMore(leg, order, standing)) return order;
  attach(leg, order, atMs);
  return standing;
}

function judgeListed(leg: Leg, found: AlgoOrder | undefined, startedAtMs: number, atMs: number): void {
  if (found) attach(leg, found, atMs);
  else if (leg.protection === "live" && leg.protectAskedMs < startedAtMs) detach(leg, atMs);
  // Asked for long enough ago to be in the list, were it there.
  else if (leg.protection === "asked" && startedAtMs - leg.protectAskedMs >= STOP_LISTED_AFTER_MS)
    leg.protection = "none";
}

/** A sweep's list of live algo orders. Returns those that protect nothing, or less than another on their leg. */
export function listedStops(
  book: LegBook,
  orders: readonly AlgoOrder[],
  startedAtMs: number,
  atMs: number,
): readonly LoneStop[] {
  const { held, ended } = book;
  const orphans: LoneStop[] = [];
  const standing = new Map<string, AlgoOrder>();
  for (const order of orders) {
    if (!ended.stands(order)) continue;
    const key = algoLeg(order);
    const leg = held.get(key);
    if (leg && stopOf(leg, order) === null) continue;
    // No list of positions has come yet: what it will show is protected by this one.
    if (!leg && !book.listed) unheldStop(book, key, order);
    const other = leg && standing.get(leg.key);
    if (!leg || (other && !protectsMore(leg, order, other)))
      orphans.push({ order, doubtful: !leg && mayCome(book, key, startedAtMs) });
    else {
      if (other) orphans.push({ order: other, doubtful: false });
      standing.set(leg.key, order);
    }
  }
  for (const leg of held.values()) judgeListed(leg, standing.get(leg.key), startedAtMs, atMs);
  return orphans;
}

/** A push of a stop that stands while no leg of it is held. */
export function loneStop(book: LegBook, order: AlgoOrder, nowMs: number): LoneStop | null {
  const key = algoLeg(order);
  return book.ended.stands(order) && !book.held.has(key) ? { order, doubtful: mayCome(book, key, nowMs) } : null;
}

/** Whatever leg comes, or comes back, does not count on it: no push may tell its end. */
export function askedToEnd({ past, waitingAlgos }: LegBook, algoOrderId: string): void {
  past.stopEnded(algoOrderId);
  for (const [key, order] of waitingAlgos) if (order.algoOrderId === algoOrderId) waitingAlgos.delete(key);
}

/** The venue refuses to change a stop because it is over: none stands on its leg. */
export function stopOver({ held, ended }: LegBook, key: string, algoOrderId: string, atMs: number): void {
  ended.end(algoOrderId);
  const leg = held.get(key);
  if (leg?.algoOrderId === algoOrderId) detach(leg, atMs);
}
