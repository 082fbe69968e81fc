/**
 * A clock that moves only when told to. Timers fire in order of due time, ties by the order they were set, so two runs
 * with the same calls are the same run.
 */
import type { Clock, Stop } from "./clock.ts";

export interface VirtualClock extends Clock {
  /** Moves time forward by `ms`, firing what falls due on the way and letting promises settle between timers. */
  advance(ms: number): Promise<void>;
  /** Moves time forward without yielding to promises. For purely synchronous hosts. */
  advanceSync(ms: number): void;
  /** Steps the wall clock by `ms` (may be negative) without moving monotonic time, as an operator's `date` would. */
  stepWall(ms: number): void;
  /** How many timers are waiting. */
  pending(): number;
}

interface Timer {
  dueMs: number;
  seq: number;
  fn: () => void;
  everyMs: number | null;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
};

export function virtualClock(startMs: number): VirtualClock {
  let mono = 0;
  let wallOffset = startMs;
  let seq = 0;
  const timers = new Set<Timer>();

  const add = (ms: number, fn: () => void, everyMs: number | null): Stop => {
    const timer: Timer = { dueMs: mono + Math.max(0, ms), seq: seq++, fn, everyMs };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextDue = (untilMs: number): Timer | undefined => {
    let best: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs > untilMs) continue;
      if (!best || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.seq < best.seq)) best = timer;
    }
    return best;
  };
  const fire = (timer: Timer): void => {
    mono = Math.max(mono, timer.dueMs);
    if (timer.everyMs === null) timers.delete(timer);
    else {
      timer.dueMs += Math.max(1, timer.everyMs);
      timer.seq = seq++;
    }
    timer.fn();
  };

  return {
    scale: 1,
    nowMs: () => wallOffset + mono,
    monotonicMs: () => mono,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          stop();
          resolve();
        };
        const stop = add(ms, done, null);
        signal?.addEventListener("abort", done, { once: true });
      }),
    after: (ms, fn) => add(ms, fn, null),
    every: (ms, fn) => add(ms, fn, ms),
    advance: async (ms) => {
      const until = mono + ms;
      await settle();
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        fire(timer);
        await settle();
      }
      mono = until;
      await settle();
    },
    advanceSync: (ms) => {
      const until = mono + ms;
      for (let timer = nextDue(until); timer; timer = nextDue(until)) fire(timer);
      mono = until;
    },
    stepWall: (ms) => {
      wallOffset += ms;
    },
    pending: () => timers.size,
  };
}
