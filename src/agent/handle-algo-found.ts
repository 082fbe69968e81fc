/** One stop that the run before left standing has been asked for by its name. */
import type { AgentEvent } from "./events.ts";
import type { At } from "./effects.ts";
import { onAlgo } from "./handle-protection.ts";
import type { AgentState } from "./state.ts";

/** Taken in where the venue has it; asked for again where it gave no word. */
export function onAlgoFound(state: AgentState, event: Extract<AgentEvent, { kind: "algo-found" }>, at: At): void {
  const { leg, found } = event;
  if (found.kind === "done") onAlgo(state, found.value, at);
  if (found.kind === "rate-limited") state.pastStops.noTurn(leg, found.retryAtMs);
  if (found.kind === "done" || found.kind === "rejected") state.pastStops.forget(state.legs.get(leg), at.nowMs);
}
