/**
 * The best estimate of the venue's time: the best sample so far, with an uncertainty that grows with drift. Anchored
 * on the monotonic clock, so that a step of the machine's clock does not move it (faults C1, C3).
 */
import type { Clock } from "../core/clock.ts";
import type { VenueTime } from "../domain/venue.ts";

/** Shared by REST and streams: updated by measurements and pongs, read for signing. */
export interface VenueClock extends Pick<VenueTime, "nowMs" | "offset"> {
  /** The venue's time was `venueMs`, plus or minus `uncertaintyMs`, when our monotonic clock read `atMonotonicMs`. */
  note(sample: { venueMs: number; uncertaintyMs: number; atMonotonicMs: number }): void;
  /** Drops the estimate: the next sample counts, regardless of its value. */
  distrust(): void;
}

/** 500 parts per million, a poor quartz. */
const DRIFT = 0.0005;

/** Accepts a sample that is at least as certain as the current estimate has become, or that contradicts it. */
export function createVenueClock(clock: Clock): VenueClock {
  let best: { baseMs: number; uncertaintyMs: number; atMonotonicMs: number; measuredAtMs: number } | null = null;
  const aged = (): number =>
    best ? best.uncertaintyMs + (clock.monotonicMs() - best.atMonotonicMs) * DRIFT : Number.POSITIVE_INFINITY;

  return {
    nowMs: () => (best ? best.baseMs + clock.monotonicMs() : clock.nowMs()),
    offset: () => ({
      offsetMs: best ? best.baseMs + clock.monotonicMs() - clock.nowMs() : 0,
      uncertaintyMs: aged(),
      measuredAtMs: best?.measuredAtMs ?? null,
    }),
    note: ({ venueMs, uncertaintyMs, atMonotonicMs }) => {
      const baseMs = venueMs - atMonotonicMs;
      const contradicts = best !== null && Math.abs(baseMs - best.baseMs) > uncertaintyMs + aged();
      if (best && !contradicts && uncertaintyMs > aged()) return;
      best = { baseMs, uncertaintyMs, atMonotonicMs, measuredAtMs: clock.nowMs() };
    },
    distrust: () => {
      best = null;
    },
  };
}

interface Pong {
  readonly venueMs: number;
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/** Updates the clock from the answer to a heartbeat, received at `nowMs` of our monotonic clock. */
export function notePong(venueClock: VenueClock, { venueMs, sentAtMs, receivedAtMs }: Pong, nowMs: number): void {
  // A server that echoes our number reports no time of its own.
  if (venueMs === Math.floor(sentAtMs)) return;
  const halfTripMs = Math.max(0, receivedAtMs - sentAtMs) / 2;
  venueClock.note({ venueMs, uncertaintyMs: halfTripMs + 1, atMonotonicMs: nowMs - halfTripMs });
}
