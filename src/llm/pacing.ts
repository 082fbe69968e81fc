/**
 * Spreads the day's money over the day. Scheduled questions stay under a line that rises through the day and leave a
 * share for event triggers; event triggers may use everything that is left. Pure.
 */
import { type Decimal, dec, maxDecimal, ZERO } from "../core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { Urgency } from "./port.ts";

/** The day's plan; `reserveForHappenings` is 0 to 1, `dayStartMs` epoch ms. */
export interface Pace {
  readonly limitUsd: Decimal;
  /** Share of the limit reserved for event triggers. */
  readonly reserveForEvents: number;
  readonly dayStartMs: number;
}

/** Spend of the running day, in USD. */
export interface Spending {
  readonly usedTodayUsd: Decimal;
  readonly leftUsd: Decimal;
  /** Likely cost of the next question; zero before the first. */
  readonly nextUsd: Decimal;
}

/** A scheduled question may run this far ahead of the line, so that the first hours have money. */
const AHEAD_MS = 2 * HOUR_MS;

const share = (ms: number): Decimal => dec(Math.round(Math.min(Math.max(ms, 0), DAY_MS))).div(DAY_MS);

/** What scheduled questions may have used by now. */
export const allowanceUsd = (pace: Pace, nowMs: number): Decimal =>
  pace.limitUsd.mul(dec(1).sub(dec(pace.reserveForEvents))).mul(share(nowMs - pace.dayStartMs + AHEAD_MS));

/** False without money for the next question; a scheduled one must also stay under the line of the day. */
export function mayAsk(urgency: Urgency, nowMs: number, pace: Pace, spending: Spending): boolean {
  const { leftUsd, nextUsd, usedTodayUsd } = spending;
  if (leftUsd.lte(0) || nextUsd.gt(leftUsd)) return false;
  return urgency === "happening" || usedTodayUsd.add(nextUsd).lte(allowanceUsd(pace, nowMs));
}

/** The day's total at today's pace; during the first quarter of an hour, the amount used. */
export function forecastUsd(pace: Pace, nowMs: number, usedTodayUsd: Decimal): Decimal {
  const elapsedMs = Math.min(nowMs - pace.dayStartMs, DAY_MS);
  if (elapsedMs < HOUR_MS / 4) return maxDecimal(ZERO, usedTodayUsd);
  return usedTodayUsd.div(share(elapsedMs));
}
