/** Carries a handover out: withdraws what an earlier strategy would still open, closes what was not handed over. */
import type { At } from "../contract/effects.ts";
import { cancelOrder } from "../reconcile/cancel-order.ts";
import { closeHeld } from "../protect/handle-protection.ts";
import { handoverAt } from "../contract/handover.ts";
import type { AgentState } from "../state/state.ts";

/** On every tick: what is to be closed is closed again until it is gone, an order whose fate came late is withdrawn. */
export function keepHandover(state: AgentState, at: At): void {
  const { deciding } = state;
  deciding.handover = handoverAt(deciding.handover, at.nowMs);
  const { closeBeforeMs, voidBeforeMs } = deciding.handover;
  if (closeBeforeMs === -Infinity && voidBeforeMs === -Infinity) return;
  for (const held of state.positions.all()) {
    if (held.meta.openedAtMs <= closeBeforeMs)
      closeHeld(state, held, { ...at, why: "handover to another strategy", cause: "handover" });
  }
  for (const tracked of state.orders.live()) {
    if (tracked.opening && tracked.ours && tracked.promisedAtMs <= voidBeforeMs && tracked.fate === "known")
      cancelOrder(state, tracked.clientOrderId, { ...at, why: "handover" });
  }
}
