/**
 * A clock whose wall time never stands still and never goes back. A step forward of the machine's time is taken over at
 * once, as after a long sleep: what is old must look old. A step back is not: spans that began before it would not end
 * for as long as the step was. What is signed goes by the service's own time, measured apart. Spec: faults C1, C2, P5.
 */
import type { Clock } from "./clock.ts";

/** Only `nowMs` differs from that of `base`; between two calls it moves on at least as far as the monotonic time. */
export function steadyClock(base: Clock): Clock {
  let lastMs = base.nowMs();
  let lastMonoMs = base.monotonicMs();
  return {
    ...base,
    nowMs: () => {
      const monoMs = base.monotonicMs();
      const goneMs = Math.max(0, monoMs - lastMonoMs);
      lastMs = Math.max(base.nowMs(), lastMs + goneMs);
      lastMonoMs = monoMs;
      return lastMs;
    },
  };
}
