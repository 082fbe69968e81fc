/** The reply to a close or a reduction of ours: what it shows about the position, and which order it names. Spec: 1 §4.4. */
import { positionKeyOf } from "../../domain/position.ts";
import type { AgentEvent, Sent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { letCloseAgain, onCloseEnded, onCloseFilled, onCloseRefused } from "./close-end.ts";
import { reportPosition } from "./report-position.ts";
import type { AgentState } from "../state/state.ts";
import { tagOverdue } from "./external-orders.ts";

const foundNothing = (sent: Sent<unknown>): boolean => sent.kind === "rejected" && sent.reason === "nothing-to-close";

function reportedFlat(state: AgentState, positionKey: string, askedMs: number, at: At): void {
  state.reads.wantAccount();
  const change = state.positions.flat(positionKey, askedMs);
  if (change) reportPosition(state, change, at);
}

/** A reducing order that found no position proves as much as a close does. */
export function onReduceSent(
  state: AgentState,
  { clientOrderId, sent }: Extract<AgentEvent, { kind: "placed" }>,
  at: At,
): void {
  const tracked = state.orders.get(clientOrderId);
  if (!tracked || tracked.opening || !foundNothing(sent)) return;
  reportedFlat(state, positionKeyOf(tracked.symbol, tracked.leg), tracked.promisedAtMs, at);
}

/** The reply to a market close. 401097: nothing is left. A close that was never sent may be requested again in 2 s. */
export function onCloseSent(
  state: AgentState,
  { positionKey, sent }: Extract<AgentEvent, { kind: "close-sent" }>,
  at: At,
): void {
  const askedMs = state.ownCloses.askedMs(positionKey) ?? -Infinity;
  switch (sent.kind) {
    case "done": {
      const { orderId } = sent.value;
      state.ownCloses.answered(positionKey, orderId);
      const reported = orderId === null ? undefined : state.orders.byOrderId(orderId);
      if (reported?.fate === "ended") onCloseEnded(state, reported.order, at);
      // Its fills may have come before the reply, and no push of the order.
      else if (orderId !== null) onCloseFilled(state, orderId, positionKey, at);
      state.reads.wantAccount();
      break;
    }
    case "unknown":
      state.ownCloses.answered(positionKey, null);
      break;
    default:
      state.ownCloses.failed(positionKey);
  }
  tagOverdue(state, at);
  if (sent.kind === "done") return;
  if (foundNothing(sent)) return reportedFlat(state, positionKey, askedMs, at);
  const held = state.positions.get(positionKey);
  if (held && (sent.kind === "blocked" || sent.kind === "not-sent")) letCloseAgain(held, at.nowMs);
  else if (held) onCloseRefused(state, held, at.nowMs);
  at.out.log("warn", "order.rejected", `closing ${positionKey}: ${sent.kind}: ${sent.message}`, { leg: positionKey });
}
