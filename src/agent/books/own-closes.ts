/**
 * Which unannounced orders carry out our closes. The venue chooses the id of such an order, and its pushes may arrive
 * before the reply that names it. Spec: 1 §4.4; invariant I3.
 */
import { BoundedMap } from "../../core/bounded.ts";
import type { Decimal } from "../../core/decimal.ts";
import { sideClosedBy, type PositionSide } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";

/** Replies arrive or are given up within this time; an external order must be reported within 30 s. */
const REPLY_WITHIN_MS = 20_000;
/** A close whose reply was lost may be carried out as late as this. */
export const FOLLOWS_WITHIN_MS = 60_000;
const KEPT = 200;

/** An order as a push, a fill or a list reports it, which no intent of ours names. */
export interface ExternalOrder {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  /** The side of the order: SELL takes from a long. */
  readonly side: "BUY" | "SELL";
  /** The position that it belongs to, where its record names one: in hedge mode what opens the other side is no close. */
  readonly positionSide?: PositionSide;
  /** Null or absent where no record shows one. A close has none: an order with a limit price is somebody else's. */
  readonly limitPrice?: Decimal | null;
  /**
   * When it was filled, if that is reported, by the venue's clock and at the latest by ours: what both show to be from before a
   * close was requested is not that close. Either clock may have been set since.
   */
  readonly made?: { readonly venueMs: number; readonly oursMs: number };
}

interface Asked {
  readonly atMs: number;
  /** The earliest that the venue's clock may have shown then. */
  readonly notBeforeMs: number;
  /** No reply names the order: any order that fits is taken for it. */
  readonly nameless: boolean;
}

const mayBeAnswered = ({ atMs, nameless }: Asked, nowMs: number): boolean =>
  !nameless && nowMs - atMs < REPLY_WITHIN_MS;

/** Either clock shows that it was made soon enough after the close was requested, however late it is heard of. */
const followed = ({ atMs, notBeforeMs }: Asked, { made }: ExternalOrder, nowMs: number): boolean =>
  Math.min(nowMs, made?.oursMs ?? nowMs) - atMs < FOLLOWS_WITHIN_MS ||
  (made !== undefined && made.venueMs - notBeforeMs < FOLLOWS_WITHIN_MS);

/** The close that the next reply belongs to, of those without one, oldest first. */
const awaited = (all: readonly Asked[]): Asked | undefined => all.find(({ nameless }) => !nameless) ?? all[0];

/** Called for every order without an intent, before it counts as external. */
export interface OwnCloses {
  /** A close of that position is on its way. `notBeforeMs`: the earliest that the venue's clock may show now. */
  asked(positionKey: string, atMs: number, notBeforeMs: number): void;
  /** When the close was requested that the next reply belongs to. */
  askedMs(positionKey: string): number | null;
  /** The reply, with the order that it names; null when it is lost or names none. */
  answered(positionKey: string, orderId: string | null): void;
  /** A reply named that order. */
  named(orderId: string): boolean;
  /**
   * When the close was requested that it carries out, or is taken to carry out because no reply names the order; -Infinity where
   * there is none.
   */
  carriesOutMs(orderId: string): number;
  /** It is only taken to carry out a close: what it opens shows that it does not. */
  likely(orderId: string): boolean;
  /** The close provably did not happen. */
  failed(positionKey: string): void;
  /** `ours`, `theirs`, or `waits` for a reply. Those that wait are handed to `due` later. */
  whose(externalOrder: ExternalOrder, nowMs: number): "ours" | "theirs" | "waits";
  /** External orders that waited and turned out to be somebody else's. */
  due(nowMs: number): readonly ExternalOrder[];
}

/** A close of an earlier run that may have been carried out: nobody knows by which order. */
export interface LostClose {
  readonly positionKey: string;
  readonly atMs: number;
  /** The earliest that the venue's clock may have shown then; -Infinity where no row says it. */
  readonly notBeforeMs: number;
}

/** An order that carried out a close of an earlier run. */
export interface NamedClose {
  readonly orderId: string;
  /** When the close was requested; -Infinity where no row read says it. */
  readonly askedMs: number;
}

