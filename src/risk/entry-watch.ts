/**
 * Notices when the limits together block every entry for too long, although each of them is right. Reports since when
 * and why, and changes nothing.
 */

export interface Blocked {
  readonly sinceMs: number;
  /** The most recent obstacle. */
  readonly reason: string;
}

/** The tick calls `looked`; each review of an opening draft calls `tried`. Times are our wall clock, ms. */
export interface EntryWatch {
  /** `obstacle`: why nothing could be opened at this moment; null if something could. */
  looked(obstacle: string | null, atMs: number): void;
  /** The result for a draft that would open: null if it was approved, else the refusal. */
  tried(refusal: string | null, atMs: number): void;
  /** Null while entries pass, or if they have been blocked for less than `spanMs`. */
  blockedFor(spanMs: number, nowMs: number): Blocked | null;
}

/** A few refusals in a row are normal; this many without an approval count as blocked. */
const REFUSALS_MIN = 3;

/** An obstacle counts from its first report; refused drafts count once there are three in a row. */
export function createEntryWatch(): EntryWatch {
  let shut: Blocked | null = null;
  let refused: (Blocked & { readonly times: number }) | null = null;
  return {
    looked: (obstacle, atMs) => {
      shut = obstacle === null ? null : { sinceMs: shut?.sinceMs ?? atMs, reason: obstacle };
    },
    tried: (refusal, atMs) => {
      refused =
        refusal === null
          ? null
          : { sinceMs: refused?.sinceMs ?? atMs, reason: refusal, times: (refused?.times ?? 0) + 1 };
    },
    blockedFor: (spanMs, nowMs) => {
      const long = (blocked: Blocked | null): boolean => blocked !== null && nowMs - blocked.sinceMs >= spanMs;
      if (long(shut)) return shut;
      if (!refused || refused.times < REFUSALS_MIN || !long(refused)) return null;
      return { sinceMs: refused.sinceMs, reason: `${refused.times} drafts refused, last by ${refused.reason}` };
    },
  };
}
