/** The lowest rung of the floor ladder: everything is given up. Spec: 3 §8. */
import { OPERATOR_FLATTENS } from "../reconcile/handle-hold.ts";
import { withdrawOpenings } from "../reconcile/cancel-order.ts";
import type { At } from "../contract/effects.ts";
import { closeHeld } from "./handle-protection.ts";
import type { AgentState } from "../state/state.ts";
import { floorRow } from "../../rows/floor.ts";

/**
 * Closes every position and withdraws every opening order; then the ladder rests at HALT until an operator resumes. Other
 * people's opening orders go too: one that fills after the flattening could take the account below the floor.
 */
export function flatten(state: AgentState, at: At): void {
  const asked = state.floorReason === OPERATOR_FLATTENS;
  const why = asked ? OPERATOR_FLATTENS : "the floor is near";
  withdrawOpenings(state, { ...at, why, whose: "all" });
  for (const held of state.positions.all()) closeHeld(state, held, { ...at, why, cause: asked ? "operator" : "floor" });
  if (state.floor === "HALT" || state.positions.all().length > 0 || state.orders.live().length > 0) return;
  // A later list may bring back a missing position, or show what our order has filled: a halt would let it stand.
  if (state.positions.anyMissing(at.nowMs) || state.orders.unsettled().length > 0) return;
  state.floor = "HALT";
  state.floorReason = `${asked ? "flattened by the operator" : "flattened near the floor"}; \`ballast resume\` after you have looked`;
  at.out.record(floorRow({ from: "FLATTEN", to: "HALT", reason: state.floorReason }));
  at.out.log("warn", "floor.changed", "FLATTEN to HALT: everything is closed", {});
}
