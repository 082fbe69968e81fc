/** The reply about one stop of the previous run, looked up by its id. */
import type { RefusalReason } from "../../core/outcome.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { onAlgo } from "./handle-protection.ts";
import type { AgentState } from "../state/state.ts";

/** Refusals about the order; all others are about the request: its signature, its clock, its path. */
const ABOUT_ORDER: ReadonlySet<RefusalReason> = new Set([
  "not-found",
  "already-ended",
  "nothing-to-close",
  "duplicate-id",
  "stale-rules",
]);
/** A look-up without an answer is repeated after this time. */
const AGAIN_MS = 3_000;

/** Adopts the stop if the venue has it and drops it if not; any other refusal, such as a wrong clock's, proves nothing. */
export function onAlgoFound(state: AgentState, event: Extract<AgentEvent, { kind: "algo-found" }>, at: At): void {
  const { leg: positionKey, found } = event;
  if (found.kind === "done") onAlgo(state, found.value, at);
  if (found.kind === "done" || (found.kind === "rejected" && ABOUT_ORDER.has(found.reason)))
    return state.pastStops.forget(state.positions.get(positionKey), at.nowMs);
  state.pastStops.unanswered(positionKey, found.kind === "rate-limited" ? found.retryAtMs : at.nowMs + AGAIN_MS);
}
