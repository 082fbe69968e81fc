/**
 * Cancels orders. External orders on the account stay unless the owner asks for all or the equity guard acts. An
 * accepted cancel does not end an order: the push or a look-up reports the end. Spec: 1 §3.1.
 */
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { isKnownById } from "../books/tracked.ts";
import type { Whose } from "../contract/settings.ts";
import type { AgentState } from "../state/state.ts";
import { orderRow } from "../../rows/order.ts";
import { counted } from "../../core/words.ts";

/** If an answered cancel has not ended the order after this time, it is sent again. */
const CANCEL_AGAIN_MS = 10_000;

/**
 * Does nothing for somebody else's order unless `whose` is "all", while an earlier cancel is still on its way (it may wait
 * long for its turn), or within 10 s of an answered one. If the venue is not known to have the order, the intended cancel is
 * remembered: the order is no longer sent, and if it was sent already it is withdrawn as soon as it is found. `why` goes
 * into the journal.
 */
export function cancelOrder(
  state: AgentState,
  clientOrderId: string,
  { nowMs, out, why, whose = "own" }: At & { readonly why: string; readonly whose?: Whose },
): void {
  const tracked = state.orders.get(clientOrderId);
  if (tracked && !tracked.ours && whose !== "all") return;
  if (tracked && tracked.fate !== "known") tracked.unwanted = true;
  if (tracked?.fate !== "known" || tracked.cancelWaits) return;
  if (tracked.cancelAskedMs !== null && nowMs - tracked.cancelAskedMs < CANCEL_AGAIN_MS) return;
  tracked.cancelAskedMs = nowMs;
  tracked.cancelWaits = true;
  out.record(orderRow({ cancel: clientOrderId, why }), tracked.decisionId);
  const { order, decisionId } = tracked;
  out.ask({ kind: "cancel", known: order, decisionId, ...(isKnownById(tracked) ? { orderId: order.orderId } : {}) });
}

/** Cancels orders that could still open a position. Returns their client order ids. */
export function withdrawOpenings(
  state: AgentState,
  { whose = state.settings.execution.withdraws, ...at }: At & { readonly why: string; readonly whose?: Whose },
): readonly string[] {
  const opening = state.orders.live().filter((tracked) => tracked.opening && (tracked.ours || whose === "all"));
  for (const { clientOrderId } of opening) cancelOrder(state, clientOrderId, { ...at, whose });
  return opening.map((tracked) => tracked.clientOrderId);
}

/** How many orders of others stay when opening orders are withdrawn, as words for the log; empty for none. */
export function othersStay(state: AgentState, whose: Whose = state.settings.execution.withdraws): string {
  const count = state.orders.live().filter((tracked) => !tracked.ours && !(whose === "all" && tracked.opening)).length;
  return count === 0 ? "" : `; ${counted(count, "open order of others stays", "open orders of others stay")}`;
}

/**
 * Orders that should have ended and are still live: their cancel was refused, never sent, or accepted without effect.
 * Fault V3.
 */
export function repeatCancels(state: AgentState, at: At): void {
  for (const { clientOrderId, cancelAskedMs, unwanted } of state.orders.live()) {
    if (cancelAskedMs !== null)
      cancelOrder(state, clientOrderId, { ...at, why: "the previous cancel has not ended it", whose: "all" });
    else if (unwanted) cancelOrder(state, clientOrderId, { ...at, why: "it was withdrawn before the venue had it" });
  }
}

/** The venue has answered a cancel. */
export function onCancelSent(
  state: AgentState,
  event: Extract<AgentEvent, { kind: "cancel-sent" }>,
  { out }: At,
): void {
  const tracked = state.orders.get(event.clientOrderId);
  if (!tracked || tracked.fate === "ended") return;
  tracked.cancelWaits = false;
  tracked.cancelAskedMs = event.atMs;
  // Acceptance is not the end: the push or a look-up reports the terminal state. Spec: 1 §3.1.
  state.orders.lookUpLater(tracked, event.atMs, 1_000);
  if (event.sent.kind !== "done")
    out.log("warn", "order.unknown", `cancel of ${event.clientOrderId}: ${event.sent.kind}: ${event.sent.message}`);
}
