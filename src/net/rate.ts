/** A rate and a slot: types that limiter, lanes and learning share. */

/** At most `requests` in any window of `perMs`. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** A granted slot. Call `arrived` when the answer is in: the service may have counted the request that late. */
export interface Slot {
  arrived(): void;
}
