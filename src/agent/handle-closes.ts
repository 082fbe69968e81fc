/** A close of ours has come back: what the reply says of the leg, and which order it names. Spec: 1 §4.4. */
import type { AgentEvent, At } from "./events.ts";
import { reportLeg } from "./handle-sweep.ts";
import type { AgentState } from "./state.ts";
import { tagOverdue } from "./tag-stranger.ts";

const NOTHING_TO_CLOSE = "401097";

export function onCloseSent(
  state: AgentState,
  { leg, sent }: Extract<AgentEvent, { kind: "close-sent" }>,
  at: At,
): void {
  const askedMs = state.ownCloses.askedMs(leg) ?? -Infinity;
  switch (sent.kind) {
    case "done":
      state.ownCloses.answered(leg, sent.value.orderId);
      state.sweepAskedMs = -Infinity;
      break;
    case "unknown":
      state.ownCloses.answered(leg, null);
      break;
    default:
      state.ownCloses.failed(leg);
  }
  tagOverdue(state, at);
  if (sent.kind === "done") return;
  if (sent.kind === "rejected" && sent.code === NOTHING_TO_CLOSE) {
    state.sweepAskedMs = -Infinity;
    const change = state.legs.flat(leg, askedMs, at.nowMs);
    return change ? reportLeg(state, change, at) : undefined;
  }
  at.out.log("warn", "order.rejected", `closing ${leg}: ${sent.kind}: ${sent.message}`, { leg });
}
