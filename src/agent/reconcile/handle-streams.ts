/** A stream that went up or down, and warnings that the venue sends unasked. */
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";

/** Reports the change, and has everything read again if the account went unwatched meanwhile. */
export function onStream(state: AgentState, event: Extract<AgentEvent, { kind: "stream" }>, { out }: At): void {
  if (state.streams[event.stream] === event.up) return;
  state.streams[event.stream] = event.up;
  out.log(
    event.up ? "info" : "warn",
    event.up ? "stream.up" : "stream.down",
    `${event.stream} stream: ${event.reason}`,
    { stream: event.stream },
  );
  // Pushes sent while the stream was down are lost: read everything again.
  if (event.up && event.stream === "user") {
    state.reads.wantAccount();
    state.reads.wantStops(event.atMs);
    state.reconcileDueMs = event.atMs;
    state.fills.due = true;
    state.fills.busyMs = event.atMs;
    state.fills.blindMs = event.atMs;
  }
}

/** A margin call or a liquidation: positions are read at once. */
export function onAlarm(state: AgentState, what: string, { out }: At): void {
  out.log("error", "account.alarm", `the venue warns: ${what}`, {});
  state.reads.wantAccount();
}
