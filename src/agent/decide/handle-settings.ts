/**
 * A saved configuration, an operator's command or a schedule arrives as an event. Limits change at once; another strategy
 * takes over at the next safe point: between two decisions, never while the old strategy waits for an answer.
 */
import { differencesOf } from "../../core/nearest.ts";
import { OPENING_LEVERAGE_MAX, type Phase } from "../../domain/competition.ts";
import { armedHash } from "../../strategy/armed-hash.ts";
import type { ArmedStrategy } from "../../strategy/strategy.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { PHASE_RESET_MS } from "../books/equity.ts";
import { withdrawOpenings, cancelOrder } from "../reconcile/cancel-order.ts";
import { afterSwitch, handoverAt } from "../contract/handover.ts";
import type { SwitchNotice, PendingSwitch } from "../state/deciding-state.ts";
import { seatShadows } from "./shadows.ts";
import type { AgentState } from "../state/state.ts";
import { decisionRow } from "../../rows/decision.ts";
import { switchRow } from "../../rows/switch.ts";
import { counted } from "../../core/words.ts";
import { closeHeld } from "../protect/close-held.ts";

/** A question that is not answered within this time is abandoned for the switch. */
const PATIENCE_MS = 30_000;

const same = (a: ArmedStrategy, b: ArmedStrategy): boolean => armedHash(a) === armedHash(b);

/** A `request` is answered at once if the strategy stays as it is, else when the switch is made. */
export function onSettings(state: AgentState, event: Extract<AgentEvent, { kind: "settings" }>, out: Outbox): void {
  const at = { nowMs: event.atMs, out };
  const { strategies } = event;
  const wanted = wantedNow(state, event, out);
  if (event.settings.phase !== state.settings.phase) onPhase(state, event.settings.phase, at);
  state.settings = event.settings;
  // The consent may have other terms now, and the running session may be stopped.
  state.sessionDue = true;
  state.quarantine.clear();
  state.failing = null;
  if (same(state.strategies.chosen, strategies.chosen)) {
    state.strategies = { ...strategies, chosen: state.strategies.chosen };
    state.deciding.nextSwitch = null;
    seatShadows(state, at);
    if (wanted.request) reportSwitch(state, nothingChanges(state, wanted, event.atMs), out);
    return;
  }
  state.deciding.nextSwitch = wanted;
  switchWhenSafe(state, at);
}

/**
 * What is wanted from here on. A saved file or a new phase does not cancel a waiting switch: it keeps its handover and its
 * request until another strategy is chosen, and a repeat does not restart its waiting time.
 */
function wantedNow(state: AgentState, event: Extract<AgentEvent, { kind: "settings" }>, out: Outbox): PendingSwitch {
  const { strategies, change, atMs } = event;
  const { name } = strategies.chosen.strategy;
  const waiting = state.deciding.nextSwitch;
  const kept = waiting?.strategies.chosen.strategy.name === name ? waiting : null;
  const request = change.request ?? kept?.request ?? null;
  if (waiting?.request && waiting.request !== request) {
    const error = `superseded before it was made: a newer command (${change.by}) names ${name}`;
    out.ask({ kind: "answer", request: waiting.request, body: { ok: false, error } });
  }
  return {
    strategies,
    handover: change.handover ?? kept?.handover ?? "adopt",
    by: change.handover === null && kept ? kept.by : change.by,
    request,
    askedMs: waiting?.askedMs ?? atMs,
  };
}

/** The day restarts from the account that the operator sets up; the next account snapshot shows what we hold. */
function onPhase(state: AgentState, phase: Phase, { nowMs, out }: At): void {
  state.equity.expectReset(nowMs + PHASE_RESET_MS);
  state.reconcileDueMs = nowMs;
  // Each symbol's leverage is set again for the new cap.
  state.leverage.clear();
  state.leverageAsked.clear();
  out.log(
    "info",
    "phase.begun",
    `Phase ${phase === 1 ? "I" : "II"}: opening leverage up to ${OPENING_LEVERAGE_MAX[phase]}x`,
    {
      phase,
    },
  );
}

/** The command that asked is answered nevertheless. */
function nothingChanges(state: AgentState, { handover, by, request }: PendingSwitch, atMs: number): SwitchNotice {
  const { name } = state.strategies.chosen.strategy;
  const nothing = { differences: [], positions: [], withdrawn: [] };
  return { handover, by, request, atMs, from: name, to: name, ...nothing };
}

