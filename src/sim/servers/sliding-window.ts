/**
 * Sliding-window rate limits: at most `requests` in any span of `perMs`. Refused requests do not count, so a client
 * that waits as reported is let in. Knows no keys' meaning and no clock: time is an argument. Records §3.
 */
import { BoundedMap } from "../../core/bounded.ts";

/** Monotonic milliseconds of the service's clock. */
export interface WindowLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** Only `take` counts; `waitMs` may be asked as often as one likes. */
export interface SlidingWindow {
  /** Takes `places` (one unless reported) if there are as many, else none. `nowMs` must not go back: use monotonic time. */
  take(nowMs: number, places?: number): boolean;
  /** Milliseconds until `places` are free; 0 when they are, Infinity when there are never as many. */
  waitMs(nowMs: number, places?: number): number;
}

/** Empty: the first `requests` are let in at once. */
export function slidingWindow(limit: WindowLimit): SlidingWindow {
  /** A ring of the last `requests` admissions: the oldest of them alone decides. */
  const admitted = new Float64Array(Math.max(1, limit.requests)).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  const waitMs = (nowMs: number, places = 1): number => {
    if (places > limit.requests) return Infinity;
    const last = admitted[(oldest + places - 1) % admitted.length] ?? 0;
    return Math.max(0, last + limit.perMs - nowMs);
  };
  return {
    waitMs,
    take: (nowMs, places = 1) => {
      if (waitMs(nowMs, places) > 0) return false;
      for (let taken = 0; taken < places; taken++) {
        admitted[oldest] = nowMs;
        oldest = (oldest + 1) % admitted.length;
      }
      return true;
    },
  };
}

/** One window per name, for example per key and endpoint. Forgets the longest-untouched names beyond `cap`. */
export class WindowTable {
  readonly #windows: BoundedMap<string, SlidingWindow>;
  readonly #stretch: number;
  /** `stretch` multiplies the span of every limit. */
  constructor({ cap = 20_000, stretch = 1 }: { readonly cap?: number; readonly stretch?: number } = {}) {
    this.#stretch = stretch;
    this.#windows = new BoundedMap(cap);
  }
  of(name: string, limit: WindowLimit): SlidingWindow {
    const known = this.#windows.get(name);
    if (known) return known;
    const made = slidingWindow({ ...limit, perMs: limit.perMs * this.#stretch });
    this.#windows.set(name, made);
    return made;
  }
}
