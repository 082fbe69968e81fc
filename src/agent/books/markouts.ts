/**
 * Ended post-only entries whose price is still followed: what the middle of the book did after a fill shows adverse
 * selection, and after a miss it shows what the miss cost. Moves are floats in basis points of the middle at the decision,
 * positive in favour of the entry. Kept in memory: after a restart, the report counts what was not followed to its end.
 */
import { BoundedMap, filling, type Gauge } from "../../core/bounded.ts";
import { MINUTE_MS } from "../../core/time.ts";

/** Fast reversal, the wait of a typical entry, and a move that a decision could be about. */
export const HORIZONS_MS: readonly number[] = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** A later quote says nothing about the horizon. */
const LATE_MS = MINUTE_MS;
const FOLLOWED_MAX = 500;

/** One entry to follow, from the instant at which it ended. */
export interface Followed {
  readonly id: string;
  readonly decisionId: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  /** Middle of the book at the decision. */
  readonly mid: number;
  readonly endedAtMs: number;
}

export interface PriceMove {
  readonly afterMs: number;
  readonly movedBps: number | null;
}

export interface Observed extends Followed {
  readonly moves: readonly PriceMove[];
}

export interface Markouts {
  follow(entry: Followed): void;
  /** Whether a horizon has passed that was not looked at. */
  isDue(nowMs: number): boolean;
  /** Looks at every horizon that has passed, and returns the entries whose last one has. */
  look(nowMs: number, midOf: (symbol: string) => number | null): readonly Observed[];
  gauge(): Gauge;
}

/** Move of the middle since the decision, basis points, positive in favour of the entry. */
export const movedBps = ({ side, mid }: Pick<Followed, "side" | "mid">, now: number): number =>
  ((side === "BUY" ? now - mid : mid - now) / mid) * 10_000;

export function createMarkouts(): Markouts {
  const followed = new BoundedMap<string, { readonly entry: Followed; readonly moves: PriceMove[] }>(FOLLOWED_MAX);
  let dueMs = Infinity;
  const nextOf = (entry: Followed, seen: number): number => entry.endedAtMs + (HORIZONS_MS[seen] ?? Infinity);
  return {
    follow: (entry) => {
      followed.set(entry.id, { entry, moves: [] });
      dueMs = Math.min(dueMs, nextOf(entry, 0));
    },
    isDue: (nowMs) => nowMs >= dueMs,
    look: (nowMs, midOf) => {
      if (nowMs < dueMs) return [];
      dueMs = Infinity;
      const done: Observed[] = [];
      for (const { entry, moves } of [...followed.values()]) {
        for (const afterMs of HORIZONS_MS.slice(moves.length)) {
          const lateMs = nowMs - entry.endedAtMs - afterMs;
          if (lateMs < 0) break;
          const mid = lateMs > LATE_MS ? null : midOf(entry.symbol);
          moves.push({ afterMs, movedBps: mid === null ? null : movedBps(entry, mid) });
        }
        if (moves.length < HORIZONS_MS.length) dueMs = Math.min(dueMs, nextOf(entry, moves.length));
        else if (followed.delete(entry.id)) done.push({ ...entry, moves });
      }
      return done;
    },
    gauge: () => filling("agent.markouts", followed.size, followed.cap),
  };
}
