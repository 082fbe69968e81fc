/** Orders that are not ours are written down as such, once it is plain whose they are. Fault U5; invariant I3. */
import type { At, Outbox } from "../contract/effects.ts";
import type { ExternalOrder } from "../books/own-closes.ts";
import type { AgentState } from "../state/state.ts";
import { reconcileRow } from "../../rows/reconcile.ts";

/** Writes down that an order is not ours, unless it is the one that carries out a close of ours. */
export function tagExternalOrder(state: AgentState, externalOrder: ExternalOrder, { nowMs, out }: At): void {
  if (state.ownCloses.whose(externalOrder, nowMs) !== "theirs") return;
  tag(externalOrder, out);
}

/** On every tick and after each reply to a close: those that waited for a reply and were not named by it. */
export function tagOverdue(state: AgentState, { nowMs, out }: At): void {
  for (const externalOrder of state.ownCloses.due(nowMs)) tag(externalOrder, out);
}

const tag = ({ orderId, clientOrderId, symbol }: ExternalOrder, out: Outbox): void =>
  out.record(reconcileRow({ event: "external-order", orderId, clientOrderId, symbol }));
