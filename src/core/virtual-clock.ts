/**
 * A clock that moves only on request. Timers fire in order of due time and, at equal times, of creation, so two runs with the
 * same calls are identical.
 */
import { type Clock, sleepBy, type Stop } from "./clock.ts";

/** Monotonic time begins at 0. Time passes and timers fire only within `advance` and `advanceSync`. */
export interface VirtualClock extends Clock {
  /** Moves time forward by `ms`, firing due timers and letting promises settle between them. */
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
  readonly fn: () => void;
  /** Null fires once. */
  readonly everyMs: number | null;
  stopped: boolean;
}

const isBefore = (a: Timer, b: Timer): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.seq < b.seq);

/** A binary heap, soonest first. Stopped timers stay in it until they are due and are then skipped. */
class TimerHeap {
  readonly #items: Timer[] = [];

  first(): Timer | undefined {
    while (this.#items[0]?.stopped) this.take();
    return this.#items[0];
  }

  add(timer: Timer): void {
    const items = this.#items;
    let place = items.push(timer) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = items[above];
      if (!parent || !isBefore(timer, parent)) break;
      items[place] = parent;
      place = above;
    }
    items[place] = timer;
  }

  take(): Timer | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (!top || !last || top === last) return top;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [a, b] = [items[left], items[left + 1]];
      const child = b && a && isBefore(b, a) ? left + 1 : left;
      const next = items[child];
      if (!next || !isBefore(next, last)) break;
      items[place] = next;
      place = child;
    }
    items[place] = last;
    return top;
  }
}

const settleBriefly = async (): Promise<void> => {
  for (let round = 0; round < 4; round++) await Promise.resolve();
};

/**
 * `settle` lets the work of the last timer run to its next wait; the default suits short chains of promises. A host of whole
 * programs passes one that runs until no work is left.
 */
export function virtualClock(startMs: number, settle: () => Promise<void> = settleBriefly): VirtualClock {
  let mono = 0;
  let wallOffset = startMs;
  let seq = 0;
  let waiting = 0;
  const timers = new TimerHeap();

  const add = (ms: number, fn: () => void, everyMs: number | null): Stop => {
    const timer: Timer = { dueMs: mono + Math.max(0, ms), seq: seq++, fn, everyMs, stopped: false };
    timers.add(timer);
    waiting++;
    return () => {
      if (!timer.stopped) waiting--;
      timer.stopped = true;
    };
  };
  const after: Clock["after"] = (ms, fn) => add(ms, fn, null);
  const nextDue = (untilMs: number): Timer | undefined => {
    const timer = timers.first();
    return timer && timer.dueMs <= untilMs ? timer : undefined;
  };
  const fire = (timer: Timer): void => {
    mono = Math.max(mono, timer.dueMs);
    timers.take();
    if (timer.everyMs === null) {
      timer.stopped = true;
      waiting--;
    } else {
      timer.dueMs += Math.max(1, timer.everyMs);
      timer.seq = seq++;
      timers.add(timer);
    }
    timer.fn();
  };

  return {
    scale: 1,
    nowMs: () => wallOffset + mono,
    monotonicMs: () => mono,
    sleep: sleepBy(after),
    after,
    every: (ms, fn) => add(ms, fn, ms),
    advance: async (ms) => {
      const until = mono + ms;
      await settle();
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        fire(timer);
        await settle();
      }
      // A timer's work may itself have let more time pass.
      mono = Math.max(mono, until);
      await settle();
    },
    advanceSync: (ms) => {
      const until = mono + ms;
      for (let timer = nextDue(until); timer; timer = nextDue(until)) fire(timer);
      mono = Math.max(mono, until);
    },
    stepWall: (ms) => {
      wallOffset += ms;
    },
    pending: () => waiting,
  };
}
