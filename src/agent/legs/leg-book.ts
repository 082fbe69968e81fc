/** What is remembered of legs, held and not, and the three turns that one takes in it: it opens, changes or closes. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { legKey, type Position } from "../../domain/position.ts";
import { createOwnStops, type OwnStops } from "./own-stops.ts";
import { type EndedStops, endedStops } from "./ended-stops.ts";
import {
  attach,
  isTaken,
  type Leg,
  type LegChange,
  type LegMeta,
  newLeg,
  type RestoredLeg,
  stopOf,
  suffices,
} from "./leg.ts";
import { createLegFills, type LegFill, type LegFills } from "./leg-fills.ts";
import { saferThan } from "../books/trailing.ts";
import { type ClosedLeg, createPastLegs, type Held, type PastLegs } from "./past-legs.ts";

/** A leg that began so short a time ago may still be missing from every list. */
const YOUNG_MS = 20_000;

/** What earlier runs told. */
export interface EarlierLegs {
  /** Legs that were open when the journal ended. */
  readonly restored: ReadonlyMap<string, RestoredLeg>;
  /** Those that it tells to be over, oldest first. */
  readonly closed: readonly ClosedLeg[];
  /** No leg was told of after this. */
  readonly atMs: number;
}

/** All by leg, except the stops that have ended. */
export interface LegBook {
  readonly held: Map<string, Leg>;
  /** What was promised of a leg, until it is over. */
  readonly expected: Map<string, LegMeta>;
  /** What an earlier run knew of a leg, until this one is told that it is held. */
  readonly before: Map<string, LegMeta>;
  /** When such a leg was found to be over: what begins there later is another position. */
  readonly goneMs: Map<string, number>;
  readonly past: PastLegs;
  readonly fills: LegFills;
  readonly ended: EndedStops;
  readonly ownStops: OwnStops;
  /** Live algos by leg that came before their position did. */
  readonly waitingAlgos: Map<string, AlgoOrder>;
  /** Whether this run has read a list of positions: until then nobody knows what is not held. */
  listed: boolean;
}

function heldBefore({ restored, atMs }: EarlierLegs): readonly Held[] {
  return [...restored].flatMap(([key, { qty, toldMs }]) => {
    const [symbol = "", side = ""] = key.split("|");
    return side === "LONG" || side === "SHORT" ? [{ symbol, side, qty, atMs: Math.min(toldMs, atMs) }] : [];
  });
}

/** The book at the start of a run: nothing is held until this run has been told so. */
export function createLegBook(earlier: EarlierLegs): LegBook {
  const { restored, closed } = earlier;
  const fills = createLegFills();
  for (const [key, { takenBy }] of restored) if (takenBy) fills.note(key, takenBy);
  return {
    held: new Map(),
    expected: new Map(),
    before: new Map(restored),
    goneMs: new Map(),
    past: createPastLegs(
      closed.filter(({ symbol, side }) => !restored.has(legKey(symbol, side))),
      heldBefore(earlier),
    ),
    fills,
    ended: endedStops(),
    ownStops: createOwnStops(),
    waitingAlgos: new Map(),
    listed: false,
  };
}

/** It is over. */
export function closeLeg({ held, expected, past }: LegBook, leg: Leg, atMs: number, missed = false): LegChange {
  held.delete(leg.key);
  expected.delete(leg.key);
  past.over(leg, atMs, missed);
  return { leg, kind: "closed", shrank: true, ...(missed ? { missed: true } : {}) };
}

function comeBack({ held }: LegBook, leg: Leg, atMs: number): LegChange {
  if (leg.protection !== "live") leg.unprotectedSinceMs ??= atMs;
  held.set(leg.key, leg);
  return { leg, kind: "opened", back: true };
}

/** Nothing where that was found to be over before this position began. */
const metaBefore = ({ before, goneMs }: LegBook, key: string, { createdAtMs }: Position): LegMeta | undefined =>
  createdAtMs > (goneMs.get(key) ?? Infinity) ? undefined : before.get(key);

