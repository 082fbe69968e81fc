/** Records that orders are not ours, once it is clear whose they are. Fault U5; invariant I3. */
import type { At, Outbox } from "../contract/effects.ts";
import type { ExternalOrder } from "../books/own-closes.ts";
import type { AgentState } from "../state/state.ts";
import { reconcileRow } from "../../rows/reconcile.ts";

/** Records that an order is not ours, unless it carries out a close of ours. */
export function tagExternalOrder(state: AgentState, externalOrder: ExternalOrder, { nowMs, out }: At): void {
  if (state.ownCloses.whose(externalOrder, nowMs) !== "theirs") return;
  tag(externalOrder, out);
}

/** On every tick and after each reply to a close: tags those that waited for a reply that did not name them. */
export function tagOverdue(state: AgentState, { nowMs, out }: At): void {
  for (const externalOrder of state.ownCloses.due(nowMs)) tag(externalOrder, out);
}

const tag = ({ orderId, clientOrderId, symbol }: ExternalOrder, out: Outbox): void =>
  out.record(reconcileRow({ event: "external-order", orderId, clientOrderId, symbol }));
