/** An order has filled: the plan of its position, and the row that a later run reads it in. */
import { positionKeyOf } from "../../domain/position.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { At } from "../contract/effects.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import { planPosition } from "../state/plans.ts";
import type { AgentState } from "../state/state.ts";
import { reportPosition } from "./report-position.ts";

/** Of an opening order that filled by `filledMs`, the venue's time. Returns the position whose plan is another one since. */
export function expectPosition(state: AgentState, tracked: Tracked, filledMs: number): HeldPosition | null {
  const key = positionKeyOf(tracked.symbol, tracked.leg);
  const before = state.positions.get(key)?.meta;
  planPosition(state, tracked, filledMs);
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
