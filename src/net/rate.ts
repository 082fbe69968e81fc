/** A rate, and a turn under it: the words that limiter, lanes and learning share. */

/** At most `requests` in any window of `perMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** A granted turn. Call `arrived` when the answer is in: the service may have counted the request that late. */
export interface Slot {
  arrived(): void;
}
