/**
 * A rest for a model that keeps failing. After some failures in a row it is left alone for a growing while, then one
 * question tries it. Failures and rests are counted by cockatiel; its own policy reads the machine's clock, and a model
 * rests by the clock that is handed in, which runs faster in practice and by hand in a backtest. Faults L7, L8.
 */
import { ConsecutiveBreaker, ExponentialBackoff, noJitterGenerator } from "cockatiel";
import type { Clock } from "../core/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";

/** One for each configured model; it admits, and is told how what it admitted ended. */
export interface Breaker {
  /** Whether the model may be tried now. A true answer after a rest is the one trial: report its end. */
  admit(): boolean;
  succeeded(): void;
  /** `retryAfterMs` is the service's own figure; it is respected up to the cap. */
  failed(retryAfterMs?: number | null): void;
  /** The trial that `admit` allowed did not take place. */
  release(): void;
  state(): { readonly state: "ready" | "resting"; readonly untilMs: number };
}

const FAILURES_MAX = 3;
const REST_MIN_MS = 30 * SECOND_MS;
/** No rest is longer, whatever a service asks. */
export const REST_MAX_MS = 10 * MINUTE_MS;

/** Ready at first; from the third failure in a row on it rests, 30 s at first and then twice as long each time. */
export function createBreaker(clock: Clock): Breaker {
  const rests = new ExponentialBackoff({
    generator: noJitterGenerator,
    initialDelay: REST_MIN_MS,
    maxDelay: REST_MAX_MS,
  });
  const failures = new ConsecutiveBreaker(FAILURES_MAX);
  /** The rest that a failure brings now, and with it the next; null while it has not rested. */
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
