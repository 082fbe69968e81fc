/** What is remembered of positions, held or not, and the three events of a position: it opens, changes or closes. */
import { BoundedMap } from "../../core/bounded.ts";
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { positionKeyOf, type Position } from "../../domain/position.ts";
import { createOwnStops, type KnownStops, knownStops, type OwnStops } from "./known-stops.ts";
import {
  isTaken,
  type HeldPosition,
  type PositionChange,
  type PositionMeta,
  newHeld,
  planAfter,
} from "./held-position.ts";
import { createPositionFills, type PositionFills } from "./position-fills.ts";
import { READS_LAG_MS } from "../books/read-lag.ts";
import { createPastPositions, type PastPositions } from "./past-positions.ts";
import { adoptSafer, attach, isClear, suffices } from "./held-stop.ts";
import { unmeasured, venueNotAfter, venueNotBefore, type VenueTime } from "../../domain/venue-time.ts";

const PUSHES_KNOWN = 200;

/** The mark price of a symbol at our time `atMs`; null while none is young enough to act on. */
export type FreshMark = (symbol: string, atMs: number) => Decimal | null;

/** A stop without its position. `heardMs`: our time of its newest report. */
export interface WaitingStop {
  readonly order: AlgoOrder;
  readonly heardMs: number;
}

/** What the book asks of the rest of the agent. */
export interface Surroundings {
  /** The configured distance of the default stop, as a fraction of the entry price. */
  readonly defaultDistance: () => Decimal;
  readonly freshMark: FreshMark;
  readonly venueTime: VenueTime;
  /** Whether the account says that a symbol has a position of each side. */
  readonly isHedged: (symbol: string) => boolean;
}

/** Where rows alone count: no prices, no clock of a venue, and the stops that the rows name. */
export const NO_SURROUNDINGS: Surroundings = {
  defaultDistance: () => ZERO,
  freshMark: () => null,
  venueTime: Object.freeze(unmeasured()),
  isHedged: () => true,
};

/** All keyed by position, except what is known of stops. */
export interface PositionBook extends Surroundings {
  readonly held: Map<string, HeldPosition>;
  /** The plan of an order that has filled, until its position is known to be held: then it is that position's own. */
  readonly expected: Map<string, PositionMeta>;
  readonly past: PastPositions;
  readonly fills: PositionFills;
  readonly known: KnownStops;
  readonly ownStops: OwnStops;
  /** The venue time of its newest push, where pushes carry one. */
  readonly pushedMs: BoundedMap<string, number>;
  /** Live algo orders, by position, that arrived before their position did, until a list that must show them lacks them. */
  readonly waitingAlgos: Map<string, WaitingStop>;
  /** Symbols whose newest push names no side. */
  readonly oneWay: Set<string>;
  /**
   * When the newest list of positions of this run was requested; -Infinity before the first, while it is unknown what
   * is not held.
   */
  listedFromMs: number;
}

/** Whether a symbol has one position, long or short: the account says so, or the newest push of it, which may be sooner. */
export const isOneWay = ({ oneWay, isHedged }: PositionBook, symbol: string): boolean =>
  oneWay.has(symbol) || !isHedged(symbol);

/** A book in which nothing has been held. */
export const createPositionBook = (surroundings: Surroundings): PositionBook => ({
  held: new Map(),
  expected: new Map(),
  past: createPastPositions(),
  fills: createPositionFills(),
  known: knownStops(),
  ownStops: createOwnStops(),
  pushedMs: new BoundedMap(PUSHES_KNOWN),
  waitingAlgos: new Map(),
  oneWay: new Set(),
  ...surroundings,
  listedFromMs: -Infinity,
});

/** Whether an order placed by others can serve as the position's stop, by what is known at `atMs`, our time. */
export const serves = (
  { defaultDistance, freshMark }: PositionBook,
  held: HeldPosition,
  { order, atMs }: { readonly order: AlgoOrder; readonly atMs: number },
): boolean => suffices(held, order, { distance: defaultDistance(), mark: freshMark(held.symbol, atMs) });