/** Makes the waiting switch if this is a safe point. True while one still waits. */
export function switchWhenSafe(state: AgentState, at: At): boolean {
  const wanted = state.deciding.nextSwitch;
  if (!wanted) return false;
  if (state.pending && at.nowMs - wanted.askedMs < PATIENCE_MS) return true;
  if (state.pending) {
    const { decisionId } = state.pending;
    state.pending = null;
    at.out.record(decisionRow({ failed: state.strategies.chosen.strategy.name, reason: "replaced" }), decisionId);
    at.out.log("warn", "decision.failed", "its answer did not come before the switch", { decision: decisionId });
  }
  state.deciding.nextSwitch = null;
  takeOver(state, wanted, at);
  return false;
}

function takeOver(state: AgentState, wanted: PendingSwitch, at: At): void {
  const { deciding } = state;
  const { handover, by, request } = wanted;
  const before = state.strategies.chosen;
  const { chosen } = wanted.strategies;
  const renamed = before.strategy.name !== chosen.strategy.name;
  const untilMs = at.nowMs + state.settings.windDownMs;
  state.strategies = wanted.strategies;
  state.quarantine.clear();
  state.failing = null;
  seatShadows(state, at);
  // Only its settings or its code differ: the strategy keeps its positions and orders.
  const withdrawn = renamed && handover !== "adopt" ? withdrawOpenings(state, { ...at, why: "handover" }) : [];
  if (renamed) deciding.handover = afterSwitch(deciding.handover, { handover, atMs: at.nowMs, untilMs });
  const reported: SwitchNotice = {
    request,
    atMs: at.nowMs,
    from: before.strategy.name,
    to: chosen.strategy.name,
    by,
    handover,
    differences: renamed ? unlikeDefaults(before, chosen) : unlikeBefore(before, chosen),
    positions: state.positions.all().map((held) => held.key),
    withdrawn,
  };
  at.out.record(switchRow({ ...reported, untilMs, renamed, settings: chosen.settings }));
  at.out.log("info", "strategy.switched", switchText(reported, renamed), {
    from: reported.from,
    to: reported.to,
    by,
    handover,
    positions: reported.positions.length,
    differences: reported.differences,
  });
  reportSwitch(state, reported, at.out);
  state.cadence.happen("switched", chosen.strategy.name, at.nowMs);
}

/** The same strategy, with other settings or after an edit of the owner's code. */
function unlikeBefore(before: ArmedStrategy, { settings, code }: ArmedStrategy): readonly string[] {
  const shortOf = (hash: string | undefined): string => hash?.slice(0, 8) ?? "none";
  const edited = before.code === code ? [] : [`code: ${shortOf(before.code)} → ${shortOf(code)}`];
  return [...differencesOf(before.settings, settings), ...edited];
}

/** The settings of two strategies cannot be compared: only the new one's settings that differ from its defaults are reported. */
function unlikeDefaults(before: ArmedStrategy, { strategy, settings }: ArmedStrategy): readonly string[] {
  const defaults = strategy.settings.safeParse({});
  const reported = defaults.success ? differencesOf(defaults.data, settings, strategy.name) : [];
  return [`strategy: ${before.strategy.name} → ${strategy.name}`, ...reported];
}

function switchText({ from, to, handover, positions, differences }: SwitchNotice, renamed: boolean): string {
  if (!renamed) return `${to} with changes: ${differences.join(", ")}`;
  return `${from} to ${to}; ${counted(positions.length, "open position")}: ${handover}`;
}

function reportSwitch(state: AgentState, reported: SwitchNotice, out: Outbox): void {
  state.deciding.lastSwitch = reported;
  if (reported.request) out.ask({ kind: "answer", request: reported.request, body: { ok: true, switch: reported } });
}

/** On every tick: closes are repeated until the position is gone, and orders whose fate came late are withdrawn. */
export function keepHandover(state: AgentState, at: At): void {
  const { deciding } = state;
  deciding.handover = handoverAt(deciding.handover, at.nowMs);
  const { closeBeforeMs, voidBeforeMs } = deciding.handover;
  if (closeBeforeMs === -Infinity && voidBeforeMs === -Infinity) return;
  for (const held of state.positions.all()) {
    if (held.meta.openedAtMs <= closeBeforeMs)
      closeHeld(state, held, { ...at, why: "handover to another strategy", cause: "handover" });
  }
  for (const tracked of state.orders.live()) {
    if (tracked.opening && tracked.ours && tracked.promisedAtMs <= voidBeforeMs && tracked.fate === "known")
      cancelOrder(state, tracked.clientOrderId, { ...at, why: "handover" });
  }
}
