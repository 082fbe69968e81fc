/**
 * Positions that are over, or seem to be: a push, a refusal or a fill reports one as flat, or a list merely does not
 * show it. Lists lag in both ways: they still show what is over, and do not yet show what has just begun. Fault R9;
 * invariants I5, I9.
 */
import { BoundedMap } from "../../core/bounded.ts";
import type { Decimal } from "../../core/decimal.ts";
import type { Position } from "../../domain/position.ts";
import { type HeldPosition, leftOf } from "./held-position.ts";
import { mustShow, READS_LAG_MS } from "../books/read-lag.ts";
import type { PositionFill } from "./position-fills.ts";

const KEPT = 200;

/** How a position ended. */
type Over = Pick<Past, "atMs" | "overMs" | "missed" | "openedMs">;

interface Past {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly held: HeldPosition;
  /** The quantity that no closing fill has taken. */
  left: Decimal;
  /** The venue's time of its last closing fill; -Infinity where none is known. */
  takenMs: number;
  /** The venue's time of the newest fill that opened it, where only pushes had shown the position itself; else Infinity. */
  readonly openedMs: number;
  /** Since when it had been without a stop; null when it had one. */
  readonly bareSinceMs: number | null;
  readonly atMs: number;
  /** The same by the venue's clock, at the latest. */
  readonly overMs: number;
  /** Until when it was held, as far as any report says, our time. */
  readonly seenMs: number;
  /** Nothing reported its end: a list did not show it. */
  readonly missed: boolean;
}