/** `restored`: orders that closed for earlier runs; `lost`: closes of theirs that no reply named. */
export function createOwnCloses(restored: readonly NamedClose[] = [], lost: readonly LostClose[] = []): OwnCloses {
  /** The closes that no reply has named an order for, oldest first: a second one leaves where the first has not finished. */
  const asked = new BoundedMap<string, readonly Asked[]>(KEPT);
  const own = new BoundedMap<string, number>(KEPT);
  const likely = new BoundedMap<string, number>(KEPT);
  for (const { orderId, askedMs } of restored) own.set(orderId, askedMs);
  for (const { positionKey, ...close } of lost) asked.set(positionKey, [{ ...close, nameless: true }]);
  const waiting = new BoundedMap<string, { readonly externalOrder: ExternalOrder; readonly sinceMs: number }>(KEPT);
  const closes = ({
    symbol,
    side,
    positionSide = "NONE",
    limitPrice = null,
    made,
  }: ExternalOrder): readonly Asked[] => {
    if (limitPrice !== null) return [];
    const heldSide = sideClosedBy(side);
    if (positionSide !== "NONE" && positionSide !== heldSide) return [];
    const isBefore = (close: Asked): boolean =>
      made !== undefined && made.venueMs < close.notBeforeMs && made.oursMs < close.atMs;
    return (asked.get(positionKeyOf(symbol, heldSide)) ?? []).filter((close) => !isBefore(close));
  };
  const judge = (externalOrder: ExternalOrder, nowMs: number): "ours" | "theirs" | "waits" => {
    if (own.has(externalOrder.orderId)) return "ours";
    const made = externalOrder.clientOrderId === "" || externalOrder.clientOrderId === externalOrder.orderId;
    if (!made) return "theirs";
    const fitting = closes(externalOrder);
    const lost = fitting.find((close) => close.nameless && followed(close, externalOrder, nowMs));
    if (lost) {
      likely.set(externalOrder.orderId, lost.atMs);
      return "ours";
    }
    return fitting.some((close) => mayBeAnswered(close, nowMs)) ? "waits" : "theirs";
  };
  const answer = (positionKey: string, become: (close: Asked) => readonly Asked[]): Asked | undefined => {
    const all = asked.get(positionKey) ?? [];
    const close = awaited(all);
    asked.set(
      positionKey,
      all.flatMap((each) => (each === close ? become(each) : [each])),
    );
    return close;
  };
  return {
    asked: (positionKey, atMs, notBeforeMs) => {
      const mayFollow = (close: Asked): boolean => close.nameless && atMs - close.atMs < FOLLOWS_WITHIN_MS;
      const before = asked.get(positionKey)?.filter((close) => mayBeAnswered(close, atMs) || mayFollow(close)) ?? [];
      asked.set(positionKey, [...before, { atMs, notBeforeMs, nameless: false }]);
    },
    askedMs: (positionKey) => awaited(asked.get(positionKey) ?? [])?.atMs ?? null,
    answered: (positionKey, orderId) => {
      const close = answer(positionKey, (found) => (orderId === null ? [{ ...found, nameless: true }] : []));
      if (orderId !== null) own.set(orderId, close?.atMs ?? -Infinity);
    },
    named: (orderId) => own.has(orderId),
    carriesOutMs: (orderId) => own.get(orderId) ?? likely.get(orderId) ?? -Infinity,
    likely: (orderId) => likely.has(orderId) && !own.has(orderId),
    failed: (positionKey) => void answer(positionKey, () => []),
    whose: (externalOrder, nowMs) => {
      const found = judge(externalOrder, nowMs);
      if (found === "theirs") likely.delete(externalOrder.orderId);
      if (found !== "waits") waiting.delete(externalOrder.orderId);
      else if (!waiting.has(externalOrder.orderId))
        waiting.set(externalOrder.orderId, { externalOrder, sinceMs: nowMs });
      return found;
    },
    due: (nowMs) => {
      const theirs: ExternalOrder[] = [];
      for (const [orderId, { externalOrder, sinceMs }] of [...waiting.entries()]) {
        const found = judge(externalOrder, nowMs);
        if (found === "waits" && nowMs - sinceMs < REPLY_WITHIN_MS) continue;
        waiting.delete(orderId);
        if (found !== "ours") theirs.push(externalOrder);
      }
      return theirs;
    },
  };
}
