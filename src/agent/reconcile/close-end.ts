/** The end of a close: it filled, or the venue refused or cancelled it and the position is still held. Faults V2, V6. */
import { sideClosedBy, type Order } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { At } from "../contract/effects.ts";
import { CLOSE_ENDS_WITHIN_MS, isClosing, isTaken, type HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { reportPosition } from "./report-position.ts";

/** A close that had no effect may be requested again after this time; a missing stop is placed first. */
const AGAIN_MS = 2_000;

/** The close provably had no effect. Faults D1, D8. */
export function letCloseAgain(held: HeldPosition, nowMs: number): void {
  held.closeAskedMs = nowMs - CLOSE_ENDS_WITHIN_MS + AGAIN_MS;
}

/** Stop placements alternate with refused closes, but leave the last of their slots to other positions. */
const KEPT_FOR_OTHERS = 1;

/**
 * The venue refuses to close it, takes no request now, or has not answered: a position without a stop gets time for one before the
 * next close request.
 */
export function onCloseRefused({ stopSlots }: AgentState, held: HeldPosition, nowMs: number): void {
  if (stopSlots.left(nowMs) > KEPT_FOR_OTHERS) held.missedMs = (held.closeAskedMs ?? nowMs) + CLOSE_ENDS_WITHIN_MS;
}

/** Nothing is left of what was held when the close was requested that this order carried out. */
function reportClosed(state: AgentState, held: HeldPosition, orderId: string, at: At): void {
  const change = state.positions.closed(held.key, state.ownCloses.carriesOutMs(orderId), at.nowMs);
  if (change) reportPosition(state, change, at);
}

/** If that order carries out a close of ours, or no reply names it and it may, and fills have taken all, the position is over. */
export function onCloseFilled(state: AgentState, orderId: string, positionKey: string, at: At): void {
  const held = state.positions.get(positionKey);
  if (held && isTaken(held)) reportClosed(state, held, orderId, at);
}

/**
 * An order has ended. If it was to carry out a close of ours: where it filled, the position is over; where it filled nothing,
 * there is time to place a stop again.
 */
export function onCloseEnded(state: AgentState, ended: Order, at: At): void {
  const { orderId, symbol, side, executedQty } = ended;
  const key = positionKeyOf(symbol, sideClosedBy(side));
  if (executedQty.gt(0)) onCloseFilled(state, orderId, key, at);
  const held = state.positions.get(key);
  if (!held || !state.ownCloses.named(orderId)) return;
  if (ended.state === "FILLED") reportClosed(state, held, orderId, at);
  if (executedQty.gt(0) || !isClosing(held, at.nowMs)) return;
  letCloseAgain(held, at.nowMs);
  held.missedMs = at.nowMs + AGAIN_MS;
}
