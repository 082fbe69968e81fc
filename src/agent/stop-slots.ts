/** The venue's scarce slots for changing standing stops, and the unrest that trailing distances are counted in. */

import { BoundedMap } from "../core/bounded.ts";

/** The venue's window for amendments, held a little longer than it says. Spec: records §3. */
const AMEND_WINDOW_MS = 52_000;
const AMENDS_PER_WINDOW = 3;
const VOLATILITY_EVERY_MS = 10_000;
const SYMBOLS_CAP = 200;

export interface StopSlots {
  /** How many amendments may be asked for now. */
  left(nowMs: number): number;
  take(nowMs: number): void;
  /** The symbol's unrest, measured at most once in ten seconds. */
  volatility(symbol: string, nowMs: number, measure: () => number | null): number | null;
}

export function createStopSlots(): StopSlots {
  let askedMs: readonly number[] = [];
  const measured = new BoundedMap<string, { readonly atMs: number; readonly hour: number | null }>(SYMBOLS_CAP);
  return {
    left: (nowMs) => {
      askedMs = askedMs.filter((atMs) => nowMs - atMs < AMEND_WINDOW_MS);
      return AMENDS_PER_WINDOW - askedMs.length;
    },
    take: (nowMs) => {
      askedMs = [...askedMs, nowMs];
    },
    volatility: (symbol, nowMs, measure) => {
      const known = measured.get(symbol);
      if (known && nowMs - known.atMs < VOLATILITY_EVERY_MS) return known.hour;
      const hour = measure();
      measured.set(symbol, { atMs: nowMs, hour });
      return hour;
    },
  };
}
