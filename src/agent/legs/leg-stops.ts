/** What pushes and lists tell of the stops of legs: which of them stands on its leg, and which stands on none. */
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { attach, detach, type Leg, type LoneStop, protectsMore, standingOrder, stopOf, suffices } from "./leg.ts";
import { type LegBook, mayCome } from "./leg-book.ts";
import { algoLeg } from "./leg-of.ts";

const STOP_LISTED_AFTER_MS = 2_000;

/** The leg is not held: a stop that stands waits for it, and one that has ended stands for none that might come back. */
function unheldStop({ past, ended, ownStops, waitingAlgos }: LegBook, key: string, order: AlgoOrder): void {
  if (ended.stands(order)) {
    const other = waitingAlgos.get(key);
    if (!other || ownStops.has(order) || !ownStops.has(other)) waitingAlgos.set(key, order);
  } else {
    if (waitingAlgos.get(key)?.algoOrderId === order.algoOrderId || ownStops.has(order)) waitingAlgos.delete(key);
    past.stopEnded(order.algoOrderId);
  }
}

/** An order of somebody else is never changed or cancelled, and counts only where no stop of ours stands and it is enough. */
function pushedByOthers(leg: Leg, order: AlgoOrder, atMs: number): void {
  const enough = suffices(leg, order);
  if (leg.protection !== "live" ? enough : leg.algoOrderId === order.algoOrderId && enough)
    attach(leg, order, { ours: false, atMs });
  else if (leg.protection === "live" && leg.algoOrderId === order.algoOrderId) detach(leg, atMs);
}

/** A push. Returns the order of ours that is not needed beside a safer one on the same leg. */
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
  if (!book.ownStops.has(order)) {
    pushedByOthers(leg, order, atMs);
    return null;
  }
  if (stopOf(leg, order) === null) return null;
  const standing = leg.stopIsOurs ? standingOrder(leg, order) : null;
  if (standing !== null && !protectsMore(leg, order, standing)) return order;
  attach(leg, order, { ours: true, atMs });
  return standing;
}

interface Listed {
  readonly order: AlgoOrder;
  readonly ours: boolean;
}

function judgeListed(leg: Leg, found: Listed | undefined, startedAtMs: number, atMs: number): void {
  if (found) attach(leg, found.order, { ours: found.ours, atMs });
  else if (leg.protection === "live" && leg.protectAskedMs < startedAtMs) detach(leg, atMs);
  // Asked for long enough ago to be in the list, were it there.
  else if (leg.protection === "asked" && startedAtMs - leg.protectAskedMs >= STOP_LISTED_AFTER_MS)
    leg.protection = "none";
}

/** A stop of ours that stands or was asked for after the list began, which need not show it. */
const standsYet = ({ protection, stopIsOurs, protectAskedMs }: Leg, startedAtMs: number): boolean =>
  protection === "live" && stopIsOurs && protectAskedMs >= startedAtMs;

/** A sweep's list of live algo orders. Returns those of ours that protect nothing, or less than another on their leg. */
export function listedStops(
  book: LegBook,
  orders: readonly AlgoOrder[],
  startedAtMs: number,
  atMs: number,
): readonly LoneStop[] {
  const { held, ended } = book;
  const orphans: LoneStop[] = [];
  const standing = new Map<string, AlgoOrder>();
  const ofOthers = new Map<string, AlgoOrder>();
  for (const order of orders) {
    if (!ended.stands(order)) continue;
    const key = algoLeg(order);
    const leg = held.get(key);
    if (leg && stopOf(leg, order) === null) continue;
    if (!book.ownStops.has(order)) {
      if (leg && suffices(leg, order)) ofOthers.set(key, order);
      else if (!leg && !book.listed) unheldStop(book, key, order);
      continue;
    }
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
  for (const leg of held.values()) {
    const [ours, other] = [standing.get(leg.key), ofOthers.get(leg.key)];
    const found = ours
      ? { order: ours, ours: true }
      : other && !standsYet(leg, startedAtMs) && { order: other, ours: false };
    judgeListed(leg, found || undefined, startedAtMs, atMs);
  }
  return orphans;
}

/** A push of a stop that stands while no leg of it is held. */
export function loneStop(book: LegBook, order: AlgoOrder, nowMs: number): LoneStop | null {
  const key = algoLeg(order);
  const lone = book.ownStops.has(order) && book.ended.stands(order) && !book.held.has(key);
  return lone ? { order, doubtful: mayCome(book, key, nowMs) } : null;
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
