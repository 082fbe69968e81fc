/** The port for identifiers, so that a replay creates the same ones. */
import type { Entropy } from "./entropy.ts";
import type { Clock } from "./clock.ts";

/** Source of all new ids; each begins with its kind (`ws`, `journal`). */
export interface Ids {
  /** A new identifier: the kind, a dash, and 12 or more characters of [0-9a-z]. Fits a client order id. */
  next(kind: string): string;
}

/**
 * Ids that sort by creation time, with a serial number and a random part.
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

const TIMED = /^[0-9a-z]{15}$/;

/** When `timedIds` made an id, epoch ms, from the part after its kind; null for a text of another form. */
export const madeAtMs = (part: string): number | null => (TIMED.test(part) ? parseInt(part.slice(0, 9), 36) : null);

/** Passed as one value, so that a test or a simulation controls all three. */
export interface Env {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly ids: Ids;
}