/** By `positionKeyOf`, the last 200. `nowMs`, `startedAtMs` and, unless noted, `atMs` are our time. */
export interface PastPositions {
  over(held: HeldPosition, over: Over): void;
  /**
   * A push or a refusal reported that nothing is held there, though no position was known: an older list may still show
   * one.
   */
  reportedFlat(key: string, atMs: number): void;
  /** It was flat then without having ended here: fills had closed all of it, or a push found nothing known to be held. */
  passed(key: string, atMs: number): void;
  /**
   * A fill closed this quantity. Once all of it is closed, the position is over. False if it closed something that nothing has
   * reported yet: a push that reports it only now may be from before the fill.
   */
  took(key: string, qty: Decimal, fill: PositionFill): boolean;
  /** Whether its end was reported so recently that a push of it may be a late one. */
  justOver(key: string, nowMs: number): boolean;
  /**
   * Whether the order that closed it took more than the known quantity: it closed openings whose fills are reported
   * only now.
   */
  overtaken(key: string): boolean;
  lastMs(key: string): number | null;
  /**
   * Whether an opening fill at `madeMs`, venue time, came before its end. One of the same instant opens a new position, unless more
   * has been closed then than was known, or it was known to have opened what was closed.
   */
  includes(key: string, madeMs: number): boolean;
  /** The venue's time of its end, the latest possible where no fill names one; -Infinity where none is known. */
  endedMs(key: string): number;
  all(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
  /** Whether a list requested at `startedAtMs` shows a position that is already over. */
  outdated(key: string, position: Position, startedAtMs: number): boolean;
  /** The position that a listed one continues, because an earlier list merely did not show it. */
  continued(key: string, position: Position): HeldPosition | null;
  /** The position that a list failed to show, as in `missing`: a push that does not say when it began shows this one. */
  missed(key: string): HeldPosition | undefined;
  /** A list of positions requested at `startedAtMs` has come. */
  listed(startedAtMs: number): void;
  /** Whether a list failed to show it, and none that must show it has come since: a later list may bring it back. */
  missing(key: string): boolean;
  /** All of these, with what no fill has closed of them: the next lists are needed soon. */
  missingOnes(): readonly Missing[];
  /** Detaches a stop from all of them: it protects none that reappears. */
  stopEnded(algoOrderId: string): void;
}

/** What may be held though a list lacked it. */
export interface Missing {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  /** Its entry price. */
  readonly price: Decimal;
}

const pastOf = (held: HeldPosition, over: Over): Past => {
  const { symbol, side, unprotectedSinceMs: bareSinceMs, readAtMs: seenMs, takenMs } = held;
  return { symbol, side, held, left: leftOf(held), takenMs, bareSinceMs, seenMs, ...over };
};

const isMissing = ({ missed, seenMs }: Past, listedFromMs: number): boolean =>
  missed && !mustShow(listedFromMs, seenMs);

/** Whether the last report of it includes a closing fill of that time. */
const isCounted = ({ held }: Past, madeMs: number): boolean => madeMs <= held.position.updatedAtMs;

/**
 * The venue's time of the fill that closed all that was known of it; null where none is known. The push or list that reports its
 * end arrives some time later.
 */
const closedMs = ({ left, takenMs, overMs }: Past): number | null =>
  left.lte(0) && takenMs > -Infinity ? Math.min(takenMs, overMs) : null;

/** The same, but null if that fill closed more: an opening that is reported only now may have been of this position. */
const endMs = (found: Past): number | null => (found.left.isZero() ? closedMs(found) : null);

function isOutdated(found: Past, { createdAtMs, updatedAtMs }: Position, startedAtMs: number): boolean {
  // A record from after the end, by the venue's time, is of what is held now, however late the end was reported. So is one of the
  // very fill that closed more than was known: it shows what that left of openings that are reported only now.
  const [shownMs, closed] = [Math.max(createdAtMs, updatedAtMs), closedMs(found) ?? Infinity];
  if (shownMs > closed || (shownMs === closed && found.left.isNegative())) return false;
  if (found.atMs >= startedAtMs) return true;
  return !found.missed && createdAtMs <= found.overMs && !mustShow(startedAtMs, found.atMs);
}

function continuedBy(found: Past | undefined, position: Position): HeldPosition | null {
  if (!found?.missed || position.createdAtMs > found.overMs) return null;
  return { ...found.held, unprotectedSinceMs: found.bareSinceMs };
}

/** Until when what was opened may be over, the venue's time. A fill that closed more than was known closed what nobody had reported. */
const overUntilMs = ({ left, takenMs, overMs }: Past): number =>
  left.isNegative() ? Math.max(overMs, takenMs) : overMs;

export function createPastPositions(): PastPositions {
  const past = new BoundedMap<string, Past>(KEPT);
  /** The last fill that closed something where no position had been known at all. */
  const unknownMs = new BoundedMap<string, number>(KEPT);
  const flatMs = new BoundedMap<string, number>(KEPT);
  const passedMs = new BoundedMap<string, number>(KEPT);
  let listedFromMs = -Infinity;
  const missingAt = (key: string): Past | undefined => {
    const found = past.get(key);
    return found && isMissing(found, listedFromMs) ? found : undefined;
  };
  const confirm = (key: string): void => {
    const found = past.get(key);
    if (found?.missed) past.set(key, { ...found, missed: false });
  };
  return {
    over: (position, over) => past.set(position.key, pastOf(position, over)),
    reportedFlat: (key, atMs) => {
      flatMs.set(key, atMs);
      confirm(key);
    },
    took: (key, qty, { atMs, heardMs }) => {
      const found = past.get(key);
      if (found && isCounted(found, atMs)) return true;
      if (found) {
        found.left = found.left.sub(qty);
        found.takenMs = Math.max(found.takenMs, atMs);
        if (found.left.lte(0)) confirm(key);
        if (!found.left.isNegative()) return true;
      } else unknownMs.set(key, Math.max(unknownMs.get(key) ?? -Infinity, atMs));
      passedMs.set(key, heardMs);
      return false;
    },
    passed: (key, atMs) => passedMs.set(key, atMs),
    justOver: (key, nowMs) => {
      const found = past.get(key);
      const overMs = Math.max(passedMs.get(key) ?? -Infinity, found?.missed === false ? found.atMs : -Infinity);
      return nowMs - overMs < READS_LAG_MS;
    },
    overtaken: (key) => past.get(key)?.left.lt(0) ?? false,
    includes: (key, madeMs) => {
      const found = past.get(key);
      if (!found) return madeMs <= (unknownMs.get(key) ?? -Infinity);
      const endedMs = endMs(found);
      if (endedMs === null) return madeMs <= overUntilMs(found);
      return madeMs < endedMs || (madeMs === endedMs && madeMs === found.openedMs);
    },
    endedMs: (key) => {
      const found = past.get(key);
      return found ? (endMs(found) ?? found.overMs) : -Infinity;
    },
    lastMs: (key) => past.get(key)?.atMs ?? null,
    all: () => [...past.values()].map(({ symbol, side, atMs }) => ({ symbol, leg: side, atMs })),
    outdated: (key, position, startedAtMs) => {
      const found = past.get(key);
      if ((flatMs.get(key) ?? -Infinity) >= startedAtMs) return true;
      return found !== undefined && isOutdated(found, position, startedAtMs);
    },
    continued: (key, position) => continuedBy(past.get(key), position),
    listed: (startedAtMs) => {
      listedFromMs = Math.max(listedFromMs, startedAtMs);
    },
    missed: (key) => missingAt(key)?.held,
    missing: (key) => missingAt(key) !== undefined,
    missingOnes: () => {
      const found: Missing[] = [];
      for (const one of past.values()) {
        const { symbol, side, left: qty, held } = one;
        if (isMissing(one, listedFromMs)) found.push({ symbol, side, qty, price: held.position.avgPrice });
      }
      return found;
    },
    stopEnded: (algoOrderId) => {
      for (const { held: position } of past.values()) {
        if (position.algoOrderId !== algoOrderId) continue;
        position.algoOrderId = null;
        position.protection = "none";
      }
    },
  };
}
