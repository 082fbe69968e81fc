/** One of the venue's scarce rate limits, counted by the agent itself: a request beyond it would only wait before it is sent. */
import type { VenueRate } from "../../domain/venue.ts";

/** Counts over a sliding window of our clock and blocks nothing: `left` falls below zero where more was taken. */
export interface Slots {
  /** As the venue states its rate, for people. */
  readonly text: string;
  /** How many may be taken now. */
  left(nowMs: number): number;
  /** `request` names what it is taken for. */
  take(nowMs: number, request: string): void;
  /** What was last taken for that request provably never reached the venue. */
  giveBack(request: string): void;
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

interface Taken {
  readonly atMs: number;
  readonly request: string;
}

export function createSlots(rate: VenueRate, { spareMs = 0, takenMs = [], nowMs: startMs }: SlotsBefore): Slots {
  const windowMs = rate.perMs + spareMs;
  const counting = (nowMs: number): readonly Taken[] => taken.filter(({ atMs }) => nowMs - atMs < windowMs);
  let taken: readonly Taken[] = takenMs.map((atMs) => ({ atMs, request: "" }));
  taken = counting(startMs);
  return {
    text: `${rate.requests} in ${rate.perMs / 1_000} s`,
    left: (nowMs) => rate.requests - counting(nowMs).length,
    take: (nowMs, request) => {
      taken = [...counting(nowMs), { atMs: nowMs, request }];
    },
    giveBack: (request) => {
      const at = taken.findLastIndex((one) => one.request === request);
      taken = taken.filter((_, index) => index !== at);
    },
    size: () => taken.length,
    unheardGapMs: () => windowMs / Math.max(1, rate.requests - 1) + 1_000,
  };
}
