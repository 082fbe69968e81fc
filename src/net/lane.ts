/**
 * One lane of a rate limiter: granted requests, waiting requests, and the time of the next slot. Mutates only the
 * lane.
 */
import type { Stop } from "../core/clock.ts";
import { type Learned, type RateLimit, spacingAt } from "./learned-spacing.ts";

/** Windows are this factor longer than documented, because clocks drift and packets bunch. */
const MARGIN = 1.04;

/** `rank` is the index of the priority, 0 for the most urgent; `seq` orders equals by arrival. */
export interface Waiter {
  readonly rank: number;
  readonly seq: number;
  readonly grant: (slot: Slot) => void;
}

/** One key of a limiter. All times are monotonic ms. */
export interface Lane {
  limit: RateLimit;
  /** Monotonic times of requests that still count, in the order in which they were granted. */
  at: { ms: number }[];
  pausedUntil: number;
  /** When the newest and the previous request were granted, regardless of their answers; NaN before. */
  granted: readonly [newest: number, before: number];
  /** Whether the newest request was of a kind that keeps a learned spacing. */
  spaced: boolean;
  learned: Learned | null;
  waiters: Waiter[];
  stopTimer: Stop | null;
}

/** For a lane whose limit is not known yet: records requests and delays none. */
export const UNKNOWN_LIMIT: RateLimit = { requests: 1_000_000, perMs: 600_000 };

export const newLane = (limit: RateLimit): Lane => ({
  limit,
  at: [],
  pausedUntil: 0,
  granted: [NaN, NaN],
  spaced: false,
  learned: null,
  waiters: [],
  stopTimer: null,
});

/** Position in the queue: the number of requests ahead, and whether the learned spacing applies. */
export interface QueuePosition {
  readonly ahead: number;
  readonly spaced: boolean;
}

/** When the request at that position may go, on the monotonic clock. */
export function slotAt(lane: Lane, now: number, { ahead, spaced }: QueuePosition): number {
  const { requests, perMs } = lane.limit;
  const spacing = spaced ? spacingAt(lane.learned, lane.limit, now) : 0;
  const times = lane.at.map((entry) => entry.ms).sort((a, b) => a - b);
  let slotMs = now;
  for (let i = 0; i <= ahead; i++) {
    const blocking = times[times.length - requests];
    const last = times[times.length - 1];
    slotMs = Math.max(
      now,
      lane.pausedUntil,
      blocking === undefined ? now : blocking + perMs * MARGIN,
      spacing > 0 && last !== undefined ? last + spacing : now,
    );
    times.push(slotMs);
  }
  return slotMs;
}

/** Drops requests that no longer count for the window or for the learned spacing. */
export function forget(lane: Lane, now: number): void {
  const countsMs = Math.max(lane.limit.perMs * MARGIN, spacingAt(lane.learned, lane.limit, now));
  lane.at = lane.at.filter((entry) => entry.ms + countsMs > now);
}

/** A granted slot. Call `arrived` when the answer is in: the service may have counted the request that late. */
export interface Slot {
  arrived(): void;
}
