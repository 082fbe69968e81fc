/** Applies pushes and lists of stops: which stop protects which position, and which protects none. */
import { type AlgoOrder, isAlgoLive } from "../../domain/algo-order.ts";
import type { HeldPosition } from "./held-position.ts";
import { mustShow, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { type PositionBook, mayCome, serves, type WaitingStop } from "./position-book.ts";
import {
  algoPosition,
  attach,
  detach,
  heardOfRequest,
  isClear,
  isRequested,
  type LoneStop,
  protectsMore,
  standingOrder,
} from "./held-stop.ts";

/** The position is not held: a live stop waits for it, and an ended stop is never attached to one that reappears. */
function unheldStop({ past, known, ownStops, waitingAlgos }: PositionBook, { order, heardMs }: WaitingStop): void {
  const key = algoPosition(order);
  const other = waitingAlgos.get(key)?.order;
  if (known.stands(order)) {
    if (!other || ownStops.has(order) || !ownStops.has(other)) waitingAlgos.set(key, { order, heardMs });
  } else {
    if (other?.algoOrderId === order.algoOrderId || ownStops.has(order)) waitingAlgos.delete(key);
    past.stopEnded(order.algoOrderId);
  }
}

function attachPushed(held: HeldPosition, order: AlgoOrder, by: { ours: boolean; atMs: number }): void {
  attach(held, order, by);
  held.stopPushedMs = by.atMs;
}

/**
 * An order placed by others is never changed or cancelled. It counts only if it suffices and no stop of ours is live.
 */
function pushedByOthers(book: PositionBook, held: HeldPosition, order: AlgoOrder, atMs: number): void {
  const enough = serves(book, held, { order, atMs });
  if (held.protection !== "live" ? enough : held.algoOrderId === order.algoOrderId && enough)
    attachPushed(held, order, { ours: false, atMs });
  else if (held.protection === "live" && held.algoOrderId === order.algoOrderId) detach(held, atMs);
}

/** Applies a push. Returns the order of ours that a safer one on the same position makes unnecessary. */
export function pushedStop(book: PositionBook, pushed: AlgoOrder, atMs: number): AlgoOrder | null {
  const order = book.known.newest(pushed);
  const key = algoPosition(order);
  const held = book.held.get(key);
  if (held && isAlgoLive(order.state) && book.known.mayBeOver(order, -Infinity)) return null;
  if (!held) {
    unheldStop(book, { order, heardMs: atMs });
    return null;
  }
  if (!book.known.stands(order)) {
    if (held.algoOrderId === order.algoOrderId) detach(held, atMs);
    // The requested stop is over before it was ever seen to stand: its id is used up.
    if (held.protection === "asked" && isRequested(held, order)) {
      held.protection = "none";
      heardOfRequest(held);
    }
    if (held.repliedAlgoId === order.algoOrderId) held.repliedAlgoId = null;
    return null;
  }
  if (!book.ownStops.has(order)) {
    pushedByOthers(book, held, order, atMs);
    return null;
  }
  if (!isClear(order)) return null;
  const standing = held.stopIsOurs ? standingOrder(held, order) : null;
  if (standing !== null && !protectsMore(held, order, standing)) return order;
  attachPushed(held, order, { ours: true, atMs });
  return standing;
}

interface Listed {
  readonly order: AlgoOrder;
  readonly ours: boolean;
}

/** A live stop that was requested or pushed so late that the list need not show it. */
const standsYet = ({ protection, protectAskedMs, stopPushedMs }: HeldPosition, startedAtMs: number): boolean =>
  protection === "live" && (protectAskedMs >= startedAtMs || !mustShow(startedAtMs, stopPushedMs));

/** Two stops may stand. Neither is cancelled before a list shows both: the one that it lacks may be over after all. */
function replaces(held: HeldPosition, { order, ours }: Listed, startedAtMs: number): boolean {
  const standing = held.stopIsOurs && standsYet(held, startedAtMs) ? standingOrder(held, order) : null;
  return standing === null || (ours && protectsMore(held, order, standing));
}

function judgeListed(held: HeldPosition, found: Listed | undefined, startedAtMs: number, atMs: number): void {
  if (found && replaces(held, found, startedAtMs)) attach(held, found.order, { ours: found.ours, atMs });
  else if (held.protection === "live" && !standsYet(held, startedAtMs)) detach(held, atMs);
  // Requested long enough ago that the list would show it.
  else if (held.protection === "asked" && startedAtMs - held.protectAskedMs >= SHOWN_WITHIN_MS)
    held.protection = "none";
}

/** What a list must show and lacks is over, though no report of its end has come: it waits for no position. */
function giveUpWaiting({ waitingAlgos }: PositionBook, orders: readonly AlgoOrder[], startedAtMs: number): void {
  const listed = new Set(orders.map(({ algoOrderId }) => algoOrderId));
  for (const [key, { order, heardMs }] of waitingAlgos)
    if (!listed.has(order.algoOrderId) && mustShow(startedAtMs, heardMs)) waitingAlgos.delete(key);
}

/**
 * Applies an account snapshot's list of live algo orders. Returns those of ours that protect nothing, or less than
 * another order on their position.
 */
export function listedStops(
  book: PositionBook,
  orders: readonly AlgoOrder[],
  startedAtMs: number,
  atMs: number,
): readonly LoneStop[] {
  const { held, known } = book;
  giveUpWaiting(book, orders, startedAtMs);
  const orphans: LoneStop[] = [];
  const standing = new Map<string, AlgoOrder>();
  const ofOthers = new Map<string, AlgoOrder>();
  for (const listed of orders) {
    const order = known.newest(listed);
    if (!known.stands(order)) continue;
    const key = algoPosition(order);
    const position = held.get(key);
    if (position && known.mayBeOver(order, startedAtMs)) continue;
    if (!book.ownStops.has(order)) {
      if (position && serves(book, position, { order, atMs })) ofOthers.set(key, order);
      else if (!position && book.listedFromMs === -Infinity) unheldStop(book, { order, heardMs: startedAtMs });
      continue;
    }
    if (position && !isClear(order)) continue;
    // No list of positions has come yet: this stop will protect the position that the first list shows.
    if (!position && book.listedFromMs === -Infinity) unheldStop(book, { order, heardMs: startedAtMs });
    const other = position && standing.get(position.key);
    if (!position || (other && !protectsMore(position, order, other)))
      orphans.push({ order, unconfirmed: !position && mayCome(book, key, startedAtMs) });
    else {
      if (other) orphans.push({ order: other, unconfirmed: false });
      standing.set(position.key, order);
    }
  }
  for (const position of held.values()) {
    const [ours, other] = [standing.get(position.key), ofOthers.get(position.key)];
    const order = ours ?? other;
    judgeListed(position, order && { order, ours: ours !== undefined }, startedAtMs, atMs);
  }
  return orphans;
}

/** A push of a live stop whose position is not held. */
export function loneStop(book: PositionBook, order: AlgoOrder, nowMs: number): LoneStop | null {
  const key = algoPosition(order);
  const lone = book.ownStops.has(order) && book.known.stands(order) && !book.held.has(key);
  return lone ? { order, unconfirmed: mayCome(book, key, nowMs) } : null;
}

/** Never attach this stop to a position that opens or reappears: a cancel was requested, and no push may confirm it. */
export function askedToEnd({ past, known, waitingAlgos }: PositionBook, algoOrderId: string, atMs: number): void {
  past.stopEnded(algoOrderId);
  known.expectEnd(algoOrderId, atMs);
  for (const [key, { order }] of waitingAlgos) if (order.algoOrderId === algoOrderId) waitingAlgos.delete(key);
}

/** The venue refuses to change a stop because it is over: its position has no live stop. */
export function stopOver({ held, known }: PositionBook, key: string, algoOrderId: string, atMs: number): void {
  known.end(algoOrderId);
  const position = held.get(key);
  if (position?.algoOrderId === algoOrderId) detach(position, atMs);
}
