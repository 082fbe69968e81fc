/**
 * When to decide. A clock and events trigger decisions; those within the minimum gap become one trigger with several
 * reasons. Knows nothing of strategies or money.
 */
import type { AgentSettings } from "../contract/settings.ts";

/** What triggers a decision. `first` and `clock` come from the cadence itself and are never reported by `happen`. */
export type TriggerReason =
  | "first"
  | "clock"
  | "news"
  | "fill"
  | "move"
  | "stop"
  | "limit"
  | "switched"
  | "resumed"
  | "funding";

/** Why a decision is due: `first decision`, `clock` and events as `reason: about`, oldest first. */
export interface DecisionTrigger {
  readonly reasons: readonly string[];
  /** Events may use the part of the model budget that is kept for them. */
  readonly urgent: boolean;
}

/** Nothing is due before `start`. Events wait for the next trigger; with 20 waiting, more are dropped. */
export interface Cadence {
  /** An event; `about` says what, for the journal. */
  happen(reason: TriggerReason, about: string, atMs: number): void;
  /** The trigger that is due now, if any. Taking it starts the next wait. */
  due(atMs: number, settings: AgentSettings["cadence"]): DecisionTrigger | null;
  /** Whether `due` would answer with a trigger, without taking it. */
  isDue(atMs: number, settings: AgentSettings["cadence"]): boolean;
  /** Begins (or begins again) from this instant. */
  start(atMs: number): void;
}

const PENDING_CAP = 20;

/** Not started: `becomeReady` does that, so that no decision falls into the start of a run. */
export function createCadence(): Cadence {
  let startedAtMs: number | null = null;
  let lastAtMs = -Infinity;
  let pending: string[] = [];
  let first = true;

  const isDue: Cadence["isDue"] = (atMs, { firstAfter, every, minGap }) => {
    if (startedAtMs === null) return false;
    if (first) return atMs - startedAtMs >= firstAfter;
    return atMs - lastAtMs >= (pending.length > 0 ? Math.min(every, minGap) : every);
  };
  // An event is no less urgent where it falls on the clock or on the first decision.
  const take = (atMs: number, ...before: readonly string[]): DecisionTrigger => {
    const trigger = { reasons: [...before, ...pending], urgent: pending.length > 0 };
    lastAtMs = atMs;
    pending = [];
    first = false;
    return trigger;
  };
  return {
    start: (atMs) => {
      startedAtMs = atMs;
    },
    happen: (reason, about) => {
      if (pending.length < PENDING_CAP) pending.push(`${reason}: ${about}`);
    },
    due: (atMs, settings) => {
      if (!isDue(atMs, settings)) return null;
      if (first) return take(atMs, "first decision");
      return atMs - lastAtMs >= settings.every ? take(atMs, "clock") : take(atMs);
    },
    isDue,
  };
}
