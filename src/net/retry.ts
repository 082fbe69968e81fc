/** Retries of reads. Only for requests that are safe to repeat; writes are never retried. */
import type { Env } from "../core/env.ts";
import type { Outcome } from "../core/outcome.ts";
import { decorrelatedBackoff } from "./backoff.ts";

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
  read: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const backoff = decorrelatedBackoff(env.entropy, 250, 4_000);
  let outcome = await read();
  for (let attempt = 2; attempt <= options.attempts && options.transient(outcome); attempt++) {
    options.onRetry(outcome, attempt);
    await env.clock.sleep(backoff.nextMs());
    outcome = await read();
  }
  return outcome;
}
