/** What is remembered of positions, held and not, and the three things that happen to one: it opens, changes or closes. */
import { BoundedMap } from "../../core/bounded.ts";
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";
import type { AlgoOrder } from "../../domain/algo-order.ts";
import { positionKeyOf, type Position } from "../../domain/position.ts";
import { createOwnStops, type OwnStops } from "./own-stops.ts";
import { type EndedStops, endedStops } from "./ended-stops.ts";
import {
  attach,
  isTaken,
  type HeldPosition,
  type PositionChange,
  type PositionMeta,
  newHeld,
  type RestoredPosition,
  stopOf,
  suffices,
} from "./held-position.ts";
import { createPositionFills, type PositionFill, type PositionFills } from "./position-fills.ts";
import { mustShow, READS_LAG_MS } from "./read-lag.ts";
import { saferThan } from "../books/trailing.ts";
import { type ClosedPosition, createPastPositions, type Held, type PastPositions } from "./past-positions.ts";

const PUSHES_KNOWN = 200;

/** What earlier runs reported. */
export interface EarlierPositions {
  /** Positions that were open when the journal ended. */
  readonly restored: ReadonlyMap<string, RestoredPosition>;
  /** Those that it reports to be over, oldest first. */
  readonly closed: readonly ClosedPosition[];
  /** No position was reported after this. */
  readonly atMs: number;
}

/** All by position, except the stops that have ended. */
export interface PositionBook {
  readonly held: Map<string, HeldPosition>;
  /** What was promised of a position, until it is over. */
  readonly expected: Map<string, PositionMeta>;
  /** What an earlier run knew of a position, until this one learns that it is held. */
  readonly before: Map<string, PositionMeta>;
  /** When such a position was found to be over: what begins there later is another position. */
  readonly goneMs: Map<string, number>;
  readonly past: PastPositions;
  readonly fills: PositionFills;
  readonly ended: EndedStops;
  readonly ownStops: OwnStops;
  /** The venue's own time of the newest push of it, where pushes bear one. */
  readonly pushedMs: BoundedMap<string, number>;
  /** Live algos by position that came before their position did. */
  readonly waitingAlgos: Map<string, AlgoOrder>;
  /** The configured distance of a stop that nobody gave, fraction of the entry price. */
  readonly defaultDistance: () => Decimal;
  /** Symbols whose pushes name no side: each has one position, long or short. */
  readonly oneWay: Set<string>;
  /** When the newest list of positions of this run was asked for; -Infinity until there is one: nobody knows what is not held. */
  listedFromMs: number;
}

function heldBefore({ restored, atMs }: EarlierPositions): readonly Held[] {
  return [...restored].flatMap(([key, { qty, reportedMs }]) => {
    const [symbol = "", side = ""] = key.split("|");
    return side === "LONG" || side === "SHORT" ? [{ symbol, side, qty, atMs: Math.min(reportedMs, atMs) }] : [];
  });
}

/** The book at the start of a run: nothing is held until this run has been reported so. */
export function createPositionBook(earlier: EarlierPositions, defaultDistance: () => Decimal): PositionBook {
  const { restored, closed } = earlier;
  const fills = createPositionFills();
  for (const [key, { takenBy }] of restored) if (takenBy) fills.note(key, takenBy);
  return {
    held: new Map(),
    expected: new Map(),
    before: new Map(restored),
    goneMs: new Map(),
    past: createPastPositions(
      closed.filter(({ symbol, side }) => !restored.has(positionKeyOf(symbol, side))),
      heldBefore(earlier),
    ),
    fills,
    ended: endedStops(),
    ownStops: createOwnStops(),
    pushedMs: new BoundedMap(PUSHES_KNOWN),
    waitingAlgos: new Map(),
    defaultDistance,
    oneWay: new Set(),
    listedFromMs: -Infinity,
  };
}

/** It is over. */
export function closeHeld(
  { held, expected, past, ended }: PositionBook,
  position: HeldPosition,
  atMs: number,
  missed = false,
): PositionChange {
  held.delete(position.key);
  expected.delete(position.key);
  const { algoOrderId, repliedAlgoId, stopIsOurs } = position;
  for (const id of missed ? [] : [stopIsOurs ? algoOrderId : null, repliedAlgoId])
    if (id !== null) ended.endWithPosition(id, atMs);
  past.over(position, atMs, missed);
  return { held: position, kind: "closed", shrank: true, ...(missed ? { missed: true } : {}) };
}