/**
 * The venue's time of the newest fill that opened a position which only pushes have shown: nothing has added it to a size, so that a
 * record of its order may report it as new. Infinity for any other position.
 */
export const openedMsOf = (fills: PositionFills, { key, begunMs }: HeldPosition): number =>
  begunMs === -Infinity ? fills.openedMs(key) : Infinity;

/** `missed`: the only evidence is a list without it. `overMs`: the venue's time at which it was over at the latest. */
export function closeHeld(
  { held, past, known, venueTime, fills }: PositionBook,
  position: HeldPosition,
  atMs: number,
  { missed = false, overMs = venueNotAfter(venueTime, atMs) }: { missed?: boolean; overMs?: number | undefined } = {},
): PositionChange {
  held.delete(position.key);
  const { algoOrderId, repliedAlgoId, stood } = position;
  for (const id of missed ? [] : [algoOrderId, repliedAlgoId, stood?.algoOrderId ?? null])
    if (id !== null) known.expectEnd(id, atMs);
  past.over(position, { atMs, overMs, missed, openedMs: openedMsOf(fills, position) });
  return { held: position, kind: "closed", shrank: true, ...(missed ? { missed: true } : {}) };
}

function comeBack({ held }: PositionBook, position: HeldPosition, atMs: number): PositionChange {
  if (position.protection !== "live") position.unprotectedSinceMs ??= atMs;
  held.set(position.key, position);
  return { held: position, kind: "opened", back: true };
}

const unknownMeta = (openedAtMs: number): PositionMeta => ({
  ...{ decisionId: null, strategy: null, thesis: null, stopPrice: null, targetPrice: null },
  openedAtMs,
});

/** The plan that waits for that position waits no longer. */
function takePlan({ expected }: PositionBook, key: string): PositionMeta | undefined {
  const promised = expected.get(key);
  expected.delete(key);
  return promised;
}

/**
 * Why a position of an earlier run is held, once this run sees it, or one that fills had closed: an order may have added to it
 * meanwhile, which moves no stop away from safety, or may have opened it again.
 */
function metaOnceSeen(book: PositionBook, held: HeldPosition, position: Position): PositionMeta {
  const { key, meta: before, begunMs } = held;
  const promised = takePlan(book, key);
  if (!promised) return before;
  // It was created no later than it is known to have begun: it is the same position.
  if (position.createdAtMs > 0 && position.createdAtMs <= begunMs) return planAfter(position.side, before, promised);
  // The order is newer and the position was created after it, so this order opened it. Before the first list nothing says when
  // a position was created.
  const { openedAtMs, notBeforeMs = venueNotBefore(book.venueTime, openedAtMs) } = promised;
  const listed = book.listedFromMs > -Infinity;
  if (listed && openedAtMs > before.openedAtMs && position.createdAtMs > notBeforeMs) return promised;
  return planAfter(position.side, before, promised);
}

/**
 * A record need not have prices (records §0.2). What it leaves out is as it was: at a price of zero the whole value of a position
 * would count as its result. Of a position that nothing has priced yet, the mark counts as its entry price, and that as its mark.
 */
function withPrices(
  { freshMark }: PositionBook,
  position: Position,
  { before, atMs }: { readonly before: Position | undefined; readonly atMs: number },
): Position {
  const { avgPrice, markPrice } = position;
  if (avgPrice.gt(0) && markPrice.gt(0)) return position;
  const priced = (price: Decimal | null | undefined): price is Decimal => price?.gt(0) === true;
  const entry = [avgPrice, before?.avgPrice, markPrice, freshMark(position.symbol, atMs)].find(priced) ?? avgPrice;
  return { ...position, avgPrice: entry, markPrice: [markPrice, before?.markPrice].find(priced) ?? entry };
}

