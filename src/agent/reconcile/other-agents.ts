/**
 * A second agent on the same account: an order that opens, under a client order id of the form that agents give theirs, from
 * a process that this journal does not know. Each sees the orders of the other, and both compare the same two instants, at
 * which their processes began: the younger one halts, the older one goes on. Where an instant cannot be read, both halt. Fault P4.
 */
import { madeAtMs } from "../../core/ids.ts";
import { isoTime } from "../../core/time.ts";
import type { At } from "../contract/effects.ts";
import { type AgentState, runOfOrder } from "../state/state.ts";
import { onHalt } from "./handle-hold.ts";

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
  // A flattening must go on, and a halt is given this reason once.
  const mayHalt = state.floor === "HALT" ? isNew : state.floor !== "FLATTEN";
  if (!older && mayHalt)
    return onHalt(state, { kind: "halt", reason: `${who}: stop one of the two`, atMs: nowMs }, out);
  if (!isNew) return;
  const then = older ? "it is the younger one and should halt" : "nothing is opened here";
  out.log("warn", "account.shared", `${who}; ${then}: stop one of the two`, { clientOrderId });
}
