/** What is held, position by position, and what protects it, from pushes and lists. A position remembers over restarts why it was opened. */
import type { Decimal } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Position, PositionUpdate } from "../../domain/position.ts";
import type { HeldPosition, PositionChange, PositionMeta, LoneStop } from "./held-position.ts";
import {
  closeHeld,
  createPositionBook,
  type EarlierPositions,
  expectPosition,
  type Growth,
  growPosition,
  mayCome,
  takeFromPosition,
} from "./position-book.ts";
import type { PositionFill } from "./position-fills.ts";
import { listedPositions } from "./position-lists.ts";
import { pushedSide } from "./position-pushes.ts";
import { askedToEnd, listedStops, loneStop, pushedStop, stopOver } from "./position-stops.ts";

export type { HeldPosition, PositionChange, PositionMeta, ProtectionState, RestoredPosition } from "./held-position.ts";

/** Keys are `positionKeyOf`s, `atMs` is our time, `startedAtMs` when a list was asked for. Callers journal the changes. */
export interface Positions {
  all(): readonly HeldPosition[];
  get(key: string): HeldPosition | undefined;
  /** A push. Returns what became of the position. */
  push(update: PositionUpdate, atMs: number): PositionChange | null;
  /** An account snapshot's list. Positions with a newer push than `startedAtMs` keep it. */
  applyList(positions: readonly Position[], startedAtMs: number, atMs: number): readonly PositionChange[];
  /** The venue's reply to a stop of ours named it. */
  placedStop(algoOrderId: string): void;
  /** A push. Returns the order of ours that is not needed beside a safer one on the same position. */
  algo(order: AlgoOrder, atMs: number): AlgoOrder | null;
  /** An account snapshot's list of live algo orders. Returns those of ours that protect nothing, or less than another on their position. */
  applyAlgoList(orders: readonly AlgoOrder[], startedAtMs: number, atMs: number): readonly LoneStop[];
  /** The venue says that there is nothing to close. Null when something newer was reported since `askedMs`. */
  flat(key: string, askedMs: number, atMs: number): PositionChange | null;
  /** A fill on that position, by the venue's time and by ours: what the venue last changed before it does not show it. */
  filled(key: string, fill: PositionFill): void;
  /** A fill of an opening order of ours. Nothing where what is known shows it already. */
  grew(growth: Growth, atMs: number): readonly PositionChange[];
  /** A fill took so much from that position. True when nothing is left of it, as far as is known. */
  took(key: string, qty: Decimal, fill: PositionFill): boolean;
  /** A stop that was asked to end stands for no position that might come, or come back. */
  stopEnded(algoOrderId: string): void;
  /** The venue refuses to change a stop because it is over: none stands on its position. */
  stopOver(key: string, algoOrderId: string, atMs: number): void;
  /** A push of a stop that stands while no position of it is held. */
  lone(order: AlgoOrder, nowMs: number): LoneStop | null;
  expect(key: string, meta: PositionMeta): void;
  /** What was promised there has come and gone unseen. */
  neverCame(key: string): void;
  /** What an earlier run held there is over: whatever begins there later is another position. */
  gone(key: string, atMs: number): void;
  /** Whether this run has read a list of positions: until then nobody knows what is not held. */
  listed(): boolean;
  /** Whether a list lacked that position so lately that the next may bring it back. */
  missing(key: string, nowMs: number): boolean;
  /** Whether that position, which is not held, was missed or promised so lately that the next list may show it, or is the first. */
  mayCome(key: string, nowMs: number): boolean;
  /** Whether a list lacked one so lately that the next may bring it back. */
  anyMissing(nowMs: number): boolean;
  lastClosedMs(key: string): number | null;
  recentCloses(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
}

/** The positions of this run, which begins with what earlier ones reported. `defaultDistance` is that of a stop that nobody gave. */
export function createPositions(earlier: EarlierPositions, defaultDistance: () => Decimal): Positions {
  const book = createPositionBook(earlier, defaultDistance);
  const { held, past, fills } = book;
  return {
    all: () => [...held.values()],
    get: (key) => held.get(key),
    push: (update, atMs) => pushedSide(book, update, atMs),
    applyList: (positions, startedAtMs, atMs) => listedPositions(book, positions, startedAtMs, atMs),
    placedStop: (algoOrderId) => book.ownStops.note(algoOrderId),
    algo: (order, atMs) => pushedStop(book, order, atMs),
    applyAlgoList: (orders, startedAtMs, atMs) => listedStops(book, orders, startedAtMs, atMs),
    expect: (key, meta) => expectPosition(book, key, meta),
    flat: (key, askedMs, atMs) => {
      const position = held.get(key);
      if (!position) past.reportedFlat(key, askedMs);
      return position && position.readAtMs < askedMs ? closeHeld(book, position, atMs) : null;
    },
    filled: (key, fill) => fills.note(key, fill),
    grew: (growth, atMs) => growPosition(book, growth, atMs),
    took: (key, qty, fill) => takeFromPosition(book, key, qty, fill),
    stopEnded: (algoOrderId) => askedToEnd(book, algoOrderId),
    stopOver: (key, algoOrderId, atMs) => stopOver(book, key, algoOrderId, atMs),
    lone: (order, nowMs) => loneStop(book, order, nowMs),
    neverCame: (key) => void book.expected.delete(key),
    gone: (key, atMs) => void book.goneMs.set(key, atMs),
    listed: () => book.listedFromMs > -Infinity,
    missing: (key, nowMs) => past.missing(key, nowMs),
    mayCome: (key, nowMs) => mayCome(book, key, nowMs),
    anyMissing: (nowMs) => past.anyMissing(nowMs),
    lastClosedMs: (key) => past.lastMs(key),
    recentCloses: () => past.all(),
  };
}