export function openPosition(book: PositionBook, reported: Position, atMs: number): PositionChange {
  const { held, past, waitingAlgos } = book;
  const key = positionKeyOf(reported.symbol, reported.side);
  const before = past.continued(key, reported);
  const position = withPrices(book, reported, { before: before?.position, atMs });
  if (before) {
    // Its record shows what fills had left of it.
    const taken = { takenQty: ZERO, bookedQty: ZERO };
    const shown = { position, ...taken, closeAskedMs: null, readAtMs: atMs, sizedMs: atMs };
    return comeBack(book, { ...before, ...shown }, atMs);
  }
  const meta = takePlan(book, key) ?? unknownMeta(position.createdAtMs || atMs);
  const heldPosition = newHeld(position, meta, atMs);
  held.set(key, heldPosition);
  const algo = waitingAlgos.get(key)?.order;
  const ours = algo !== undefined && book.ownStops.has(algo);
  if (
    algo &&
    !book.known.mayBeOver(algo, -Infinity) &&
    (ours ? isClear(algo) : serves(book, heldPosition, { order: algo, atMs }))
  )
    attach(heldPosition, algo, { ours, atMs });
  waitingAlgos.delete(key);
  return { held: heldPosition, kind: "opened" };
}

/** A position was reported: it opens, or takes the reported values. */
export function changePosition(book: PositionBook, reported: Position, atMs: number): PositionChange {
  const held = book.held.get(positionKeyOf(reported.symbol, reported.side));
  if (!held) return openPosition(book, reported, atMs);
  const position = withPrices(book, reported, { before: held.position, atMs });
  // What fills had taken of it is held after all: news for the next run, though the size is the known one.
  const isSame = held.position.qty.eq(position.qty) && held.takenQty.isZero();
  const kind = held.isUnconfirmed ? "opened" : isSame ? "same" : "resized";
  const shrank = position.qty.lt(held.position.qty);
  if (isTaken(held)) book.past.passed(held.key, atMs);
  if (held.isUnconfirmed || isTaken(held)) held.meta = metaOnceSeen(book, held, position);
  // Whatever opened it, a stop that stands for it moves no further away.
  if (held.isUnconfirmed && held.protection === "live") adoptSafer(held, held.standingStop);
  held.proven = { ...held.proven, qty: maxDecimal(ZERO, held.proven.qty.sub(held.takenQty)) };
  held.position = position;
  held.readAtMs = atMs;
  if (!isSame) held.sizedMs = atMs;
  held.isUnconfirmed = false;
  held.takenQty = ZERO;
  held.bookedQty = ZERO;
  return { held: held, kind, ...(shrank ? { shrank } : {}) };
}

/** A record with the venue's own time proves what it shows, as of that time. */
export function proves(held: HeldPosition, { qty, updatedAtMs }: Position): void {
  held.proven = { qty, atMs: updatedAtMs > 0 ? updatedAtMs : -Infinity, heardMs: held.readAtMs };
  held.isUndated = false;
}

/**
 * One of our orders has opened that position, or added to it. What it filled by `filledMs`, the venue's time, before that position
 * was over says nothing of the next.
 */
export function expectPosition(
  { held, expected, past }: PositionBook,
  key: string,
  { meta, filledMs }: { readonly meta: PositionMeta; readonly filledMs: number },
): void {
  if (!held.has(key) && past.includes(key, filledMs)) return;
  const position = held.get(key);
  if (!position || position.isUnconfirmed || isTaken(position)) expected.set(key, meta);
  else position.meta = { ...meta, openedAtMs: position.meta.openedAtMs };
}

/** An order has added to the position that fills had closed, before they did. */
export function resumePlan(book: PositionBook, held: HeldPosition): void {
  const promised = takePlan(book, held.key);
  if (promised) held.meta = planAfter(held.side, held.meta, promised);
}

/**
 * Whether a position that is not held went missing or was planned so recently that the next list may show it, or no
 * list has come yet.
 */
export const mayCome = ({ past, expected, listedFromMs }: PositionBook, key: string, nowMs: number): boolean =>
  listedFromMs === -Infinity ||
  past.missing(key) ||
  (expected.get(key)?.openedAtMs ?? -Infinity) > nowMs - READS_LAG_MS;
