/** What is held, leg by leg, and what protects it, from pushes and lists. A leg remembers over restarts why it was opened. */
import type { Decimal } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import type { Position, PositionUpdate } from "../../domain/position.ts";
import type { Leg, LegChange, LegMeta, LoneStop } from "./leg.ts";
import { closeLeg, createLegBook, type EarlierLegs, expectLeg, mayCome, takeFromLeg } from "./leg-book.ts";
import type { LegFill } from "./leg-fills.ts";
import { listedLegs } from "./leg-lists.ts";
import { pushedLeg } from "./leg-pushes.ts";
import { askedToEnd, listedStops, loneStop, pushedStop, stopOver } from "./leg-stops.ts";

export type { Leg, LegChange, LegMeta, ProtectionState, RestoredLeg } from "./leg.ts";

/** Keys are `legKey`s, `atMs` is our time, `startedAtMs` when a list was asked for. Callers journal the changes. */
export interface Legs {
  all(): readonly Leg[];
  get(key: string): Leg | undefined;
  /** A push. Returns what became of the leg. */
  push(update: PositionUpdate, atMs: number): LegChange | null;
  /** A sweep's list. Legs with a newer push than `startedAtMs` keep it. */
  sweep(positions: readonly Position[], startedAtMs: number, atMs: number): readonly LegChange[];
  /** The venue's reply to a stop of ours named it. */
  placedStop(algoOrderId: string): void;
  /** A push. Returns the order of ours that is not needed beside a safer one on the same leg. */
  algo(order: AlgoOrder, atMs: number): AlgoOrder | null;
  /** A sweep's list of live algo orders. Returns those of ours that protect nothing, or less than another on their leg. */
  sweepAlgos(orders: readonly AlgoOrder[], startedAtMs: number, atMs: number): readonly LoneStop[];
  /** The venue says that there is nothing to close. Null when something newer was told since `askedMs`. */
  flat(key: string, askedMs: number, atMs: number): LegChange | null;
  /** A fill on that leg, by the venue's time and by ours: what the venue last changed before it does not show it. */
  filled(key: string, fill: LegFill): void;
  /** A fill took so much from that leg. True when nothing is left of it, as far as is known. */
  took(key: string, qty: Decimal, fill: LegFill): boolean;
  /** A stop that was asked to end stands for no leg that might come, or come back. */
  stopEnded(algoOrderId: string): void;
  /** The venue refuses to change a stop because it is over: none stands on its leg. */
  stopOver(key: string, algoOrderId: string, atMs: number): void;
  /** A push of a stop that stands while no leg of it is held. */
  lone(order: AlgoOrder, nowMs: number): LoneStop | null;
  expect(key: string, meta: LegMeta): void;
  /** What was promised there has come and gone unseen. */
  neverCame(key: string): void;
  /** What an earlier run held there is over: whatever begins there later is another position. */
  gone(key: string, atMs: number): void;
  /** Whether this run has read a list of positions: until then nobody knows what is not held. */
  listed(): boolean;
  /** Whether a list lacked that leg so lately that the next may bring it back. */
  missing(key: string, nowMs: number): boolean;
  /** Whether that leg, which is not held, was missed or promised so lately that the next list may show it, or is the first. */
  mayCome(key: string, nowMs: number): boolean;
  /** Whether a list lacked one so lately that the next may bring it back. */
  anyMissing(nowMs: number): boolean;
  lastClosedMs(key: string): number | null;
  recentCloses(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
}

/** The legs of this run, which begins with what earlier ones told. */
export function createLegs(earlier: EarlierLegs): Legs {
  const book = createLegBook(earlier);
  const { held, past, fills } = book;
  return {
    all: () => [...held.values()],
    get: (key) => held.get(key),
    push: (update, atMs) => pushedLeg(book, update, atMs),
    sweep: (positions, startedAtMs, atMs) => listedLegs(book, positions, startedAtMs, atMs),
    placedStop: (algoOrderId) => book.ownStops.note(algoOrderId),
    algo: (order, atMs) => pushedStop(book, order, atMs),
    sweepAlgos: (orders, startedAtMs, atMs) => listedStops(book, orders, startedAtMs, atMs),
    expect: (key, meta) => expectLeg(book, key, meta),
    flat: (key, askedMs, atMs) => {
      const leg = held.get(key);
      if (!leg) past.toldFlat(key, askedMs);
      return leg && leg.readAtMs < askedMs ? closeLeg(book, leg, atMs) : null;
    },
    filled: (key, fill) => fills.note(key, fill),
    took: (key, qty, fill) => takeFromLeg(book, key, qty, fill),
    stopEnded: (algoOrderId) => askedToEnd(book, algoOrderId),
    stopOver: (key, algoOrderId, atMs) => stopOver(book, key, algoOrderId, atMs),
    lone: (order, nowMs) => loneStop(book, order, nowMs),
    neverCame: (key) => void book.expected.delete(key),
    gone: (key, atMs) => void book.goneMs.set(key, atMs),
    listed: () => book.listed,
    missing: (key, nowMs) => past.missing(key, nowMs),
    mayCome: (key, nowMs) => mayCome(book, key, nowMs),
    anyMissing: (nowMs) => past.anyMissing(nowMs),
    lastClosedMs: (key) => past.lastMs(key),
    recentCloses: () => past.all(),
  };
}
