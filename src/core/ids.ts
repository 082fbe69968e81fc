/** Identifiers as something handed in, so that a replay makes the same ones. */
import type { Entropy } from "./entropy.ts";
import type { Clock } from "./clock.ts";

/** Where every new name comes from; its kind (`ws`, `journal`) stands in front. */
export interface Ids {
  /** A new identifier: the kind, a dash, and 12 or more characters of [0-9a-z]. Fits a client order id. */
  next(kind: string): string;
}

/**
 * Ids that sort by time of making. `prefix` keeps the runs of one program apart (two runs with one seed and one
 * millisecond would otherwise meet).
 */
export function timedIds(nowMs: () => number, entropy: Entropy): Ids {
  let count = 0;
  return {
    next: (kind) => {
      const time = Math.floor(nowMs()).toString(36).padStart(9, "0");
      const serial = (count++ % 46_656).toString(36).padStart(3, "0");
      const chance = entropy.int(`id:${kind}`, 0, 46_656).toString(36).padStart(3, "0");
      return `${kind}-${time}${serial}${chance}`;
    },
  };
}

/** Handed in whole, so that a test or a rehearsal decides about all three. */
export interface Env {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly ids: Ids;
}
