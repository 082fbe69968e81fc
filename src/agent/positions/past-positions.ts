/**
 * Positions that are over, or seem to be: a push, a refusal or a fill says that one is flat, a list only lacks it. Lists lag
 * behind what has happened, both ways: they show what is over, and miss what has just begun. Fault R9; invariants I5, I9.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { positionKeyOf, type Position } from "../../domain/position.ts";
import { type HeldPosition, leftOf } from "./held-position.ts";
import { READS_LAG_MS } from "./read-lag.ts";

/** Another position counts as gone for this long. If it were longer, a close that was reported too late would hide what is held. */
const OTHER_LAG_MS = 10_000;
const KEPT = 200;
const ONLY_REPORTED = { held: null, awaited: false, bareSinceMs: null };

interface Past {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  /** Null where only an earlier run knew it. */
  readonly held: HeldPosition | null;
  /** An earlier run held it, and no list of this run has shown it: it has not ended in this run. */
  readonly awaited: boolean;
  /** What no closing fill has taken of it. */
  left: Decimal;
  /** Since when it had been without a stop; null when it had one. */
  readonly bareSinceMs: number | null;
  readonly atMs: number;
  /** Nothing reported its end: it was missing from a list. */
  readonly missed: boolean;
}

/** By `positionKeyOf`, the last 200. `nowMs` and `startedAtMs` are our time, as is `atMs` but where said. */
export interface PastPositions {
  over(held: HeldPosition, atMs: number, missed: boolean): void;
  /** A push or a refusal reported that nothing is held there, of a position that nobody knew: an older list may still show it. */
  reportedFlat(key: string, atMs: number): void;
  /** It is given of again though fills had taken all of it: no push has said yet that it was flat between. */
  passed(key: string, atMs: number): void;
  /** A fill that closed so much of it, at the venue's time: with all of it taken, it is over. */
  took(key: string, qty: Decimal, atMs: number): void;
  /** A list shows it: it is no longer awaited. */
  shown(key: string): void;
  /** Whether it was reported as over so lately that a push of it may be one that came late. */
  justOver(key: string, nowMs: number): boolean;
  /** Whether the order that closed it took more than was known of: fills of openings that are reported only now are in that. */
  overtaken(key: string): boolean;
  lastMs(key: string): number | null;
  /** Whether what was filled there at `madeMs`, by the venue's time, was before its end: of the same instant it opens another. */
  includes(key: string, madeMs: number): boolean;
  all(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
  /** Whether a list asked for at `startedAtMs` shows with this position only what is over. */
  outdated(key: string, position: Position, startedAtMs: number): boolean;
  /** The position that a listed position continues, because an earlier list merely lacked it. */
  continued(key: string, position: Position): HeldPosition | null;
  /** Whether it was missed so lately that a later list may bring it back. */
  missing(key: string, nowMs: number): boolean;
  /** The same of any position: the next lists are wanted soon. */
  anyMissing(nowMs: number): boolean;
  /** A stop that stands for none of them any more. */
  stopEnded(algoOrderId: string): void;
}

/** What an earlier run wrote down of a position that is over. */
export interface ClosedPosition {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly closedAtMs: number;
  /** No more was known than that a list lacked it. */
  readonly missed: boolean;
}

/** What an earlier run held, by position, as it last reported. */
export interface Held {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: Decimal;
  readonly atMs: number;
}

const isMissing = ({ missed, atMs }: Past, nowMs: number): boolean => missed && nowMs - atMs < READS_LAG_MS;

function isOutdated(found: Past, position: Position, startedAtMs: number): boolean {
  if (found.atMs >= startedAtMs) return true;
  if (found.missed || position.createdAtMs > found.atMs) return false;
  // Of one that an earlier run saw end no more is known than that it began before.
  const same = found.held === null || position.createdAtMs === found.held.position.createdAtMs;
  return startedAtMs - found.atMs < (same ? READS_LAG_MS : OTHER_LAG_MS);
}

function continuedBy(found: Past | undefined, position: Position): HeldPosition | null {
  if (!found?.held || !found.missed || position.createdAtMs > found.atMs) return null;
  return { ...found.held, unprotectedSinceMs: found.bareSinceMs };
}

function reportedBefore(closed: readonly ClosedPosition[], held: readonly Held[]): BoundedMap<string, Past> {
  const past = new BoundedMap<string, Past>(KEPT);
  for (const { symbol, side, closedAtMs: atMs, missed } of closed)
    past.set(positionKeyOf(symbol, side), { symbol, side, ...ONLY_REPORTED, left: ZERO, atMs, missed });
  for (const { symbol, side, qty: left, atMs } of held)
    past.set(positionKeyOf(symbol, side), { symbol, side, ...ONLY_REPORTED, awaited: true, left, atMs, missed: true });
  return past;
}

/** `closed`: oldest first. `held` may be missing from a list that is older than it. */
export function createPastPositions(closed: readonly ClosedPosition[] = [], held: readonly Held[] = []): PastPositions {
  const past = reportedBefore(closed, held);
  const flatMs = new BoundedMap<string, number>(KEPT);
  const passedMs = new BoundedMap<string, number>(KEPT);
  const confirm = (key: string): void => {
    const found = past.get(key);
    if (found?.missed) past.set(key, { ...found, missed: false });
  };
  return {
    over: (position, atMs, missed) => {
      const { symbol, side, unprotectedSinceMs: bareSinceMs } = position;
      past.set(position.key, {
        symbol,
        side,
        held: position,
        awaited: false,
        left: leftOf(position),
        bareSinceMs,
        atMs,
        missed,
      });
    },
    reportedFlat: (key, atMs) => {
      flatMs.set(key, atMs);
      confirm(key);
    },
    took: (key, qty, atMs) => {
      const found = past.get(key);
      // What the last reading of it showed already has taken nothing more.
      if (!found || atMs <= (found.held?.position.updatedAtMs ?? -Infinity)) return;
      found.left = found.left.sub(qty);
      if (found.left.lte(0)) confirm(key);
    },
    passed: (key, atMs) => passedMs.set(key, atMs),
    justOver: (key, nowMs) => {
      const found = past.get(key);
      const overMs = Math.max(passedMs.get(key) ?? -Infinity, found?.missed === false ? found.atMs : -Infinity);
      return nowMs - overMs < READS_LAG_MS;
    },
    overtaken: (key) => past.get(key)?.left.lt(0) ?? false,
    shown: (key) => {
      if (past.get(key)?.awaited) past.delete(key);
    },
    includes: (key, madeMs) => {
      const found = past.get(key);
      if (!found || found.awaited) return false;
      // A push or a list of its end is heard some time after it; the fill that took the last of it bears the venue's own time.
      const takenMs = found.left.isZero() ? (found.held?.takenMs ?? -Infinity) : -Infinity;
      return takenMs === -Infinity ? madeMs <= found.atMs : madeMs < Math.min(takenMs, found.atMs);
    },
    lastMs: (key) => {
      const found = past.get(key);
      return found && !found.awaited ? found.atMs : null;
    },
    all: () =>
      [...past.values()]
        .filter(({ awaited }) => !awaited)
        .map(({ symbol, side, atMs }) => ({ symbol, leg: side, atMs })),
    outdated: (key, position, startedAtMs) => {
      const found = past.get(key);
      if ((flatMs.get(key) ?? -Infinity) >= startedAtMs) return true;
      return found !== undefined && isOutdated(found, position, startedAtMs);
    },
    continued: (key, position) => continuedBy(past.get(key), position),
    missing: (key, nowMs) => {
      const found = past.get(key);
      return found !== undefined && isMissing(found, nowMs);
    },
    anyMissing: (nowMs) => [...past.values()].some((found) => isMissing(found, nowMs)),
    stopEnded: (algoOrderId) => {
      for (const { held: leg } of past.values()) {
        if (leg?.algoOrderId !== algoOrderId) continue;
        leg.algoOrderId = null;
        leg.protection = "none";
      }
    },
  };
}
