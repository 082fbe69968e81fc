/** The plan of the order that opens a position, its stop and target above all, becomes the plan of the position. */
import { positionKeyOf } from "../../domain/position.ts";
import { promisedNotBefore, type Tracked } from "../books/tracked.ts";
import { saferThan } from "../books/trailing.ts";
import { isTaken } from "../positions/held-position.ts";
import type { PastFact } from "../positions/past-fact.ts";
import type { AgentState } from "./state.ts";

/** Of an opening order that filled by `filledMs`, the venue's time. */
export function planPosition(state: AgentState, tracked: Tracked, filledMs: number): void {
  if (!tracked.opening || !tracked.stopPrice) return;
  const key = positionKeyOf(tracked.symbol, tracked.leg);
  const held = state.positions.get(key);
  const standing = held && !held.isUnconfirmed ? held.meta.stopPrice : null;
  // Adding to a position never moves its stop away from safety.
  if (standing !== null && saferThan(tracked.leg, standing, tracked.stopPrice)) return;
  const promised = state.theses.get(tracked.clientOrderId);
  const meta = {
    decisionId: tracked.decisionId,
    strategy: promised?.strategy ?? held?.meta.strategy ?? null,
    thesis: promised?.reason ?? null,
    basis: promised?.basis ?? "none",
    stopPrice: tracked.stopPrice,
    promisedStop: tracked.stopPrice,
    targetPrice: tracked.targetPrice,
    openedAtMs: tracked.promisedAtMs,
    notBeforeMs: promisedNotBefore(state.venueTime, tracked),
    ...(promised?.trail ? { trail: promised.trail } : {}),
  };
  state.positions.expect(key, { meta, filledMs });
}

/** By client order id, the venue's time of the newest fill of an opening order that an earlier run heard of. */
export function filledBefore(facts: readonly PastFact[]): ReadonlyMap<string, number> {
  const filled = new Map<string, number>();
  for (const fact of facts) {
    if (fact.kind !== "fill" || !fact.opening) continue;
    filled.set(fact.clientOrderId, Math.max(fact.atMs, filled.get(fact.clientOrderId) ?? -Infinity));
  }
  return filled;
}

/** A run may have ended between a fill of the order and the first report of its position; the plan of one that is held is in its rows. */
export function recallPlan(state: AgentState, tracked: Tracked, filledMs: number): void {
  const held = state.positions.get(positionKeyOf(tracked.symbol, tracked.leg));
  if (!held || held.isUnconfirmed || isTaken(held)) planPosition(state, tracked, filledMs);
}
