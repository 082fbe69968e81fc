/** Waits between attempts: growing, capped and scattered, so that many clients do not return in step. */
import type { Entropy } from "../core/entropy.ts";

/** Remembers its last wait: one for each thing that is tried again. */
export interface Backoff {
  /** The wait before the next attempt, ms. */
  nextMs(): number;
  /** Begin again from the shortest wait. */
  reset(): void;
}

/** Decorrelated jitter: each wait is drawn between the shortest and three times the last one, up to `maxMs`. */
export function decorrelatedBackoff(entropy: Entropy, minMs: number, maxMs: number): Backoff {
  let lastMs = minMs;
  return {
    nextMs: () => {
      const top = Math.min(maxMs, lastMs * 3);
      lastMs = minMs + entropy.next("backoff") * (top - minMs);
      return lastMs;
    },
    reset: () => {
      lastMs = minMs;
    },
  };
}
