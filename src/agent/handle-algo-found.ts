/** One stop that the run before left standing has been asked for by its name. */
import type { AgentEvent } from "./events.ts";
import type { At } from "./effects.ts";
import { onAlgo } from "./handle-protection.ts";
import type { AgentState } from "./state.ts";

/** Codes about orders; the others are about the request: its signature, its clock, its rate. Spec: 1 §7.1. */
const OF_ORDERS = /^4\d{5}$/;
/** A question that brought no word is asked again after this. */
const AGAIN_MS = 3_000;

/** Taken in where the venue has it, given up where it has none; any other refusal, a wrong clock's too, tells nothing of it. */
export function onAlgoFound(state: AgentState, event: Extract<AgentEvent, { kind: "algo-found" }>, at: At): void {
  const { leg, found } = event;
  if (found.kind === "done") onAlgo(state, found.value, at);
  if (found.kind === "done" || (found.kind === "rejected" && OF_ORDERS.test(found.code)))
    return state.pastStops.forget(state.legs.get(leg), at.nowMs);
  state.pastStops.untold(leg, found.kind === "rate-limited" ? found.retryAtMs : at.nowMs + AGAIN_MS);
}
