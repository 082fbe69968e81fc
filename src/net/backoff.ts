/** Waits between attempts: growing, capped and jittered, so that many clients do not return at the same moment. */
import type { Entropy } from "../core/entropy.ts";

/** Remembers its last wait; use one per operation that is retried. */
export interface Backoff {
  /** The wait before the next attempt, ms. */
  nextMs(): number;
  /** Restarts from the shortest wait. */
  reset(): void;
}

/** Decorrelated jitter: each wait is drawn between the shortest wait and three times the last one, up to `maxMs`. */
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
