/** The plan of the order that opens a position, its stop and target above all, becomes the plan of the position. */
import { positionKeyOf } from "../../domain/position.ts";
import { saferThan } from "../books/trailing.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { reportPosition } from "./report-position.ts";

/** Of an opening order that filled by `filledMs`, the venue's time. Returns the position whose plan is another one since. */
export function expectPosition(state: AgentState, tracked: Tracked, filledMs: number): HeldPosition | null {
  const key = positionKeyOf(tracked.symbol, tracked.leg);
  const before = state.positions.get(key)?.meta;
  plan(state, tracked, filledMs);
  const planned = state.positions.get(key);
  const isNew =
    planned?.meta.decisionId !== before?.decisionId || planned?.meta.stopPrice?.eq(before?.stopPrice ?? 0) === false;
  return planned && isNew ? planned : null;
}

/** The next run must know the plan, though nothing else of the position has changed. */
export function reportPlan(state: AgentState, planned: HeldPosition | null, at: At): void {
  if (planned && state.positions.get(planned.key) === planned)
    reportPosition(state, { held: planned, kind: "resized", grown: true }, at);
}

function plan(state: AgentState, tracked: Tracked, filledMs: number): void {
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
    ...(promised?.trail ? { trail: promised.trail } : {}),
  };
  state.positions.expect(key, { meta, filledMs });
}