const unknownMeta = (openedAtMs: number): LegMeta => ({
  decisionId: null,
  strategy: null,
  thesis: null,
  stopPrice: null,
  targetPrice: null,
  openedAtMs,
});

/** An order may have added to it before anything told that it is held: that moves no stop away from safety. */
function metaAtFirst(book: LegBook, key: string, position: Position): LegMeta | undefined {
  const [before, promised] = [metaBefore(book, key, position), book.expected.get(key)];
  if (!before || !promised) return promised ?? before;
  // Of a later promise, and begun after it: that order has opened it.
  const { openedAtMs } = promised;
  if (openedAtMs > before.openedAtMs && position.createdAtMs > openedAtMs) return promised;
  const [stop, other] = [before.stopPrice, promised.stopPrice];
  if (stop && other && saferThan(position.side, stop, other)) return before;
  return { ...promised, strategy: promised.strategy ?? before.strategy, openedAtMs: before.openedAtMs };
}

function openLeg(book: LegBook, position: Position, atMs: number): LegChange {
  const { held, past, waitingAlgos } = book;
  const key = legKey(position.symbol, position.side);
  past.shown(key);
  const before = past.continued(key, position);
  if (before) {
    const told = { position, bookedQty: ZERO, closeAskedMs: null, readAtMs: atMs, sizedMs: atMs };
    return comeBack(book, { ...before, ...told }, atMs);
  }
  const meta = metaAtFirst(book, key, position) ?? unknownMeta(position.createdAtMs || atMs);
  const leg = newLeg(position, meta, atMs);
  held.set(key, leg);
  book.before.delete(key);
  const algo = waitingAlgos.get(key);
  const ours = algo !== undefined && book.ownStops.has(algo);
  if (algo && (ours ? stopOf(leg, algo) !== null : suffices(leg, algo))) attach(leg, algo, { ours, atMs });
  waitingAlgos.delete(key);
  return { leg, kind: "opened" };
}

/** A position was told: the leg is as it says, or opens with it. */
export function changeLeg(book: LegBook, position: Position, atMs: number): LegChange {
  const leg = book.held.get(legKey(position.symbol, position.side));
  if (!leg) return openLeg(book, position, atMs);
  const kind = leg.position.qty.eq(position.qty) ? "same" : "resized";
  const shrank = position.qty.lt(leg.position.qty);
  if (isTaken(leg)) book.past.passed(leg.key, atMs);
  leg.position = position;
  leg.readAtMs = atMs;
  if (kind === "resized") leg.sizedMs = atMs;
  leg.takenQty = ZERO;
  leg.bookedQty = ZERO;
  return { leg, kind, ...(shrank ? { shrank } : {}) };
}

/** An order of ours opens that leg, or adds to it. */
export function expectLeg({ held, expected }: LegBook, key: string, meta: LegMeta): void {
  expected.set(key, meta);
  const leg = held.get(key);
  if (!leg) return;
  leg.meta = { ...meta, openedAtMs: leg.meta.openedAtMs };
  leg.doubtedSinceMs = null;
}

/** A fill took so much from that leg. True when nothing is left of it, as far as is known. */
export function takeFromLeg({ held, past }: LegBook, key: string, qty: Decimal, { atMs, heardMs }: LegFill): boolean {
  const leg = held.get(key);
  if (!leg) {
    past.took(key, qty, atMs);
    return false;
  }
  leg.takenQty = leg.takenQty.add(qty);
  if (isTaken(leg)) leg.doubtedSinceMs ??= heardMs;
  return isTaken(leg);
}

/** Whether that leg, which is not held, was missed or promised so lately that the next list may show it, or is the first. */
export const mayCome = ({ past, expected, before, listed }: LegBook, key: string, nowMs: number): boolean =>
  !listed ||
  past.missing(key, nowMs) ||
  ((expected.get(key) ?? before.get(key))?.openedAtMs ?? -Infinity) > nowMs - YOUNG_MS;