function comeBack({ held }: PositionBook, position: HeldPosition, atMs: number): PositionChange {
  if (position.protection !== "live") position.unprotectedSinceMs ??= atMs;
  held.set(position.key, position);
  return { held: position, kind: "opened", back: true };
}

/** Nothing where that was found to be over before this position began. */
const metaBefore = (
  { before, goneMs }: PositionBook,
  key: string,
  { createdAtMs }: Position,
): PositionMeta | undefined => (createdAtMs > (goneMs.get(key) ?? Infinity) ? undefined : before.get(key));

const unknownMeta = (openedAtMs: number): PositionMeta => ({
  decisionId: null,
  strategy: null,
  thesis: null,
  stopPrice: null,
  targetPrice: null,
  openedAtMs,
});

/** An order may have added to it before anything reported that it is held: that moves no stop away from safety. */
function metaAtFirst(book: PositionBook, key: string, position: Position): PositionMeta | undefined {
  const [before, promised] = [metaBefore(book, key, position), book.expected.get(key)];
  if (!before || !promised) return promised ?? before;
  // Of a later promise, and begun after it: that order has opened it.
  const { openedAtMs } = promised;
  if (openedAtMs > before.openedAtMs && position.createdAtMs > openedAtMs) return promised;
  const [stop, other] = [before.stopPrice, promised.stopPrice];
  if (stop && other && saferThan(position.side, stop, other)) return before;
  return { ...promised, strategy: promised.strategy ?? before.strategy, openedAtMs: before.openedAtMs };
}

function openPosition(book: PositionBook, position: Position, atMs: number): PositionChange {
  const { held, past, waitingAlgos } = book;
  const key = positionKeyOf(position.symbol, position.side);
  past.shown(key);
  const before = past.continued(key, position);
  if (before) {
    const reported = { position, bookedQty: ZERO, closeAskedMs: null, readAtMs: atMs, sizedMs: atMs };
    return comeBack(book, { ...before, ...reported }, atMs);
  }
  const meta = metaAtFirst(book, key, position) ?? unknownMeta(position.createdAtMs || atMs);
  const heldPosition = newHeld(position, meta, atMs);
  held.set(key, heldPosition);
  book.before.delete(key);
  const algo = waitingAlgos.get(key);
  const ours = algo !== undefined && book.ownStops.has(algo);
  if (
    algo &&
    !book.ended.endedWithPosition(algo, -Infinity) &&
    (ours ? stopOf(heldPosition, algo) !== null : suffices(heldPosition, algo, book.defaultDistance()))
  )
    attach(heldPosition, algo, { ours, atMs });
  waitingAlgos.delete(key);
  return { held: heldPosition, kind: "opened" };
}

/** A position was reported: the position is as it says, or opens with it. */
export function changePosition(book: PositionBook, position: Position, atMs: number): PositionChange {
  const held = book.held.get(positionKeyOf(position.symbol, position.side));
  if (!held) return openPosition(book, position, atMs);
  const kind = held.position.qty.eq(position.qty) ? "same" : "resized";
  const shrank = position.qty.lt(held.position.qty);
  if (isTaken(held)) book.past.passed(held.key, atMs);
  held.proven = { ...held.proven, qty: maxDecimal(ZERO, held.proven.qty.sub(held.takenQty)) };
  held.position = position;
  held.readAtMs = atMs;
  if (kind === "resized") held.sizedMs = atMs;
  held.takenQty = ZERO;
  held.bookedQty = ZERO;
  return { held: held, kind, ...(shrank ? { shrank } : {}) };
}

/** A record with the venue's own time: what it shows is proven as of then. */
export function proves(held: HeldPosition, { qty, updatedAtMs }: Position): void {
  held.proven = { qty, atMs: updatedAtMs };
}

/** A fill of an opening order of ours; `madeMs` is the venue's time. */
export interface Growth {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly price: Decimal;
  readonly madeMs: number;
}

