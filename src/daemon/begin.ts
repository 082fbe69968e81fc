/** How a run begins: after the back-off delay, with the rate-limit windows of earlier runs. */
import { afterUnheld, systemClock } from "../core/clock.ts";
import type { Env } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { createRateLimiter, type RateLimiter } from "../net/rate-limit.ts";
import { type Starts, STABLE_AFTER_MS } from "../ops/start-backoff.ts";
import { onStopSignal } from "../ops/stop-signals.ts";
import { persistentLimiter, limiterPath } from "../ops/limiter-file.ts";
import type { VenueKind } from "../config/config.ts";

/** Waits for the back-off delay and records the start. False if a signal asked it to stop meanwhile. */
export async function beginRun(starts: Starts, log: Log): Promise<boolean> {
  const clock = systemClock();
  const { waitMs, crashes } = starts.plan;
  const report = (): void => {
    if (crashes === 0) return;
    const text = `${crashes} runs in a row ended badly; waiting ${Math.ceil(waitMs / 1_000)} s`;
    log.event("warn", "boot.delayed", text, { waitMs, crashes });
  };
  if (waitMs > 0 && !(await sleepUnlessStopped(waitMs, report))) return false;
  noting(log, "the start", () => starts.begin(clock.nowMs()));
  // A process that ends earlier was not stable.
  afterUnheld(STABLE_AFTER_MS, () => noting(log, "a minute of life", () => starts.stable()));
  return true;
}

/** A failed note is only logged: a run that manages positions continues without it. Fault D1. */
export function noting(log: Log, what: string, note: () => void): void {
  try {
    note();
  } catch (cause) {
    log.event("warn", "boot.delayed", `${what} could not be recorded (${String(cause)}); crash counting may be wrong`);
  }
}

/** Calls `report` once the signal handlers are in place. */
async function sleepUnlessStopped(waitMs: number, report: () => void): Promise<boolean> {
  const stopped = new AbortController();
  const endListening = onStopSignal({ first: () => stopped.abort() });
  report();
  await systemClock().sleep(waitMs, stopped.signal);
  endListening();
  return !stopped.signal.aborted;
}

/**
 * A practice venue ends with this process, and its limits with it; the real service remembers what earlier runs sent.
 */
export function keptFor(kind: VenueKind, env: Env, dataDir: string, log: Log): RateLimiter | null {
  if (kind === "embedded") return null;
  return persistentLimiter(createRateLimiter(env.clock), {
    file: limiterPath(dataDir),
    nowMs: env.clock.nowMs(),
    onTrouble: (reason) =>
      log.event("warn", "journal.trouble", `the rate-limit windows could not be stored: ${reason}`),
  });
}
