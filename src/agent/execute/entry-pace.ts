/** At most so many new positions an hour, however often decisions are made: what a position earns takes longer than that. */
import { HOUR_MS } from "../../core/time.ts";
import type { AgentState } from "../state/state.ts";

/** How many more may begin now; Infinity where no setting bounds them. */
export function entriesLeft({ entriesMs, settings }: AgentState, nowMs: number): number {
  const { openingsPerHour } = settings.cadence;
  if (openingsPerHour === undefined) return Infinity;
  return Math.max(0, openingsPerHour - entriesMs.filter((atMs) => nowMs - atMs < HOUR_MS).length);
}

export const paceText = ({ settings }: AgentState): string =>
  `${settings.cadence.openingsPerHour ?? 0} new positions have begun within the hour, as many as cadence.openingsPerHour allows`;

/** One has begun. */
export function noteEntry(state: AgentState, nowMs: number): void {
  state.entriesMs = [...state.entriesMs.filter((atMs) => nowMs - atMs < HOUR_MS), nowMs];
}