const grown = (before: Position, { qty, price, madeMs }: Growth): Position => {
  const whole = before.qty.add(qty);
  const avgPrice = before.avgPrice.mul(before.qty).add(price.mul(qty)).div(whole).toSignificantDigits(12);
  return { ...before, qty: whole, avgPrice, updatedAtMs: madeMs };
};

const begun = ({ symbol, side, qty, price, madeMs }: Growth): Position => ({
  symbol,
  side,
  qty,
  avgPrice: price,
  markPrice: price,
  unrealizedPnl: ZERO,
  leverage: 1,
  liquidationPrice: null,
  createdAtMs: madeMs,
  updatedAtMs: madeMs,
});

const isAwaited = ({ listedFromMs, before, past }: PositionBook, key: string, nowMs: number): boolean =>
  listedFromMs === -Infinity || before.has(key) || past.missing(key, nowMs);

/** What fills have taken all of is over once something has been opened after them: a promise for the new one stays. */
function endTaken(book: PositionBook, held: HeldPosition, atMs: number): PositionChange {
  const promised = book.expected.get(held.key);
  const over = closeHeld(book, held, atMs);
  if (promised) book.expected.set(held.key, promised);
  return over;
}

/** What an order of ours has filled is held from then on, whatever else reports it first: nothing where a reading shows it already. */
export function growPosition(book: PositionBook, growth: Growth, atMs: number): readonly PositionChange[] {
  const key = positionKeyOf(growth.symbol, growth.side);
  const held = book.held.get(key);
  // What an earlier run or an earlier list knew of it is not here to be added to: the next list decides.
  if (mustShow(book.listedFromMs, growth.madeMs) || (!held && isAwaited(book, key, atMs))) return [];
  if (growth.madeMs <= (held?.proven.atMs ?? -Infinity) || book.past.includes(key, growth.madeMs)) return [];
  const over = held && isTaken(held) ? endTaken(book, held, atMs) : null;
  book.fills.note(key, { atMs: growth.madeMs, heardMs: atMs });
  if (!held || over) {
    const opened = { ...openPosition(book, begun(growth), atMs), grown: true as const };
    opened.held.begunMs = growth.madeMs;
    opened.held.proven = { qty: growth.qty, atMs: -Infinity };
    return over ? [over, opened] : [opened];
  }
  // A push without a time may have shown it already: the larger of the two counts, until a list decides.
  held.proven.qty = held.proven.qty.add(growth.qty);
  const unshown = held.proven.qty.sub(held.position.qty);
  if (unshown.lte(0)) return [];
  held.position = grown(held.position, { ...growth, qty: unshown });
  held.readAtMs = held.sizedMs = held.aheadMs = atMs;
  held.unsureSinceMs = null;
  return [{ held, kind: "resized", grown: true }];
}

/** An order of ours opens that position, or adds to it. */
export function expectPosition({ held, expected }: PositionBook, key: string, meta: PositionMeta): void {
  expected.set(key, meta);
  const position = held.get(key);
  if (!position || isTaken(position)) return;
  position.meta = { ...meta, openedAtMs: position.meta.openedAtMs };
  position.unsureSinceMs = null;
}

/** A fill took so much from that position. True when nothing is left of it, as far as is known. */
export function takeFromPosition(
  { held, past }: PositionBook,
  key: string,
  qty: Decimal,
  { atMs, heardMs }: PositionFill,
): boolean {
  const position = held.get(key);
  if (!position) {
    past.took(key, qty, atMs);
    return false;
  }
  // A fill of before it began was of the position before it.
  if (atMs < position.begunMs) {
    past.took(key, qty, atMs);
    return false;
  }
  position.takenQty = position.takenQty.add(qty);
  position.takenMs = Math.max(position.takenMs, atMs);
  if (isTaken(position)) position.unsureSinceMs ??= heardMs;
  return isTaken(position);
}

/** Whether that position, which is not held, was missed or promised so lately that the next list may show it, or is the first. */
export const mayCome = ({ past, expected, before, listedFromMs }: PositionBook, key: string, nowMs: number): boolean =>
  listedFromMs === -Infinity ||
  past.missing(key, nowMs) ||
  ((expected.get(key) ?? before.get(key))?.openedAtMs ?? -Infinity) > nowMs - READS_LAG_MS;
