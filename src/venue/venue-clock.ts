/**
 * The venue's time as we can know it: the best of the samples seen, with its uncertainty growing by drift. Anchored on
 * the monotonic clock, so that a step of the machine's own time does not move it (faults C1, C3). Sends nothing.
 */
import type { Clock } from "../core/clock.ts";
import type { VenueTime } from "../domain/venue.ts";

/** Shared by REST and streams: fed by measurements and pongs, read by whoever signs. */
export interface VenueClock extends Pick<VenueTime, "nowMs" | "offset"> {
  /** The venue's time was `venueMs`, give or take `uncertaintyMs`, when our monotonic clock stood at `atMonotonicMs`. */
  note(sample: { venueMs: number; uncertaintyMs: number; atMonotonicMs: number }): void;
  /** Forgets what was measured: the next sample counts, whatever it says. */
  distrust(): void;
}

/** 500 parts per million, a poor quartz. */
const DRIFT = 0.0005;

/** A sample is taken when it is at least as certain as the one held has become, or contradicts it. */
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

/** What a heartbeat's answer tells of the venue's time, heard at `nowMs` of our monotonic clock. */
export function notePong(venueClock: VenueClock, { venueMs, sentAtMs, receivedAtMs }: Pong, nowMs: number): void {
  // A server that only echoes our number tells nothing.
  if (venueMs === Math.floor(sentAtMs)) return;
  const halfTripMs = Math.max(0, receivedAtMs - sentAtMs) / 2;
  venueClock.note({ venueMs, uncertaintyMs: halfTripMs + 1, atMonotonicMs: nowMs - halfTripMs });
}
