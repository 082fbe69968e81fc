/**
 * Legs that are over, or seem to be: a push, a refusal or a fill tells that one is flat, a list only lacks it. Lists lag
 * behind what has happened, both ways: they show what is over, and miss what has just begun. Fault R9; invariants I5, I9.
 */
import { BoundedMap } from "../core/bounded.ts";
import type { Position } from "../domain/position.ts";
import type { Leg } from "./leg.ts";

/** A list may show this long what is gone. Longer, and a close that was told too late would hide what is held. */
const READS_LAG_MS = 10_000;
/** The very same position, by the venue's own time of its beginning, is gone for good; lists have shown it this long. */
const SAME_LAG_MS = 20_000;
const KEPT = 200;

interface Past {
  readonly leg: Leg;
  readonly atMs: number;
  /** Nobody said so: it was missing from a list. */
  readonly missed: boolean;
}

export interface PastLegs {
  over(leg: Leg, atMs: number, missed: boolean): void;
  lastMs(key: string): number | null;
  all(): readonly { readonly symbol: string; readonly leg: "LONG" | "SHORT"; readonly atMs: number }[];
  /** Whether a list asked for at `startedAtMs` shows with this position only what is over. */
  outdated(key: string, position: Position, startedAtMs: number): boolean;
  /** The leg that a listed position continues, because an earlier list merely lacked it. */
  continued(key: string, position: Position): Leg | null;
  /** Whether it was missed so lately that a later list may bring it back. */
  missing(key: string, nowMs: number): boolean;
  /** A stop that stands for none of them any more. */
  stopEnded(algoOrderId: string): void;
}

export function createPastLegs(): PastLegs {
  const past = new BoundedMap<string, Past>(KEPT);
  return {
    over: (leg, atMs, missed) => past.set(leg.key, { leg, atMs, missed }),
    lastMs: (key) => past.get(key)?.atMs ?? null,
    all: () => [...past.values()].map(({ leg, atMs }) => ({ symbol: leg.symbol, leg: leg.side, atMs })),
    outdated: (key, position, startedAtMs) => {
      const found = past.get(key);
      if (!found) return false;
      if (found.atMs >= startedAtMs) return true;
      if (found.missed || position.createdAtMs > found.atMs) return false;
      const same = position.createdAtMs === found.leg.position.createdAtMs;
      return startedAtMs - found.atMs < (same ? SAME_LAG_MS : READS_LAG_MS);
    },
    continued: (key, position) => {
      const found = past.get(key);
      return found?.missed === true && position.createdAtMs <= found.atMs ? found.leg : null;
    },
    missing: (key, nowMs) => {
      const found = past.get(key);
      return found?.missed === true && nowMs - found.atMs < SAME_LAG_MS;
    },
    stopEnded: (algoOrderId) => {
      for (const { leg } of past.values()) {
        if (leg.algoOrderId !== algoOrderId) continue;
        leg.algoOrderId = null;
        leg.protection = "none";
      }
    },
  };
}
