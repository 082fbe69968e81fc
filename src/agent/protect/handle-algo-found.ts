/** One stop that the run before left standing has been asked for by its name. */
import type { RefusalReason } from "../../core/outcome.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { onAlgo } from "./handle-protection.ts";
import type { AgentState } from "../state/state.ts";

/** Refusals about the order; the others are about the request: its signature, its clock, its path. */
const ABOUT_ORDER: ReadonlySet<RefusalReason> = new Set([
  "not-found",
  "already-ended",
  "nothing-to-close",
  "duplicate-id",
  "stale-rules",
]);
/** A question that brought no word is asked again after this. */
const AGAIN_MS = 3_000;

/** Taken in where the venue has it, given up where it has none; any other refusal, a wrong clock's too, says nothing of it. */
export function onAlgoFound(state: AgentState, event: Extract<AgentEvent, { kind: "algo-found" }>, at: At): void {
  const { leg: positionKey, found } = event;
  if (found.kind === "done") onAlgo(state, found.value, at);
  if (found.kind === "done" || (found.kind === "rejected" && ABOUT_ORDER.has(found.reason)))
    return state.pastStops.forget(state.positions.get(positionKey), at.nowMs);
  state.pastStops.untold(positionKey, found.kind === "rate-limited" ? found.retryAtMs : at.nowMs + AGAIN_MS);
}
