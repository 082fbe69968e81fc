/** The newest fill of each position: a listed position whose last change is older does not include it. Fault R9. */
import { BoundedMap } from "../../core/bounded.ts";
import type { Position } from "../../domain/position.ts";
import { mustShow } from "../books/read-lag.ts";

const KEPT = 200;

/**
 * When a position was filled, in ms on two clocks: the venue's records carry its time, and our clock says when lists
 * were requested.
 */
export interface PositionFill {
  /** The venue's time. */
  readonly atMs: number;
  /** Ours. */
  readonly heardMs: number;
  /** It opened the position or added to it. */
  readonly opens?: boolean;
}

/** By `positionKeyOf`, the last 200 positions; only the newest fill by venue time is kept. */
export interface PositionFills {
  note(key: string, fill: PositionFill): void;
  newest(key: string): PositionFill | null;
  /** The venue's time of its newest fill; null where none is known. */
  newestMs(key: string): number | null;
  /** The same of its newest opening fill; Infinity where none is known. */
  openedMs(key: string): number;
  clear(): void;
  /** Whether a list requested at `startedAtMs` shows the position as it was before its newest fill. */
  missingFrom(key: string, position: Position, startedAtMs: number): boolean;
}

export function createPositionFills(): PositionFills {
  const newest = new BoundedMap<string, PositionFill>(KEPT);
  const openedMs = new BoundedMap<string, number>(KEPT);
  return {
    note: (key, fill) => {
      if (fill.opens) openedMs.set(key, Math.max(openedMs.get(key) ?? -Infinity, fill.atMs));
      const known = newest.get(key);
      if (!known || known.atMs <= fill.atMs) newest.set(key, fill);
    },
    newest: (key) => newest.get(key) ?? null,
    clear: () => {
      newest.clear();
      openedMs.clear();
    },
    openedMs: (key) => openedMs.get(key) ?? Infinity,
    newestMs: (key) => newest.get(key)?.atMs ?? null,
    missingFrom: (key, { updatedAtMs }, startedAtMs) => {
      const fill = newest.get(key);
      return fill !== undefined && updatedAtMs > 0 && updatedAtMs < fill.atMs && !mustShow(startedAtMs, fill.heardMs);
    },
  };
}
