/**
 * The stop that the agent keeps itself: where the venue has none, has not moved it yet, or did not fire it, the marks are
 * watched here. Only fresh marks count; while a position has no venue-side stop, each look is a row that says until when
 * it holds. Invariant I9.
 */
import { Decimal, quantize, toWire } from "../core/decimal.ts";
import type { At } from "./effects.ts";
import { type Leg, outgrew } from "./leg.ts";
import type { AgentState } from "./state.ts";
import { markOf } from "./worth.ts";
import { saferThan } from "./trailing.ts";

/** A venue that has seen the same mark fires within this time. */
const FIRES_WITHIN_MS = 6_000;
/** A stop usually stands sooner than this; what is watched for longer is written down. */
const SUPERVISED_AFTER_MS = 4_000;
const SUPERVISED_EVERY_MS = 3_000;
/** How long one look holds: until the next one is overdue. */
const LOOK_HOLDS_MS = 5_000;

/** The mark as an exact figure while it is young enough to act on; null else. */
export function freshMark(state: AgentState, symbol: string, nowMs: number): Decimal | null {
  const { mark, markAgeMs } = state.context.quote(symbol, nowMs);
  return mark === null || markAgeMs > state.settings.risk.maxMarkAgeMs ? null : markOf(state, symbol, nowMs);
}

/** The stop that the leg is to have: its own, or the default distance from its entry. */
export function wantedStop(state: AgentState, leg: Leg): Decimal {
  if (leg.meta.stopPrice) return leg.meta.stopPrice;
  const tick = state.rules.get(leg.symbol)?.tickSize ?? new Decimal("0.00000001");
  const distance = state.settings.risk.defaultStopDistance.toNumber() * (leg.side === "LONG" ? -1 : 1);
  return quantize(leg.position.avgPrice.toNumber() * (1 + distance), tick, leg.side === "LONG" ? "up" : "down");
}

/** Why the leg must be closed because of its stop, in words; null while it need not. */
export function stopReached(state: AgentState, leg: Leg, nowMs: number): string | null {
  const mark = freshMark(state, leg.symbol, nowMs);
  if (mark === null) return null;
  const stop = wantedStop(state, leg);
  const beyond = leg.side === "LONG" ? mark.lte(stop) : mark.gte(stop);
  if (!beyond) {
    leg.crossedSinceMs = null;
    return null;
  }
  const words = `the mark ${toWire(mark)} is beyond its stop ${toWire(stop)}`;
  if (leg.protection !== "live" || leg.standingStop === null) return `${words}, which does not stand at the venue`;
  if (saferThan(leg.side, stop, leg.standingStop)) return `${words}, which has not been moved there at the venue yet`;
  leg.crossedSinceMs ??= nowMs;
  return nowMs - leg.crossedSinceMs < FIRES_WITHIN_MS ? null : `${words}, and the venue has not fired it`;
}

/** Writes down that the price of an unprotected leg, or part of one, is watched here, with what it is watched against. */
export function supervise(state: AgentState, leg: Leg, { nowMs, out, atOnce }: At & { atOnce: boolean }): void {
  leg.outgrownSinceMs = outgrew(leg) ? (leg.outgrownSinceMs ?? nowMs) : null;
  const sinceMs = leg.unprotectedSinceMs ?? leg.outgrownSinceMs;
  if (sinceMs === null || (!atOnce && nowMs - sinceMs < SUPERVISED_AFTER_MS)) return;
  if (nowMs - leg.supervisedMs < SUPERVISED_EVERY_MS) return;
  const mark = freshMark(state, leg.symbol, nowMs);
  if (mark === null) return;
  leg.supervisedMs = nowMs;
  out.record(
    "protection",
    {
      leg: leg.key,
      supervised: true,
      stopPrice: toWire(wantedStop(state, leg)),
      markPrice: toWire(mark),
      unprotectedForMs: Math.round(nowMs - sinceMs),
      untilMs: nowMs + LOOK_HOLDS_MS,
    },
    leg.meta.decisionId,
  );
}
