/** Runs foreign code for so long and no longer: a loop without end is broken off, as a throw. */
import { Script } from "node:vm";
import { processorMs } from "./processor-time.ts";

/** Far beyond what any judgement of a snapshot takes, and short beside what the venue-side stops cover. */
export const DECIDE_MS_MAX = 5_000;

/** Thrown by `withinTime` when the time is over. */
export class HungError extends Error {
  /** Part of that time in which the code really ran, 0 to 1; the machine was busy elsewhere for the rest. */
  readonly usedShare: number;

  constructor(ms: number, usedMs: number) {
    super(`it did not come back within ${ms} ms`);
    this.usedShare = Math.min(1, Math.max(0, usedMs / ms));
  }
}

/** Of what a box has left, the share that one inside it may take: the code around it must outlive several that hang. */
const NESTED_SHARE = 0.25;

const CALL = "__ballastTimeBox";
const script = new Script(`globalThis.${CALL}()`);
/** When the box around the running code ends, by `performance.now`; null outside of every box. */
let endsMs: number | null = null;

/**
 * What `run` returns. Throws what it throws, or `HungError`. Synchronous. Within another box it gets a quarter of what that
 * one has left, at most, and so ends first. Infinity waits for ever, and so does what names no time of its own inside.
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
    // Code that is broken off runs no `finally` of its own: the box that broke it off puts this right for all inside.
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
