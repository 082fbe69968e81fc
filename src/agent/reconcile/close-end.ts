/** The end of a close: it filled, or the venue refused or cancelled it and the position is still held. Faults V2, V6. */
import { sideClosedBy, type Order } from "../../domain/order.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { CLOSE_ENDS_WITHIN_MS, isClosing, type HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";

/** A close that had no effect may be requested again after this time; a missing stop is placed first. */
const AGAIN_MS = 2_000;

/** The close provably had no effect. Faults D1, D8. */
export function letCloseAgain(held: HeldPosition, nowMs: number): void {
  held.closeAskedMs = nowMs - CLOSE_ENDS_WITHIN_MS + AGAIN_MS;
}

/** Stop placements alternate with refused closes, but leave the last of their slots to other positions. */
const KEPT_FOR_OTHERS = 1;

/** The venue refuses to close it: a position without a stop gets time for one before the next close request. */
export function onCloseRefused({ stopSlots }: AgentState, held: HeldPosition, nowMs: number): void {
  if (stopSlots.left(nowMs) > KEPT_FOR_OTHERS) held.missedMs = (held.closeAskedMs ?? nowMs) + CLOSE_ENDS_WITHIN_MS;
}

/**
 * An order has ended. If it was to carry out a close of ours: where it filled, nothing is left of what was held when that close
 * was requested; where it filled nothing, there is time to place a stop again.
 */
export function onCloseEnded(
  { ownCloses, positions, reads }: AgentState,
  { orderId, symbol, side, state, executedQty }: Order,
  nowMs: number,
): void {
  const held = positions.get(positionKeyOf(symbol, sideClosedBy(side)));
  if (!held || !ownCloses.named(orderId)) return;
  if (state === "FILLED" && positions.tookAll(held.key, ownCloses.namedMs(orderId), nowMs)) reads.wantAccount();
  if (executedQty.gt(0) || !isClosing(held, nowMs)) return;
  letCloseAgain(held, nowMs);
  held.missedMs = nowMs + AGAIN_MS;
}
