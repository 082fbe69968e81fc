/** What the fills of an order do to its position, though no push or list has shown the position yet. */
import { Decimal } from "../../core/decimal.ts";
import { otherSide, positionKeyOf } from "../../domain/position.ts";
import type { OrderChange, Tracked } from "../books/order-tracker.ts";
import { promisedNotBefore } from "../books/tracked.ts";
import type { PositionFill } from "../positions/position-fills.ts";
import type { Growth } from "../positions/position-growth.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { expectPosition, reportPlan } from "./position-plan.ts";
import { reportPosition, reportRecord } from "./report-position.ts";
import { showFills, showFillsUntil } from "./shown-fills.ts";

/** An update of an order reported more fills: what they open is held from now on, and what they close is gone. */
export function fillPosition(state: AgentState, change: OrderChange, at: At): void {
  const { tracked } = change;
  // Fills that have been counted already may be of a position that is over: they say nothing of the next.
  const isNew = tracked.order.executedQty.gt(state.growths.total(tracked.order.orderId));
  const planned = isNew ? expectPosition(state, tracked, tracked.filledMs) : null;
  if (!moveByOrder(state, change, at)) reportPlan(state, planned, at);
}

/** Returns whether a row about its position says so. */
function moveByOrder(state: AgentState, { tracked }: OrderChange, at: At): boolean {
  const { order, symbol, leg, filledMs } = tracked;
  // Of an order of ours its intent says when it was made at the earliest, of another one the venue's record.
  const isOfIntent = tracked.decisionId !== null;
  const promisedMs = isOfIntent ? promisedNotBefore(state.venueTime, tracked) : order.createdAtMs;
  // A record that only prices what had filled is from later.
  const filled = { sinceMs: Math.max(tracked.countedMs, promisedMs), madeMs: filledMs };
  // An order says how much it has filled, and not when. Where a record of the position may show a part of it already, or it may
  // have closed the position before this one, its fills or the next list decide.
  const key = positionKeyOf(symbol, leg);
  if (order.orderId) reverseByOrder(state, tracked, filled, at);
  if (!order.orderId || state.positions.mayInclude(key, filled)) return false;
  if (!tracked.opening && state.positions.beganBetween(key, filled)) {
    state.reads.wantAccount();
    return false;
  }
  // Without a price it opens nothing yet: a fill or a later record says what was paid.
  if (tracked.opening && !order.avgPrice.gt(0)) return false;
  tracked.countedMs = Math.max(tracked.countedMs, filled.madeMs);
  if (!tracked.opening) {
    takeFromPosition(state, tracked, { atMs: filled.madeMs, heardMs: at.nowMs });
    return false;
  }
  const qty = state.growths.order(order.orderId, order.executedQty, filledMs);
  return growPosition(state, tracked, { qty, price: order.avgPrice, ...filled }, at);
}

/** The quantity that a closing order filled leaves its position, even if the pushes of the fill and the position are lost. */
function takeFromPosition(
  state: AgentState,
  { ours, symbol, leg: positionSide, order, filledMs }: Tracked,
  fill: PositionFill,
): void {
  const key = positionKeyOf(symbol, positionSide);
  // A position that is only missing from a list may come back, unless the order that closed it is surely ours.
  if (!state.positions.get(key) && !ours && !state.ownCloses.named(order.orderId)) return;
  const taken = state.reductions.order(order.orderId, order.executedQty, filledMs);
  // A list from before it shows the position as it was.
  if (taken.gt(0)) state.positions.filled(key, fill);
  if (taken.gt(0) && state.positions.took(key, taken, fill)) state.reads.wantAccount();
}

/**
 * What an opening order has filled is held from now on: no push and no list of the position is waited for. Of somebody else's
 * order it counts where the order names its side; in one-way mode it may have closed something. Returns whether a row says so.
 */
export function growPosition(
  state: AgentState,
  tracked: Tracked,
  filled: Omit<Growth, "symbol" | "side" | "ofThisRun">,
  at: At,
): boolean {
  const { symbol, leg: side, ours, order, promised, promisedAtMs } = tracked;
  if ((!ours && order.positionSide === "NONE") || !filled.qty.gt(0) || !filled.price.gt(0)) return false;
  const ofThisRun = promised && promisedAtMs >= state.startedAtMs;
  const grown = state.positions.grew({ symbol, side, ...filled, ofThisRun }, at.nowMs);
  if (grown === null) return false;
  if (grown === "included") {
    // How much of an order a record includes is known by the times of the record and of what the order filled.
    showFillsUntil(state, { symbol, side }, filled.madeMs, at);
    reportRecord(state, positionKeyOf(symbol, side), at);
    showFills(tracked, state.growths.until(order.orderId, filled.madeMs), at.out);
    return false;
  }
  // Its fills may come before the order that reports them, and a list may have settled them.
  const known = Decimal.max(order.executedQty, state.growths.total(order.orderId));
  showFills(tracked, Decimal.min(tracked.settledQty.add(filled.qty), known), at.out);
  for (const change of grown) reportPosition(state, change, at);
  return grown.length > 0;
}

/** An order that names no side is one of a one-way account: what it opens has first closed what the other side held. */
export const isReversing = ({ opening, order }: Tracked): boolean => opening && order.positionSide === "NONE";

/** The other side is less by what the order is newly known to have filled. */
export function reversePosition(state: AgentState, { symbol, leg }: Tracked, qty: Decimal, fill: PositionFill): void {
  const key = positionKeyOf(symbol, otherSide(leg));
  if (qty.gt(0) && state.positions.get(key)) state.positions.filled(key, fill);
  if (state.positions.reversed(key, qty, fill)) state.reads.wantAccount();
}

function reverseByOrder(
  state: AgentState,
  tracked: Tracked,
  filled: Pick<Growth, "sinceMs" | "madeMs">,
  { nowMs }: At,
): void {
  const { order, symbol, leg, filledMs } = tracked;
  const key = positionKeyOf(symbol, otherSide(leg));
  if (!isReversing(tracked) || !state.positions.get(key)) return;
  if (state.positions.mayInclude(key, filled) || state.positions.beganBetween(key, filled))
    return state.reads.wantAccount();
  const qty = state.reductions.order(order.orderId, order.executedQty, filledMs);
  reversePosition(state, tracked, qty, { atMs: filled.madeMs, heardMs: nowMs });
}
