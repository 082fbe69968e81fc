/**
 * Answers given again to equal questions, and one call for equal questions that meet in flight. Strictly younger than the
 * time to live, by the wall clock and by the monotonic one. Spec: 3 §8; invariant I21.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";

/** In memory alone; of more than 500 answers the least recently used go. */
export interface AnswerCache<T extends object> {
  get(key: string): T | null;
  set(key: string, value: T): void;
  /** Runs `make` unless the same key is being made; then waits for that one. `joined` tells which it was. */
  once(key: string, make: () => Promise<T>): Promise<{ readonly value: T; readonly joined: boolean }>;
}

const ENTRIES_MAX = 500;

interface Entry<T> {
  readonly value: T;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A `ttlMs` of zero keeps nothing; questions that meet in flight are joined all the same. */
export function createAnswerCache<Kept extends object>(clock: Clock, ttlMs: number): AnswerCache<Kept> {
  // Ages are judged here: the library's own are "at most", not "less than", and read the machine's clock.
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
