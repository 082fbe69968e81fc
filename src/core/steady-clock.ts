/**
 * A clock whose wall time always advances. It follows a forward step of the machine's time at once, as after a long sleep, so
 * that old data looks old. It ignores a backward step, because running spans would be extended by the step. Signatures use the
 * service's own time, which is measured separately. Spec: faults C1, C2, P5.
 */
import type { Clock } from "./clock.ts";

/** Only `nowMs` differs from `base`; between two calls it advances at least as far as the monotonic time. */
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
