/** A scarce window of the venue as the agent counts it itself: what is asked for beyond it would only wait at the wire. */

export interface SlotWindow {
  readonly windowMs: number;
  readonly slots: number;
}

/** Counts over a sliding window of our clock and stops nobody: `left` falls below zero where more was taken. */
export interface Slots {
  /** How many may be taken now. */
  left(nowMs: number): number;
  take(nowMs: number): void;
  /** What was taken then provably never reached the venue. */
  giveBack(takenMs: number): void;
  /** How many are remembered. */
  size(): number;
}

/** `takenMs`: when earlier runs took theirs. */
export function createSlots({ windowMs, slots }: SlotWindow, takenMs: readonly number[] = []): Slots {
  let taken = takenMs;
  const counting = (nowMs: number): readonly number[] => taken.filter((atMs) => nowMs - atMs < windowMs);
  return {
    left: (nowMs) => slots - counting(nowMs).length,
    take: (nowMs) => {
      taken = [...counting(nowMs), nowMs];
    },
    giveBack: (takenMs) => {
      const at = taken.indexOf(takenMs);
      taken = taken.filter((_, index) => index !== at);
    },
    size: () => taken.length,
  };
}
