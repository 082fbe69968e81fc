/**
 * Notices when the limits, each right by itself, have together shut the door: nothing may be opened, or every draft that
 * would open is refused, for too long. Says since when and why, and changes nothing.
 */

export interface Blocked {
  readonly sinceMs: number;
  /** What stood in the way last. */
  readonly reason: string;
}

/** `looked` is told by the tick, `tried` by each review of an opening draft. Times are our wall clock, ms. */
export interface EntryWatch {
  /** Whether anything at all could be opened at this instant, and if not, why. */
  looked(obstacle: string | null, atMs: number): void;
  /** What a review made of a draft that would open: null when it was approved, else what refused it. */
  tried(refusal: string | null, atMs: number): void;
  /** Null while entries pass, or were not blocked for as long as this. */
  blockedFor(spanMs: number, nowMs: number): Blocked | null;
}

/** A few refusals in a row are daily business; that many without one approval between them are a pattern. */
const REFUSALS_MIN = 3;

/** An obstacle counts from its first look, refused drafts only once there are three in a row. */
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
