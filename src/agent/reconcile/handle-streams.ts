/** A stream that went up or down, and what the venue warns of on its own account. */
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";

/** Reports the change, and has everything read again where the account was not watched meanwhile. */
export function onStream(state: AgentState, event: Extract<AgentEvent, { kind: "stream" }>, { out }: At): void {
  if (state.streams[event.stream] === event.up) return;
  state.streams[event.stream] = event.up;
  out.log(
    event.up ? "info" : "warn",
    event.up ? "stream.up" : "stream.down",
    `${event.stream} stream: ${event.reason}`,
    { stream: event.stream },
  );
  // Whatever was pushed while the stream was away was not pushed to us: read everything again.
  if (event.up && event.stream === "user") {
    state.accountAskedMs = -Infinity;
    state.algosAskedMs = -Infinity;
    state.reconcileDueMs = event.atMs;
    state.fills.due = true;
    state.fills.busyMs = event.atMs;
    state.fills.blindMs = event.atMs;
  }
}

/** A margin call or a liquidation: what is held is read at once. */
export function onAlarm(state: AgentState, what: string, { out }: At): void {
  out.log("error", "account.alarm", `the venue warns: ${what}`, {});
  state.accountAskedMs = -Infinity;
}
