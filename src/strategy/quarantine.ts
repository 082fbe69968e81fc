/**
 * Suspends a strategy that threw, hung or returned an invalid answer; the fallback decides meanwhile. The suspension
 * doubles with every fault in a row; a strategy that hangs twice is suspended until the configuration changes. A
 * model's failure is not a fault, and neither is a slow machine: an interrupted strategy counts as hung only after
 * enough processor time, in one call or in several without an answer between.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { StrategyFault } from "./guarded.ts";

const FIRST_SUSPENSION_MS = 5 * MINUTE_MS;
const LONGEST_SUSPENSION_MS = HOUR_MS;
const HANGS_MAX = 2;
/** Processor time without an answer that counts as a hang, as a share of one call's time limit. */
const HANG_SHARE = 0.5;

/** One for the active strategy and one for each shadow; all times are the caller's clock, ms. */
export interface Quarantine {
  /** Until when and why it is suspended; null if it may decide. */
  suspension(nowMs: number): { readonly untilMs: number; readonly reason: string } | null;
  /** Suspends it until the returned time (Infinity: until the configuration changes); null if it may continue. */
  suspend(nowMs: number, fault: StrategyFault): number | null;
  /** Records a valid answer: the next fault counts as the first. */
  recordAnswer(): void;
  /** Ends the suspension after a configuration change. */
  clear(): void;
}

/**
 * Suspensions last 5 minutes at first and an hour at most; after two hangs without a valid answer between, until
 * `clear`.
 */
export function createQuarantine(): Quarantine {
  let faults = 0;
  let hangs = 0;
  let unanswered = 0;
  let untilMs = -Infinity;
  let why = "";
  const recordAnswer = (): void => {
    faults = 0;
    hangs = 0;
    unanswered = 0;
  };
  return {
    suspension: (nowMs) => (nowMs < untilMs ? { untilMs, reason: why } : null),
    suspend: (nowMs, fault) => {
      if (fault.kind === "cut-off") {
        unanswered += fault.usedShare;
        if (unanswered < HANG_SHARE) return null;
        unanswered = 0;
        hangs += 1;
      }
      faults += 1;
      why = fault.reason;
      untilMs =
        hangs >= HANGS_MAX
          ? Infinity
          : nowMs + Math.min(LONGEST_SUSPENSION_MS, FIRST_SUSPENSION_MS * 2 ** (faults - 1));
      return untilMs;
    },
    recordAnswer,
    clear: () => {
      recordAnswer();
      untilMs = -Infinity;
    },
  };
}
