/**
 * What became of an amendment. Until the venue's record reports it, the order counts as the larger of both; an answer that
 * does not come is read back, never sent again. Spec: 1 §4.2; records §5.2.
 */
import { isTerminal, readOrderState } from "../../domain/order.ts";
import { type Amending, amendHolds, isOver } from "../books/amending.ts";
import type { At, Outbox } from "../contract/effects.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentState } from "../state/state.ts";
import { type AmendEnd, intentRow } from "../../rows/intent.ts";

/** Look-ups that show the order as it was, and the time they must span, before an amendment counts as never made. */
const UNMADE_AFTER_READS = 4;
const UNMADE_AFTER_MS = 30_000;

/** The reply to an amendment. Acceptance is not the change: the order's own record says that. */
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
      endAmend(tracked, amend, { how: "refused", code: sent.code, message: sent.message }, out);
      if (isOver(sent)) state.orders.lookUpLater(tracked, nowMs, 0);
      else state.staleRules.refused(tracked.symbol, sent, { nowMs, out });
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

/** What an update of the order says about an amendment: it holds, or it ended with its order. */
export function reportAmend(tracked: Tracked, amend: Amending, out: Outbox): void {
  const { orderId, qty, limitPrice, state } = tracked.order;
  const how = isTerminal(state) && !amendHolds({ order: tracked.order, amend }) ? "order-ended" : "amended";
  endAmend(tracked, amend, { how, orderId, state, qty, price: limitPrice }, out);
}

/** A look-up showed the order as it was. Often enough and for long enough, and the change was never made. */
export function lookedUnchanged(tracked: Tracked, { nowMs, out }: At): void {
  const { amend } = tracked;
  if (!amend || amend.fate === "promised" || tracked.fate !== "known") return;
  if (amend.reads === 0) amend.firstReadMs = nowMs;
  amend.reads += 1;
  const spreadMs = Math.round(nowMs - amend.firstReadMs);
  if (amend.reads < UNMADE_AFTER_READS || spreadMs < UNMADE_AFTER_MS) return;
  endAmend(tracked, amend, { how: "absent", reads: amend.reads, spreadMs }, out);
}
