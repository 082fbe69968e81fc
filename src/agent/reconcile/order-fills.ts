/** What the fills of an order do to its position, though no push or list has shown the position yet. */
import type { Decimal } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { OrderChange, Tracked } from "../books/order-tracker.ts";
import { saferThan } from "../books/trailing.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { reportPosition } from "./report-position.ts";

/** An update of an order reported more fills: what they open is held from now on, and what they close is gone. */
export function fillPosition(state: AgentState, { tracked, madeMs: filledMs }: OrderChange, at: At): void {
  const { order } = tracked;
  expectPosition(state, tracked);
  // Of an order that is filled in part only its fills say when: a position that is held may show them already.
  const dated = order.state === "FILLED" || !state.positions.get(positionKeyOf(tracked.symbol, tracked.leg));
  if (tracked.opening && order.orderId && dated) {
    const qty = state.growths.order(order.orderId, order.executedQty);
    growPosition(state, tracked, { qty, price: order.avgPrice, madeMs: Math.min(at.nowMs, filledMs) }, at);
  }
  takeFromPosition(state, tracked, at.nowMs);
}

/** The quantity that a closing order filled leaves its position, even if the pushes of the fill and the position are lost. */
function takeFromPosition(
  state: AgentState,
  { opening, ours, symbol, leg: positionSide, order }: Tracked,
  nowMs: number,
): void {
  const key = positionKeyOf(symbol, positionSide);
  if (opening || !order.orderId) return;
  // A position that is only missing from a list may come back, unless the order that closed it is surely ours.
  if (!state.positions.get(key) && !ours && !state.ownCloses.named(order.orderId)) return;
  const taken = state.reductions.order(order.orderId, order.executedQty);
  if (taken.gt(0) && state.positions.took(key, taken, { atMs: nowMs, heardMs: nowMs })) state.reads.wantAccount();
}

/**
 * What an opening order has filled is held from now on: no push and no list of the position is waited for. Of somebody else's
 * order it counts where the order names its side; in one-way mode it may have closed something.
 */
export function growPosition(
  state: AgentState,
  tracked: Tracked,
  { qty, price, madeMs }: { readonly qty: Decimal; readonly price: Decimal; readonly madeMs: number },
  at: At,
): void {
  const { symbol, leg: side, ours, order } = tracked;
  if ((!ours && order.positionSide === "NONE") || !qty.gt(0) || !price.gt(0)) return;
  const changes = state.positions.grew({ symbol, side, qty, price, madeMs }, at.nowMs);
  if (changes.length === 0) return;
  tracked.settledQty = tracked.settledQty.add(qty);
  for (const change of changes) reportPosition(state, change, at);
}

/** A fill of an opening order: the position inherits the stop and target of the draft it came from. */
export function expectPosition(state: AgentState, tracked: Tracked): void {
  if (!tracked.opening || !tracked.stopPrice) return;
  const key = positionKeyOf(tracked.symbol, tracked.leg);
  const held = state.positions.get(key);
  const standing = held?.meta.stopPrice ?? null;
  // Adding to a position never moves its stop away from safety.
  if (standing !== null && saferThan(tracked.leg, standing, tracked.stopPrice)) return;
  const promised = state.theses.get(tracked.clientOrderId);
  state.positions.expect(key, {
    decisionId: tracked.decisionId,
    strategy: promised?.strategy ?? held?.meta.strategy ?? null,
    thesis: promised?.reason ?? null,
    basis: promised?.basis ?? "none",
    stopPrice: tracked.stopPrice,
    promisedStop: tracked.stopPrice,
    targetPrice: tracked.targetPrice,
    openedAtMs: tracked.promisedAtMs,
    ...(promised?.trail ? { trail: promised.trail } : {}),
  });
}
