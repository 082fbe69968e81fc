/**
 * Uptime as the organiser would see it: the share of time covered by beats of the decision loop. A gap longer than a
 * beat's life is downtime, whether the process was dead, frozen or its loop stalled. Spec: 3 §8 (90 % and 95 %).
 */
import { UPTIME_DISQUALIFIED_BELOW, UPTIME_PENALTY_BELOW } from "../domain/competition.ts";

export const BEAT_EVERY_MS = 10_000;
/** A beat vouches for this long after it; two missed beats are an outage. */
const BEAT_COVERS_MS = 25_000;

export interface UptimeCount {
  readonly firstBeatMs: number | null;
  readonly lastBeatMs: number | null;
  readonly downMs: number;
}

export interface UptimeView {
  readonly sinceMs: number | null;
  readonly ratio: number;
  readonly downMs: number;
  /** Outage still affordable in a window of `windowMs` from the first beat before each line is crossed. */
  readonly leftBefore95Ms: number;
  readonly leftBefore90Ms: number;
}

export const noBeats: UptimeCount = { firstBeatMs: null, lastBeatMs: null, downMs: 0 };

/** Counts one beat. A beat from the past (a clock that stepped back) changes nothing. */
export function countBeat(count: UptimeCount, atMs: number): UptimeCount {
  if (count.firstBeatMs === null || count.lastBeatMs === null)
    return { firstBeatMs: atMs, lastBeatMs: atMs, downMs: 0 };
  if (atMs <= count.lastBeatMs) return count;
  const gap = atMs - count.lastBeatMs;
  const down = gap > BEAT_COVERS_MS ? gap - BEAT_EVERY_MS : 0;
  return { firstBeatMs: count.firstBeatMs, lastBeatMs: atMs, downMs: count.downMs + down };
}

/** The figures at an instant. `windowMs` is the length of the competition window they are held against. */
export function uptimeAt(count: UptimeCount, nowMs: number, windowMs: number): UptimeView {
  if (count.firstBeatMs === null) {
    return { sinceMs: null, ratio: 1, downMs: 0, leftBefore95Ms: windowMs * 0.05, leftBefore90Ms: windowMs * 0.1 };
  }
  const counted = countBeat(count, nowMs);
  const span = Math.max(1, nowMs - count.firstBeatMs);
  const window = Math.max(windowMs, span);
  const left = (line: number): number => Math.max(0, Math.round(window * (1 - line)) - counted.downMs);
  return {
    sinceMs: count.firstBeatMs,
    ratio: Math.max(0, 1 - counted.downMs / span),
    downMs: counted.downMs,
    leftBefore95Ms: left(UPTIME_PENALTY_BELOW),
    leftBefore90Ms: left(UPTIME_DISQUALIFIED_BELOW),
  };
}
