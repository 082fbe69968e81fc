/**
 * Where a strategy sits after it threw, hung or answered nonsense: the fallback decides meanwhile. The rest doubles with
 * every fault in a row; one that hangs twice rests until the configuration changes. A model's failure is no fault, and
 * neither is a slow machine: one that was cut off has hung once the processor has worked on it for long enough, in one
 * call or in several without an answer between.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { StrategyFault } from "./guarded.ts";

const FIRST_REST_MS = 5 * MINUTE_MS;
const LONGEST_REST_MS = HOUR_MS;
const HANGS_MAX = 2;
/** Processor time without an answer that is a hang, in parts of the time that one call may take. */
const HANG_SHARE = 0.5;

/** One for the strategy in force and one for each shadow; all times are the caller's clock, ms. */
export interface Quarantine {
  /** Until when and why it is quarantined; null while it may play. */
  resting(nowMs: number): { readonly untilMs: number; readonly reason: string } | null;
  /** Seats it until the time returned, Infinity for until the configuration changes; null where it may play on. */
  seat(nowMs: number, fault: StrategyFault): number | null;
  /** It answered soundly: the next fault is a first one again. */
  played(): void;
  /** A changed configuration is a new chance. */
  clear(): void;
}

/** Rests last 5 minutes at first and an hour at most; after two hangs without a sound answer between, until `clear`. */
export function createQuarantine(): Quarantine {
  let faults = 0;
  let hangs = 0;
  let unanswered = 0;
  let untilMs = -Infinity;
  let why = "";
  const played = (): void => {
    faults = 0;
    hangs = 0;
    unanswered = 0;
  };
  return {
    resting: (nowMs) => (nowMs < untilMs ? { untilMs, reason: why } : null),
    seat: (nowMs, fault) => {
      if (fault.kind === "cut-off") {
        unanswered += fault.usedShare;
        if (unanswered < HANG_SHARE) return null;
        unanswered = 0;
        hangs += 1;
      }
      faults += 1;
      why = fault.reason;
      untilMs = hangs >= HANGS_MAX ? Infinity : nowMs + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (faults - 1));
      return untilMs;
    },
    played,
    clear: () => {
      played();
      untilMs = -Infinity;
    },
  };
}
