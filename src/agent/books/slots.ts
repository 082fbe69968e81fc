/** One of the venue's scarce rate limits, counted by the agent itself: a request beyond it would only wait before it is sent. */
import type { VenueRate } from "../../domain/venue.ts";

/** Counts over a sliding window of our clock and blocks nothing: `left` falls below zero where more was taken. */
export interface Slots {
  /** As the venue states its rate, for people. */
  readonly text: string;
  /** How many may be taken now. */
  left(nowMs: number): number;
  take(nowMs: number): void;
  /** What was taken then provably never reached the venue. */
  giveBack(takenMs: number): void;
  /** How many are remembered. */
  size(): number;
  /** In addition, one slot of a window is kept back while the venue does not answer, for when it answers again. */
  unheardGapMs(): number;
}

export interface SlotsBefore {
  /** Slots are held this much longer than the venue says. */
  readonly spareMs?: number;
  /** When earlier runs took theirs. */
  readonly takenMs?: readonly number[];
  readonly nowMs: number;
}

export function createSlots(rate: VenueRate, { spareMs = 0, takenMs = [], nowMs: startMs }: SlotsBefore): Slots {
  const windowMs = rate.perMs + spareMs;
  const counting = (nowMs: number): readonly number[] => taken.filter((atMs) => nowMs - atMs < windowMs);
  let taken = takenMs;
  taken = counting(startMs);
  return {
    text: `${rate.requests} in ${rate.perMs / 1_000} s`,
    left: (nowMs) => rate.requests - counting(nowMs).length,
    take: (nowMs) => {
      taken = [...counting(nowMs), nowMs];
    },
    giveBack: (takenMs) => {
      const at = taken.indexOf(takenMs);
      taken = taken.filter((_, index) => index !== at);
    },
    size: () => taken.length,
    unheardGapMs: () => windowMs / Math.max(1, rate.requests - 1) + 1_000,
  };
}
