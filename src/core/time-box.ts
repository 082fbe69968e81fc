/** Runs foreign code with a time limit: an endless loop is interrupted by an exception. */
import { Script } from "node:vm";
import { processorMs } from "./processor-time.ts";

/** Far longer than judging a snapshot takes; venue-side stops protect positions meanwhile. */
export const DECIDE_MS_MAX = 5_000;

/** Thrown by `withinTime` when the time limit is reached. */
export class HungError extends Error {
  /** Share of that time in which the code used the processor, 0 to 1. */
  readonly usedShare: number;

  constructor(ms: number, usedMs: number) {
    super(`it did not return within ${ms} ms`);
    this.usedShare = Math.min(1, Math.max(0, usedMs / ms));
  }
}

/** Share of the remaining time for a nested call: the outer code must survive several nested calls that hang. */
const NESTED_SHARE = 0.25;

const CALL = "__ballastTimeBox";
const script = new Script(`globalThis.${CALL}()`);
/** When the box around the running code ends, by `performance.now`; null outside of every box. */
let endsMs: number | null = null;

/**
 * Returns the result of `run`. Throws its exception, or `HungError`. Synchronous. A nested call gets at most a quarter of the
 * outer call's remaining time, so that it ends first. With Infinity there is no limit, nor for nested calls without their own.
 */
export function withinTime<T>(run: () => T, msMax?: number): T {
  const outerEndsMs = endsMs;
  const nowMs = performance.now();
  const ms =
    outerEndsMs === null
      ? (msMax ?? DECIDE_MS_MAX)
      : Math.min(msMax ?? Infinity, Math.max(1, Math.floor((outerEndsMs - nowMs) * NESTED_SHARE)));
  endsMs = nowMs + ms;
  try {
    return ms === Infinity ? run() : boxed(run, ms);
  } finally {
    // Interrupted code runs no `finally` of its own: the call that interrupted it restores this for all nested ones.
    endsMs = outerEndsMs;
  }
}

function boxed<T>(run: () => T, ms: number): T {
  const box: { value?: T } = {};
  const home = globalThis as Record<string, unknown>;
  home[CALL] = () => {
    box.value = run();
  };
  const beganMs = processorMs();
  try {
    script.runInThisContext({ timeout: ms });
    return box.value as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new HungError(ms, processorMs() - beganMs);
    throw error;
  } finally {
    home[CALL] = undefined;
  }
}
