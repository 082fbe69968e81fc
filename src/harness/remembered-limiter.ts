/**
 * The rate-limit windows across the runs of one harness: kept in memory, where `limiter-file.ts` keeps them on disk.
 */
import type { Clock } from "../core/clock.ts";
import { createRateLimiter, type LimiterState, type RateLimiter } from "../net/rate-limit.ts";

/** Creates the limiter of the next run. */
export type LimiterMaker = (clock: Clock) => RateLimiter;

/** One for each harness; each run begins with the windows that the previous one left. */
export function rememberedLimiters(): LimiterMaker {
  let kept: LimiterState = {};
  return (clock) => {
    const inner = createRateLimiter(clock);
    inner.restore(kept);
    const save = (): void => {
      kept = inner.snapshot();
    };
    return {
      ready: (key, limit, target) => inner.ready(key, limit, target),
      snapshot: () => inner.snapshot(),
      restore: (state) => inner.restore(state),
      take: async (key, limit, target) => {
        const slot = await inner.take(key, limit, target);
        if (!slot.ok) return slot;
        save();
        return { ...slot, value: { arrived: () => (slot.value.arrived(), save()) } };
      },
      tightened: () => inner.tightened(),
      refused: (key, untilMs) => {
        const tightened = inner.refused(key, untilMs);
        save();
        return tightened;
      },
      pause: (key, untilMs) => {
        inner.pause(key, untilMs);
        save();
      },
    };
  };
}
