/**
 * Shares answers between equal questions: from the cache, or from a call already in flight. An answer must be younger
 * than the time to live by the wall clock and by the monotonic clock. Spec: 3 §8; invariant I21.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";

/** In memory; above 500 answers the least recently used are dropped. */
export interface AnswerCache<T extends object> {
  get(key: string): T | null;
  set(key: string, value: T): void;
  /** Runs `make`, or waits if the same key is already being made. `joined` reports which. */
  once(key: string, make: () => Promise<T>): Promise<{ readonly value: T; readonly joined: boolean }>;
}

const ENTRIES_MAX = 500;

interface Entry<T> {
  readonly value: T;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A `ttlMs` of zero caches nothing; equal questions in flight are still joined. */
export function createAnswerCache<Kept extends object>(clock: Clock, ttlMs: number): AnswerCache<Kept> {
  // Ages are checked here: the library's check is "at most" instead of "less than", and reads the machine's clock.
  const entries = new LRUCache<string, Entry<Kept>>({ max: ENTRIES_MAX });
  const flights = new Map<string, Promise<Kept>>();
  const isFresh = (entry: Entry<Kept>): boolean =>
    clock.monotonicMs() - entry.monotonicMs < ttlMs && Math.abs(clock.nowMs() - entry.wallMs) < ttlMs;

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return null;
      if (isFresh(entry)) return entry.value;
      entries.delete(key);
      return null;
    },
    set: (key, value) => {
      entries.set(key, { value, wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() });
    },
    once: async (key, make) => {
      const running = flights.get(key);
      if (running) return { value: await running, joined: true };
      const flight = make().finally(() => flights.delete(key));
      flights.set(key, flight);
      return { value: await flight, joined: false };
    },
  };
}
