/**
 * Where a strategy sits after it threw, hung or answered nonsense: the fallback decides meanwhile. The rest doubles with
 * every fault in a row; one that hung rests until the configuration changes again. A model's failure is no fault.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";

const FIRST_REST_MS = 5 * MINUTE_MS;
const LONGEST_REST_MS = HOUR_MS;

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

export function createBench(): Bench {
  let faults = 0;
  let untilMs = -Infinity;
  let why = "";
  return {
    seated: (nowMs) => (nowMs < untilMs ? { untilMs, reason: why } : null),
    seat: (nowMs, reason, hung) => {
      faults += 1;
      why = reason;
      untilMs = hung ? Infinity : nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (faults - 1));
      return untilMs;
    },
    played: () => {
      faults = 0;
    },
    clear: () => {
      faults = 0;
      untilMs = -Infinity;
    },
  };
}
