/**
 * Sliding-window rate limits: at most `requests` in any span of `perMs`. Refused requests do not count, so a client
 * that waits as instructed is admitted. Time is an argument. Records §3.
 */
import { BoundedMap } from "../../../core/bounded.ts";

/** Monotonic milliseconds of the service's clock. */
export interface WindowLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** Only `take` counts; `waitMs` may be called freely. */
export interface SlidingWindow {
  /** Takes `places` (default one) if that many are free, else none. `nowMs` must not go back: use monotonic time. */
  take(nowMs: number, places?: number): boolean;
  /** Milliseconds until `places` are free; 0 if they are, Infinity if there are never that many. */
  waitMs(nowMs: number, places?: number): number;
}

/** Starts empty: the first `requests` are admitted at once. */
export function slidingWindow(limit: WindowLimit): SlidingWindow {
  /** A ring of the last `requests` admissions; only the oldest matters. */
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

/** One window per name, for example per key and endpoint. Beyond `cap` the longest unused names are dropped. */
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
