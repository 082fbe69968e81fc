/** Closes positions at the market: for a decision, at a target price that does not stand at the venue, and all of them near the floor. */
import { toWire } from "../../core/decimal.ts";
import type { ExitCause } from "../../domain/closed-trade.ts";
import { otherSide, positionKeyOf } from "../../domain/position.ts";
import type { At } from "../contract/effects.ts";
import { isClosing, isTaken, type HeldPosition } from "../positions/held-position.ts";
import { awaitsTarget } from "../positions/held-stop.ts";
import { predictClose } from "../view/measure-costs.ts";
import { venueNotBefore } from "../../domain/venue-time.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { freshMark } from "../state/worth.ts";
import { orderRow } from "../../rows/order.ts";
import { OPERATOR_FLATTENS } from "../reconcile/handle-hold.ts";
import { withdrawOpenings } from "../reconcile/cancel-order.ts";
import { floorRow } from "../../rows/floor.ts";

const isSure = (held: HeldPosition): boolean => !isTaken(held) && held.unsureSinceMs === null;

/**
 * Why that position must not be closed now: in one-way mode a close names only the symbol, so that it would close the opposite
 * position if this one has reversed. Null if it may. Asked for again just before the close leaves.
 */
export function recheckClose(
  state: AgentState,
  { symbol, side }: { readonly symbol: string; readonly side: "LONG" | "SHORT" },
): string | null {
  if (isHedged(state, symbol)) return null;
  const held = state.positions.get(positionKeyOf(symbol, side));
  const opposite = state.positions.get(positionKeyOf(symbol, otherSide(side)));
  const hasReversed = opposite !== undefined && isSure(opposite) && (!held || !isSure(held));
  return hasReversed ? `${symbol} has reversed from ${side} to ${opposite.side}` : null;
}

/** Requests a market close of the position. A repeat is harmless: the venue answers 401097 once nothing is left. */
export function closeHeld(
  state: AgentState,
  held: HeldPosition,
  at: At & { why: string; cause?: ExitCause; decisionId?: string },
): void {
  if (isClosing(held, at.nowMs) || recheckClose(state, held) !== null) return;
  held.closeAskedMs = at.nowMs;
  const notBeforeMs = venueNotBefore(state.venueTime, at.nowMs);
  state.ownCloses.asked(held.key, at.nowMs, notBeforeMs);
  state.trades.ending(held.key, at.why, at.cause ?? "decision");
  const decisionId = at.decisionId ?? held.meta.decisionId;
  const predicted = predictClose(state, held, decisionId, at.nowMs);
  at.out.record(
    orderRow({ close: held.key, why: at.why, qty: held.position.qty, notBeforeMs, ...(predicted && { predicted }) }),
    decisionId,
  );
  at.out.log("info", "order.submitted", `closing ${held.symbol} ${held.side}: ${at.why}`, {
    leg: held.key,
    ...(decisionId ? { decision: decisionId } : {}),
  });
  at.out.ask({ kind: "close", known: held.position, hedgeMode: isHedged(state, held.symbol), decisionId });
}

/** Targets that do not stand at the venue, or stand further away there, are compared with the marks here. */
export function watchTargets(state: AgentState, at: At): void {
  for (const held of state.positions.all()) {
    const target = held.meta.targetPrice;
    if (!target || !awaitsTarget(held)) continue;
    const mark = freshMark(state, held.symbol, at.nowMs);
    if (!mark) continue;
    if (held.side === "LONG" ? mark.gte(target) : mark.lte(target))
      closeHeld(state, held, { ...at, why: `the target ${toWire(target)} is reached`, cause: "target" });
  }
}

/**
 * Closes every position and cancels every opening order; then the ladder stays at HALT until an operator resumes.
 * External opening orders are cancelled too: one that fills after the flattening could take the account below the
 * floor.
 */
export function flatten(state: AgentState, at: At): void {
  const asked = state.floorReason === OPERATOR_FLATTENS;
  const why = asked ? OPERATOR_FLATTENS : "the floor is near";
  withdrawOpenings(state, { ...at, why, whose: "all" });
  for (const held of state.positions.all()) closeHeld(state, held, { ...at, why, cause: asked ? "operator" : "floor" });
  if (state.floor === "HALT" || state.positions.all().length > 0 || state.orders.live().length > 0) return;
  // A later list may bring back a missing position, or show what our order has filled: a halt would let it stand.
  if (state.positions.missingOnes().length > 0 || state.orders.unsettled().length > 0) return;
  state.floor = "HALT";
  state.floorReason = `${asked ? "flattened by the operator" : "flattened near the floor"}; \`ballast resume\` after you have looked`;
  at.out.record(floorRow({ from: "FLATTEN", to: "HALT", reason: state.floorReason }));
  at.out.log("warn", "floor.changed", "FLATTEN to HALT: everything is closed", {});
}
