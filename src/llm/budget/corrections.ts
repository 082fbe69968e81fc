/**
 * Lowers the charge of calls with unknown outcome as far as the gateway's own counter proves a lower cost. Such calls
 * are booked at their bounds. If the counter includes everything we know, with a later call among it, and is still
 * lower than our books, less remains for them. Anything else in the counter is attributed to them, so that too little
 * is never booked. Pure. Invariant I19.
 */
import { type Decimal, dec, maxDecimal, minDecimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Budget, BudgetCharge } from "./budget.ts";
import type { Counted } from "./key-info.ts";

/** The counter may show a call this long after its answer. */
export const COUNTER_LAG_MS = 15 * MINUTE_MS;
/** Rounding error of a counter kept in floating point. */
const ROUNDING_USD = dec("0.000001");

/** One charge to lower. */
export interface ProvenCost {
  readonly attemptId: string;
  readonly fromUsd: Decimal;
  readonly toUsd: Decimal;
}

/** Empty while nothing is proven: no figure for the span, a lagging counter, or no known call after an unknown one. */
export function provenCosts(budget: Budget, counted: Counted, nowMs: number): readonly ProvenCost[] {
  const { spendUsd, sinceMs } = counted;
  const untilMs = counted.atMs - COUNTER_LAG_MS;
  const ended = [...budget.charges].filter(([, { open, at }]) => !open && at.wallMs >= sinceMs && at.wallMs <= untilMs);
  const known = ended.filter(([, { unknown }]) => !unknown);
  const knownUsd = sumDecimals(known.map(([, { amountUsd }]) => amountUsd));
  if (nowMs < untilMs || spendUsd.add(ROUNDING_USD).lt(knownUsd)) return [];
  // The counter is up to date to this time: it includes the last call with a known bill.
  const heldMs = Math.max(-Infinity, ...known.filter(([id, charge]) => isCall(id, charge)).map(([, c]) => c.dayMs));
  let leftUsd = maxDecimal(ZERO, spendUsd.sub(knownUsd));
  const unknown = ended
    .filter(([, charge]) => charge.unknown && charge.dayMs >= sinceMs && charge.at.wallMs < heldMs)
    // The newest charges are lowered last, because they count longest in a day and its 24 hours.
    .sort(([, a], [, b]) => b.at.wallMs - a.at.wallMs);
  return unknown.flatMap(([attemptId, { amountUsd }]) => {
    const toUsd = minDecimal(amountUsd, leftUsd);
    leftUsd = leftUsd.sub(toUsd);
    return toUsd.lt(amountUsd) ? [{ attemptId, fromUsd: amountUsd, toUsd }] : [];
  });
}

/** A tiny bill could vanish in the rounding, and an adopted figure is not a call. */
const isCall = (id: string, { amountUsd }: BudgetCharge): boolean =>
  !id.startsWith("adopt") && amountUsd.gt(ROUNDING_USD);
