/**
 * What happens to positions and orders when another strategy takes over. `adopt`: the new one manages them.
 * `wind-down`: nothing is added to them, their stops and targets stay, and the rest is closed at the deadline. `close`:
 * they are closed at once, and so is everything that an order in flight still opens. Protection is never touched.
 */
import type { HeldPosition } from "../positions/positions.ts";

/** The words that commands and restored rows are checked against. */
export const HANDOVERS = ["adopt", "wind-down", "close"] as const;
/** The head of this file explains each one. */
export type Handover = (typeof HANDOVERS)[number];

/** Who requested a switch: a saved file, the operator's command, a schedule, or the start of Phase II. */
export const SWITCHED_BY = ["file", "operator", "schedule", "phase"] as const;
/** One of the words above. */
export type SwitchedBy = (typeof SWITCHED_BY)[number];

/** Positions opened at or before this time stay, at most until the deadline of the switch that set it. */
export interface WindDown {
  readonly beforeMs: number;
  readonly untilMs: number;
}

/** What remains to be done about positions of earlier strategies. Survives restarts: it is rebuilt from switch rows. */
export interface HandoverState {
  /** Positions opened at or before this instant are closed until none is left. */
  readonly closeBeforeMs: number;
  /** Oldest first. Each has its own deadline; where a position is under several, the earliest counts. */
  readonly windDowns: readonly WindDown[];
  /** Opening orders promised at or before this instant are no longer sent. */
  readonly voidBeforeMs: number;
}

/** No switch to follow: no position is leaving and no order is void. */
export const noHandover: HandoverState = {
  closeBeforeMs: -Infinity,
  windDowns: [],
  voidBeforeMs: -Infinity,
};

/** The state after a switch at `atMs`. A close that has begun is finished in any case. */
export function afterSwitch(
  before: HandoverState,
  { handover, atMs, untilMs }: { handover: Handover; atMs: number; untilMs: number },
): HandoverState {
  switch (handover) {
    case "adopt":
      return { ...before, windDowns: [] };
    case "wind-down":
      return {
        ...before,
        windDowns: [...before.windDowns, { beforeMs: atMs, untilMs }],
        voidBeforeMs: atMs,
      };
    case "close":
      return { closeBeforeMs: atMs, windDowns: [], voidBeforeMs: atMs };
  }
}

/** The state at an instant: a wind-down whose deadline has passed is a close. */
export function handoverAt(state: HandoverState, nowMs: number): HandoverState {
  const over = state.windDowns.filter(({ untilMs }) => nowMs >= untilMs);
  if (over.length === 0) return state;
  const closeBeforeMs = Math.max(state.closeBeforeMs, ...over.map(({ beforeMs }) => beforeMs));
  return { ...state, closeBeforeMs, windDowns: state.windDowns.filter(({ untilMs }) => nowMs < untilMs) };
}

/** True for a position that an earlier strategy opened and the present one was not given. */
export const isLeaving = ({ closeBeforeMs, windDowns }: HandoverState, held: HeldPosition): boolean =>
  held.meta.openedAtMs <= Math.max(closeBeforeMs, ...windDowns.map(({ beforeMs }) => beforeMs));

/** Why an opening order of an earlier strategy must not be sent; null if it may. */
export const voided = ({ voidBeforeMs }: HandoverState, tracked: { readonly promisedAtMs: number }): string | null =>
  tracked.promisedAtMs <= voidBeforeMs ? "the strategy behind it has been replaced" : null;
