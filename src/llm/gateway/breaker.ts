/**
 * Pauses a model that keeps failing. After some failures in a row it is not asked for a growing time, then one
 * question tries it. Cockatiel counts failures and pauses; its own policy reads the machine's clock, while pauses
 * here follow the injected clock, which is faster in practice and virtual in a backtest. Faults L7, L8.
 */
import { ConsecutiveBreaker, ExponentialBackoff, noJitterGenerator } from "cockatiel";
import type { Clock } from "../../core/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";

/** One per configured model: it admits calls and learns how they ended. */
export interface Breaker {
  /** Whether the model may be asked now. After a pause, true admits a single trial: report its result. */
  admit(): boolean;
  succeeded(): void;
  /** `retryAfterMs` is the service's own figure; it is respected up to the cap. */
  failed(retryAfterMs?: number | null): void;
  /** The admitted trial did not take place. */
  release(): void;
  state(): { readonly state: "ready" | "resting"; readonly untilMs: number };
}

const FAILURES_MAX = 3;
const REST_MIN_MS = 30 * SECOND_MS;
/** Longest pause, regardless of what a service asks for. */
export const REST_MAX_MS = 10 * MINUTE_MS;

/** Ready at first; pauses from the third failure in a row on, 30 s at first and doubling. */
export function createBreaker(clock: Clock): Breaker {
  const rests = new ExponentialBackoff({
    generator: noJitterGenerator,
    initialDelay: REST_MIN_MS,
    maxDelay: REST_MAX_MS,
  });
  const failures = new ConsecutiveBreaker(FAILURES_MAX);
  /** The pause after the current failure, and the sequence of later ones; null before the first pause. */
  let rested: ReturnType<typeof rests.next> | null = null;
  let restUntil = -Infinity;
  let trial = false;
  const resting = (): boolean => clock.monotonicMs() < restUntil;
  const rest = (ms: number): void => {
    restUntil = clock.monotonicMs() + Math.min(Math.max(ms, 0), REST_MAX_MS);
  };

  return {
    admit: () => {
      if (resting() || trial) return false;
      trial = rested !== null;
      return true;
    },
    succeeded: () => {
      failures.success();
      rested = null;
      trial = false;
      restUntil = -Infinity;
    },
    failed: (retryAfterMs) => {
      trial = false;
      if (failures.failure()) {
        rested = rested === null ? rests.next() : rested.next(undefined);
        rest(Math.max(rested.duration, retryAfterMs ?? 0));
      } else if (retryAfterMs) rest(retryAfterMs);
    },
    release: () => {
      trial = false;
    },
    state: () => {
      const leftMs = Math.max(0, restUntil - clock.monotonicMs());
      return { state: resting() ? "resting" : "ready", untilMs: clock.nowMs() + leftMs };
    },
  };
}
