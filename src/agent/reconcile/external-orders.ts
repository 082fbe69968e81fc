/**
 * Orders that are not ours (fault U5, invariant I3), and a second agent on the account (fault P4): an order that opens, whose
 * client order id names a process that this journal does not know. Each agent sees the orders of the other and compares the
 * starts of both processes: the younger one halts, the older one continues. If a start cannot be read, both halt.
 */
import { madeAtMs } from "../../core/ids.ts";
import { isoTime } from "../../core/time.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { type AgentState, runOfOrder } from "../state/state.ts";
import { onHalt } from "./handle-hold.ts";
import type { ExternalOrder } from "../books/own-closes.ts";
import { reconcileRow } from "../../rows/reconcile.ts";

/** Called for each order that opens and is not of this journal, when it is first seen. */
export function meetAgent(
  state: AgentState,
  { clientOrderId, symbol }: { readonly clientOrderId: string; readonly symbol: string },
  { nowMs, out }: At,
): void {
  const runId = runOfOrder(clientOrderId);
  if (runId === null || state.ownRuns.has(runId)) return;
  const isNew = !state.otherRuns.has(runId);
  state.otherRuns.set(runId, true);
  const [theirsMs, oursMs] = [madeAtMs(runId), madeAtMs(state.runId)];
  const began = theirsMs === null ? "at an unknown time" : isoTime(theirsMs);
  const who = `another agent, whose process began ${began}, opens positions on this account (${clientOrderId}, ${symbol})`;
  const older = theirsMs !== null && oursMs !== null && oursMs < theirsMs;
  // A flattening must continue, and a halt gets this reason only once.
  const mayHalt = state.floor === "HALT" ? isNew : state.floor !== "FLATTEN";
  if (!older && mayHalt)
    return onHalt(state, { kind: "halt", reason: `${who}: stop one of the two`, atMs: nowMs }, out);
  if (!isNew) return;
  const then = older ? "it is the younger one and should halt" : "nothing is opened here";
  out.log("warn", "account.shared", `${who}; ${then}: stop one of the two`, { clientOrderId });
}

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
