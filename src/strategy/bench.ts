/**
 * Where a strategy sits after it threw, hung or answered nonsense: the fallback decides meanwhile. The rest doubles with
 * every fault in a row. One that hung may have met a machine without time to spare; one that hangs again rests until the
 * configuration changes. A model's failure is no fault.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";

const FIRST_REST_MS = 5 * MINUTE_MS;
const LONGEST_REST_MS = HOUR_MS;
const HANGS_MAX = 2;

/** One for the strategy in force and one for each shadow; all times are the caller's clock, ms. */
export interface Bench {
  /** Until when and why it sits out; null while it may play. */
  seated(nowMs: number): { readonly untilMs: number; readonly reason: string } | null;
  /** Seats it. Returns until when, Infinity for until the configuration changes. */
  seat(nowMs: number, reason: string, hung: boolean): number;
  /** It answered soundly: the next fault is a first one again. */
  played(): void;
  /** A changed configuration is a new chance. */
  clear(): void;
}

/** Rests last 5 minutes at first and an hour at most; after two hangs without a sound answer between, until `clear`. */
export function createBench(): Bench {
  let faults = 0;
  let hangs = 0;
  let untilMs = -Infinity;
  let why = "";
  return {
    seated: (nowMs) => (nowMs < untilMs ? { untilMs, reason: why } : null),
    seat: (nowMs, reason, hung) => {
      faults += 1;
      hangs += hung ? 1 : 0;
      why = reason;
      untilMs = hangs >= HANGS_MAX ? Infinity : nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (faults - 1));
      return untilMs;
    },
    played: () => {
      faults = 0;
      hangs = 0;
    },
    clear: () => {
      faults = 0;
      hangs = 0;
      untilMs = -Infinity;
    },
  };
}
