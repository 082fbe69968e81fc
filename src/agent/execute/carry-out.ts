/** Turns the targets of a decision into actions: close, cancel, amend, reduce, or begin to open. */
import { quantize } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { cancelOrder } from "../reconcile/cancel-order.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { amendOrder } from "./amend-order.ts";
import { mayAmend } from "../books/amending.ts";
import { beginEntry, bestOf, reaffirm, sceneOf, sliceOf } from "./parent-orders.ts";
import { AT_TARGET, type Plan, planTargets } from "./planner.ts";
import { leftAfterReductions } from "./pending-reductions.ts";
import { beginsPosition, deciderOf, reviewDraft } from "./review-draft.ts";
import { riskViewOf } from "../view/risk-view.ts";
import { type AgentState, isHedged, nextId } from "../state/state.ts";
import { quoteOf } from "../state/worth.ts";
import { dropOvertaken, dropRest } from "./work-entries.ts";
import { verdictRow } from "../../rows/verdict.ts";
import { HOUR_MS } from "../../core/time.ts";
import { closeHeld } from "../protect/close-held.ts";

/** Everything that the targets ask for, risk-reducing actions first; refusals are reported with figures. */
export function carryOut(
  state: AgentState,
  decisionId: string,
  targets: readonly TargetPosition[],
  { nowMs, out }: At,
): void {
  const view = riskViewOf(state, nowMs);
  if (!view) return;
  for (const target of targets) dropOvertaken(state, target, { nowMs, out });
  const plans = planTargets(targets, {
    nowMs,
    settings: state.settings,
    equityUsdt: view.equityUsdt,
    isHedged: (symbol) => isHedged(state, symbol),
    positions: state.positions.all(),
    live: state.orders.live(),
    rules: (symbol) => state.rules.get(symbol),
    quote: (symbol) => quoteOf(state, symbol, nowMs),
    lastClosedMs: (key) => state.positions.lastClosedMs(key),
    left: (held) => leftAfterReductions(state, held),
    nextId: () => nextId(state, "i"),
  });
  for (const plan of plans) carryOutOne(state, decisionId, plan, { nowMs, out });
}

function carryOutOne(state: AgentState, decisionId: string, plan: Plan, { nowMs, out }: At): void {
  switch (plan.kind) {
    case "close":
      dropRest(state, plan.held.key, { nowMs, out });
      closeHeld(state, plan.held, { nowMs, out, why: plan.reason, decisionId });
      break;
    case "cancel":
      cancelOrder(state, plan.tracked.clientOrderId, { nowMs, out, why: plan.reason });
      break;
    case "skip":
      dropRest(state, positionKeyOf(plan.target.symbol, plan.target.leg), { nowMs, out });
      skip(plan.target, plan.reason, { decisionId, out });
      break;
    case "draft":
      if (plan.opening) {
        begin(state, decisionId, plan, { nowMs, out });
        break;
      }
      dropRest(state, positionKeyOf(plan.target.symbol, plan.target.leg), { nowMs, out });
      reviewDraft(
        state,
        { decisionId, decidedAtMs: nowMs, decidedBy: deciderOf(state), ...plan, part: null },
        { nowMs, out },
      );
      break;
    case "settled":
      for (const child of plan.coming) reaffirm(state, decisionId, { target: plan.target, child }, { nowMs, out });
      skip(plan.target, AT_TARGET, { decisionId, out });
      break;
    case "resize":
      resize(state, decisionId, plan, { nowMs, out });
      break;
  }
}

function begin(state: AgentState, decisionId: string, plan: Extract<Plan, { kind: "draft" }>, at: At): void {
  if (beginsPosition(state, plan.target) && entriesLeft(state, at.nowMs) <= 0)
    return skip(plan.target, paceText(state), { decisionId, out: at.out });
  beginEntry(state, { decisionId, ...plan }, at);
}

function skip(target: TargetPosition, reason: string, { decisionId, out }: { decisionId: string; out: Outbox }): void {
  out.record(verdictRow({ symbol: target.symbol, leg: target.leg, skipped: reason }), decisionId);
  out.log("debug", "review.verdict", `${target.symbol} ${target.leg}: ${reason}`, { decision: decisionId });
}

/**
 * The open order should have another size. A resting order is amended at the present best price: one write in place of
 * two. What exceeds the visible depth is left to later slices; an order that cannot be made smaller is withdrawn, and one
 * that cannot be made larger stays as it is.
 */
function resize(
  state: AgentState,
  decisionId: string,
  { target, tracked, qty }: Extract<Plan, { kind: "resize" }>,
  at: At,
): void {
  const larger = qty.gt(tracked.order.qty);
  const parent = reaffirm(state, decisionId, { target, child: tracked }, at);
  const scene = sceneOf(state, target.symbol, at.nowMs);
  if (!mayAmend(tracked) || !parent || !scene) {
    if (!larger) cancelOrder(state, tracked.clientOrderId, { ...at, why: "the target is smaller than the open order" });
    return skip(target, "an order is on its way", { decisionId, out: at.out });
  }
  const take = parent.style === "cross";
  const added = qty.sub(tracked.order.qty);
  const sliced = larger && sliceOf(state, target, { left: added, scene, take, nowMs: at.nowMs }).lt(added);
  parent.totalQty = parent.filledQty.add(qty);
  if (take || sliced) return skip(target, "the order on its way goes first", { decisionId, out: at.out });
  const price = quantize(bestOf(target, scene.quote, false), scene.rules.tickSize, "nearest");
  const change = { price, qty, decisionId, decidedAtMs: at.nowMs, reason: target.reason };
  const amended = amendOrder(state, tracked, change, at);
  if (amended !== "promised") parent.totalQty = parent.filledQty.add(tracked.order.qty);
  if (amended !== "promised" && !larger)
    cancelOrder(state, tracked.clientOrderId, { ...at, why: "the target is smaller than the open order" });
}

/** How many new positions may begin now; Infinity if `openingsPerHour` is not set. */
export function entriesLeft({ entriesMs, settings }: AgentState, nowMs: number): number {
  const { openingsPerHour } = settings.cadence;
  if (openingsPerHour === undefined) return Infinity;
  return Math.max(0, openingsPerHour - entriesMs.filter((atMs) => nowMs - atMs < HOUR_MS).length);
}

/** Why no further position begins. */
export const paceText = ({ settings }: AgentState): string =>
  `${settings.cadence.openingsPerHour ?? 0} new positions have begun within the hour, as many as cadence.openingsPerHour allows`;
