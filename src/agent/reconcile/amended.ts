/**
 * The outcome of an amendment. Until the venue's order record shows the change, the order counts as the larger of both
 * sizes. If no answer arrives, or a refusal, the order is read back; the amendment is never sent again. Spec: 1 §4.2;
 * records §5.2.
 */
import { isTerminal, readOrderState } from "../../domain/order.ts";
import { type Amending, amendHolds, isOver } from "../books/amending.ts";
import { isNeverMade } from "../books/order-evidence.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentState } from "../state/state.ts";
import { type AmendEnd, intentRow } from "../../rows/intent.ts";

/** The reply to an amendment. Acceptance does not mean that the change was made: only the order's own record shows that. */
export function onOrderAmended(
  state: AgentState,
  { clientOrderId, intentId, sent }: Extract<AgentEvent, { kind: "amend-sent" }>,
  { nowMs, out }: At,
): void {
  const tracked = state.orders.get(clientOrderId);
  const amend = tracked?.amend;
  if (!tracked || amend?.intentId !== intentId) return;
  switch (sent.kind) {
    case "done":
      amend.fate = "accepted";
      // A reply that says CANCELLED or REJECTED means that the order itself is gone. Records §5.2.
      state.orders.lookUpLater(tracked, nowMs, isTerminal(readOrderState(sent.value.state)) ? 0 : 1_000);
      break;
    case "unknown":
      amend.fate = "unknown";
      state.orders.lookUpLater(tracked, nowMs, 500);
      break;
    case "rejected":
      // An intermediary may have repeated the request, and this answers the second copy: the first one may have changed the order,
      // and only its record says so. Fault R3.
      amend.fate = "unknown";
      amend.refused = { code: sent.code, message: sent.message };
      state.orders.lookUpLater(tracked, nowMs, 0);
      if (!isOver(sent)) state.staleRules.refused(tracked.symbol, sent, { nowMs, out });
      break;
    default:
      endAmend(tracked, amend, { how: "not-sent", reason: `${sent.kind}: ${sent.message}` }, out);
  }
}

function endAmend(tracked: Tracked, { intentId }: Amending, end: AmendEnd, out: Outbox): void {
  if (tracked.amend?.intentId === intentId) tracked.amend = null;
  const { clientOrderId, decisionId } = tracked;
  out.record(intentRow({ event: "amend-end", intentId, clientOrderId, ...end }), decisionId);
}

/** Reports what an update of the order shows about an amendment: it took effect, or it ended with its order. */
export function reportAmend(tracked: Tracked, amend: Amending, out: Outbox): void {
  const { orderId, qty, limitPrice, state } = tracked.order;
  const how = isTerminal(state) && !amendHolds({ order: tracked.order, amend }) ? "order-ended" : "amended";
  endAmend(tracked, amend, { how, orderId, state, qty, price: limitPrice }, out);
}

/** A look-up showed the order unchanged. After enough of these over enough time, the amendment counts as never made. */
export function lookedUnchanged(tracked: Tracked, { nowMs, out }: At): void {
  const { amend } = tracked;
  if (!amend || amend.fate === "promised" || tracked.fate !== "known") return;
  if (amend.reads === 0) amend.firstReadMs = nowMs;
  amend.reads += 1;
  if (!isNeverMade(amend.reads, amend.firstReadMs, nowMs)) return;
  const spreadMs = Math.round(nowMs - amend.firstReadMs);
  const absent = { how: "absent", reads: amend.reads, spreadMs } as const;
  endAmend(tracked, amend, amend.refused ? { how: "refused", ...amend.refused } : absent, out);
}
