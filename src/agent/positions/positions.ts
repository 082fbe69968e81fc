/**
 * The held positions and their protection, from pushes and lists. The reason for opening a position is kept across
 * restarts.
 */
import type { Decimal } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Position, PositionUpdate } from "../../domain/position.ts";
import type { HeldPosition, PositionChange, PositionMeta } from "./held-position.ts";
import { closeHeld, expectPosition, mayCome, type Surroundings } from "./position-book.ts";
import type { AskedStop } from "./known-stops.ts";
import type { PastFact } from "./past-fact.ts";
import type { Missing } from "./past-positions.ts";
import type { PositionFill } from "./position-fills.ts";
import { beganBetween, endClosed, reversePosition, takeFromPosition } from "./position-exits.ts";
import { type Grown, type Growth, growPosition, mayInclude } from "./position-growth.ts";
import { listedPositions } from "./position-lists.ts";
import { pushedSide } from "./position-pushes.ts";
import { recall } from "./recall.ts";
import { askedToEnd, listedStops, loneStop, pushedStop, stopOver } from "./position-stops.ts";
import type { LoneStop } from "./held-stop.ts";

export type { HeldPosition, PositionChange, PositionMeta, ProtectionState } from "./held-position.ts";

/**
 * Keys are `positionKeyOf`s, `atMs` is our time, and `startedAtMs` is when a list was requested. Callers journal the
 * changes.
 */
export interface Positions {
  all(): readonly HeldPosition[];
  get(key: string): HeldPosition | undefined;
  /** Applies a push. Returns how the position changed; empty if the push says nothing new. */
  push(update: PositionUpdate, atMs: number): readonly PositionChange[];
  /** Applies an account snapshot's list. A position with a newer push than `startedAtMs` keeps the push. */
  applyList(positions: readonly Position[], startedAtMs: number, atMs: number): readonly PositionChange[];
  /** A stop was asked for under that client order id. */
  askedStop(clientOrderId: string, stop: AskedStop): void;
  /** The venue's reply to a stop of ours gave this id. */
  placedStop(clientOrderId: string, algoOrderId: string): void;
  /** Applies a push. Returns the order of ours that a safer one on the same position makes unnecessary. */
  algo(order: AlgoOrder, atMs: number): AlgoOrder | null;
  /**
   * Applies an account snapshot's list of live algo orders. Returns those of ours that protect nothing, or less than
   * another order on their position.
   */
  applyAlgoList(orders: readonly AlgoOrder[], startedAtMs: number, atMs: number): readonly LoneStop[];
  /** The venue says that there is nothing to close. Null if something newer was reported since `askedMs`. */
  flat(key: string, askedMs: number): PositionChange | null;
  /**
   * A fill of that position, with the venue's time and ours: a record that the venue last changed earlier does not
   * include it.
   */
  filled(key: string, fill: PositionFill): void;
  /** The venue's time of the newest fill there; null where none is known. */
  filledMs(key: string): number | null;
  /** A fill of one of our opening orders. */
  grew(growth: Growth, atMs: number): Grown;
  /** Whether a record of that position is from between these times, so that it may show a part of what was filled then. */
  mayInclude(key: string, filled: Pick<Growth, "sinceMs" | "madeMs">): boolean;
  /** Whether that position may have begun between these times, so that what was closed then may have been the one before it. */
  beganBetween(key: string, filled: Pick<Growth, "sinceMs" | "madeMs">): boolean;
  /** A fill reduced that position by `qty`. True if a list is needed: nothing is left, or it may be of the one before it. */
  took(key: string, qty: Decimal, fill: PositionFill): boolean;
  /** A close of the whole position, requested at `askedMs`, has filled. Null if something has been reported since. */
  closed(key: string, askedMs: number, atMs: number): PositionChange | null;
  /** In one-way mode `qty` was filled on the other side, which closes this one first. True if a list is needed. */
  reversed(key: string, qty: Decimal, fill: PositionFill): boolean;
  /** A stop whose cancel was requested is never attached to a position that opens or reappears. */
  stopEnded(algoOrderId: string, atMs: number): void;
  /** The venue refuses to change a stop because it is over: its position has no live stop. */
  stopOver(key: string, algoOrderId: string, atMs: number): void;
  /** A push of a live stop whose position is not held. */
  lone(order: AlgoOrder, nowMs: number): LoneStop | null;
  expect(key: string, promised: { readonly meta: PositionMeta; readonly filledMs: number }): void;
  /** The planned position opened and closed without being seen. */
  neverCame(key: string): void;
  /** Whether this run has read a list of positions: until then it is unknown what is not held. */
  listed(): boolean;
  /** Whether a list failed to show that position so recently that the next may bring it back. */
  missing(key: string): boolean;
  /**
   * Whether that position, which is not held, went missing or was planned so recently that the next list may show it,
   * or no list has come yet.
   */
  mayCome(key: string, nowMs: number): boolean;
  /** The positions that went missing so recently that the next list may bring them back. */
  missingOnes(): readonly Missing[];
  lastClosedMs(key: string): number | null;
  recentCloses(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
}

/**
 * The positions of a run that starts at `nowMs`, our time, with the facts of earlier ones,
 * oldest first.
 */
export function createPositions(past: readonly PastFact[], nowMs: number, surroundings: Surroundings): Positions {
  const book = recall(past, nowMs, surroundings);
  const { held, past: over, fills } = book;
  return {
    all: () => [...held.values()],
    get: (key) => held.get(key),
    push: (update, atMs) => pushedSide(book, update, atMs),
    applyList: (positions, startedAtMs, atMs) => listedPositions(book, positions, startedAtMs, atMs),
    askedStop: (clientOrderId, stop) => book.known.asked(clientOrderId, stop),
    placedStop: (clientOrderId, algoOrderId) => {
      book.ownStops.note(algoOrderId);
      book.known.named(clientOrderId, algoOrderId);
    },
    algo: (order, atMs) => pushedStop(book, order, atMs),
    applyAlgoList: (orders, startedAtMs, atMs) => listedStops(book, orders, startedAtMs, atMs),
    expect: (key, promised) => expectPosition(book, key, promised),
    flat: (key, askedMs) => {
      const position = held.get(key);
      if (!position) over.reportedFlat(key, askedMs);
      return position && position.readAtMs < askedMs ? closeHeld(book, position, askedMs) : null;
    },
    filled: (key, fill) => fills.note(key, fill),
    filledMs: (key) => fills.newestMs(key),
    grew: (growth, atMs) => growPosition(book, growth, atMs),
    mayInclude: (key, filled) => mayInclude(book, key, filled),
    beganBetween: (key, filled) => beganBetween(book, key, filled),
    took: (key, qty, fill) => takeFromPosition(book, key, qty, fill),
    closed: (key, askedMs, atMs) => endClosed(book, key, askedMs, atMs),
    reversed: (key, qty, fill) => reversePosition(book, key, qty, fill),
    stopEnded: (algoOrderId, atMs) => askedToEnd(book, algoOrderId, atMs),
    stopOver: (key, algoOrderId, atMs) => stopOver(book, key, algoOrderId, atMs),
    lone: (order, nowMs) => loneStop(book, order, nowMs),
    neverCame: (key) => void book.expected.delete(key),
    listed: () => book.listedFromMs > -Infinity,
    missing: (key) => over.missing(key),
    mayCome: (key, nowMs) => mayCome(book, key, nowMs),
    missingOnes: () => over.missingOnes(),
    lastClosedMs: (key) => over.lastMs(key),
    recentCloses: () => over.all(),
  };
}
