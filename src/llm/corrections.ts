/**
 * What calls of unknown outcome have truly cost, as far as the gateway's own counter proves it. They are booked at their
 * bounds; a counter that holds all that we know of, a later call among it, and is lower than our books all the same, leaves
 * less for them. Whatever else it may hold is taken for theirs, so that too little is never booked. Pure. Invariant I19.
 */
import { type Decimal, dec, maxDecimal, minDecimal, sumDecimals, ZERO } from "../core/decimal.ts";
import { MINUTE_MS } from "../core/time.ts";
import type { Budget, Charge } from "./budget.ts";
import type { Counted } from "./key-info.ts";

/** A counter may show a call this much later than the call was answered. */
export const COUNTER_LAG_MS = 15 * MINUTE_MS;
/** What a counter kept in floating point may be off by. */
const ROUNDING_USD = dec("0.000001");

/** One charge that becomes less. */
export interface ProvenCost {
  readonly attemptId: string;
  readonly fromUsd: Decimal;
  readonly toUsd: Decimal;
}

/** Empty while nothing is proven: no figure for the span, a counter that lags, or no known call after an unknown one. */
export function provenCosts(budget: Budget, counted: Counted, nowMs: number): readonly ProvenCost[] {
  const { spendUsd, sinceMs } = counted;
  const untilMs = counted.atMs - COUNTER_LAG_MS;
  const ended = [...budget.charges].filter(([, { open, at }]) => !open && at.wallMs >= sinceMs && at.wallMs <= untilMs);
  const known = ended.filter(([, { unknown }]) => !unknown);
  const knownUsd = sumDecimals(known.map(([, { amountUsd }]) => amountUsd));
  if (nowMs < untilMs || spendUsd.add(ROUNDING_USD).lt(knownUsd)) return [];
  // By when the counter is known to have come: it holds the last of the calls whose bills we know.
  const heldMs = Math.max(-Infinity, ...known.filter(([id, charge]) => isCall(id, charge)).map(([, c]) => c.dayMs));
  let leftUsd = maxDecimal(ZERO, spendUsd.sub(knownUsd));
  const unknown = ended
    .filter(([, charge]) => charge.unknown && charge.dayMs >= sinceMs && charge.at.wallMs < heldMs)
    // The newest keep most: they count in a day and its 24 hours for longest.
    .sort(([, a], [, b]) => b.at.wallMs - a.at.wallMs);
  return unknown.flatMap(([attemptId, { amountUsd }]) => {
    const toUsd = minDecimal(amountUsd, leftUsd);
    leftUsd = leftUsd.sub(toUsd);
    return toUsd.lt(amountUsd) ? [{ attemptId, fromUsd: amountUsd, toUsd }] : [];
  });
}

/** A bill of a cent's millionth could be lost in the rounding, and an adopted figure is no call of ours. */
const isCall = (id: string, { amountUsd }: Charge): boolean => !id.startsWith("adopt") && amountUsd.gt(ROUNDING_USD);
