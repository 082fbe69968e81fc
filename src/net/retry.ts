/** Retries of reads. Only for requests that are safe to repeat; writes are never retried. */
import type { Env } from "../core/ids.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Entropy } from "../core/entropy.ts";

/** `attempts` includes the first one. */
export interface RetryOptions {
  readonly attempts: number;
  /** Whether a retry may succeed. */
  readonly transient: (outcome: Outcome<unknown>) => boolean;
  /** Called before each retry. */
  readonly onRetry: (outcome: Outcome<unknown>, attempt: number) => void;
}

/** The first outcome that is not transient, or the last one. Waits grow from 250 ms to 4 s with jitter. */
export async function retryRead<T>(
  env: Env,
  options: RetryOptions,
  read: (attempt: number) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const backoff = decorrelatedBackoff(env.entropy, 250, 4_000);
  let outcome = await read(1);
  for (let attempt = 2; attempt <= options.attempts && options.transient(outcome); attempt++) {
    options.onRetry(outcome, attempt);
    await env.clock.sleep(backoff.nextMs());
    outcome = await read(attempt);
  }
  return outcome;
}

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
