/**
 * Holds and halts that do not come from equity: a part of Ballast is not sound, or something found at the venue needs a
 * person. A hold stops openings and ends with its cause; a halt is a state of the ladder and survives restarts.
 */
import { openingObstacle } from "../../risk/headroom.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { othersStay, withdrawOpenings } from "./cancel-order.ts";
import { riskViewOf } from "../view/risk-view.ts";
import type { AgentState } from "../state/state.ts";
import { floorRow } from "../../rows/floor.ts";
import { operatorRow } from "../../rows/operator.ts";

/** One reason for each cause; null ends it. When a hold begins, our opening orders are withdrawn; exits and stops continue. */
export function onHold(
  state: AgentState,
  event: Omit<Extract<AgentEvent, { kind: "hold" }>, "kind">,
  out: Outbox,
): void {
  const { cause, reason } = event;
  const before = state.holds.get(cause);
  if (reason === (before ?? null)) return;
  if (reason === null) state.holds.delete(cause);
  else state.holds.set(cause, reason);
  if (reason !== null && before !== undefined) return;
  out.log(
    // Before the agent is ready nothing is opened anyway.
    reason === null || state.stage !== "ready" ? "info" : "warn",
    reason === null ? "hold.ended" : "hold.began",
    reason === null ? `this no longer prevents openings: ${before}` : `nothing is opened: ${reason}`,
    { cause },
  );
  if (reason !== null) withdrawOpenings(state, { nowMs: event.atMs, out, why: reason });
}

/**
 * Our opening orders are withdrawn; positions and their stops stay. Only the operator's resume ends it. A flattening goes on: it opens
 * nothing either and ends in a halt.
 */
export function onHalt(state: AgentState, event: Extract<AgentEvent, { kind: "halt" }>, out: Outbox): void {
  const { reason, atMs: nowMs } = event;
  if (state.floor === "HALT" && state.floorReason === reason) return;
  if (state.floor === "FLATTEN")
    out.log("error", "floor.changed", `everything is being closed; besides, ${reason}`, {});
  else {
    out.record(floorRow({ from: state.floor, to: "HALT", reason }));
    out.log("error", "floor.changed", `${state.floor} to HALT: ${reason}. After you have looked: ballast resume`, {});
    state.floor = "HALT";
    state.floorReason = reason;
  }
  state.reconcileDueMs = nowMs;
  state.resumeAsked = false;
  withdrawOpenings(state, { nowMs, out, why: reason });
}

/** The reason of a flattening that was asked for; `flatten` in `protect/close-held.ts` carries it out. */
export const OPERATOR_FLATTENS = "the operator said flatten";

/** Halts and flattens at once; resumes only after everything has been read again, so that nothing is opened on outdated beliefs. */
export function onOperator(state: AgentState, event: Extract<AgentEvent, { kind: "operator" }>, out: Outbox): void {
  state.reconcileDueMs = event.atMs;
  state.resumeAsked = event.command === "resume";
  if (state.resumeAsked) {
    state.reads.wantAccount();
    return out.log("info", "floor.changed", "the operator resumed: the account is read again first");
  }
  if (event.command === "flatten") return flattenAsked(state, out);
  const whose = event.command === "halt-all" ? "all" : state.settings.execution.withdraws;
  const all = whose === "all" ? { withdraws: "all" as const } : {};
  out.record(operatorRow({ command: "halt", from: state.floor, to: "HALT", ...all }));
  const said = `${state.floor} to HALT: the operator said halt${whose === "all" ? " and withdraws all opening orders" : ""}`;
  out.log("warn", "floor.changed", `${said}${othersStay(state, whose)}`);
  state.floor = "HALT";
  state.floorReason = "the operator said halt";
  withdrawOpenings(state, { nowMs: event.atMs, out, why: state.floorReason, whose });
}

/** To the rung that closes everything; from there the ladder comes to rest at HALT. */
function flattenAsked(state: AgentState, out: Outbox): void {
  if (state.readOnly)
    return out.log("warn", "floor.changed", "the operator asked to flatten, but this agent may only watch the account");
  out.record(operatorRow({ command: "flatten", from: state.floor, to: "FLATTEN", withdraws: "all" }));
  out.log(
    "warn",
    "floor.changed",
    `${state.floor} to FLATTEN: ${OPERATOR_FLATTENS}; everything is closed and withdrawn`,
  );
  state.floor = "FLATTEN";
  state.floorReason = OPERATOR_FLATTENS;
}

/** A reconciliation is complete: a resume that the operator asked for takes effect now. Invariant I16. */
export function resumeIfAsked(state: AgentState, out: Outbox): void {
  if (!state.resumeAsked) return;
  state.resumeAsked = false;
  out.record(operatorRow({ command: "resume", from: state.floor, to: "NORMAL" }));
  if (state.floor === "NORMAL") out.log("info", "floor.changed", "the operator resumed: it was NORMAL already");
  else out.log("warn", "floor.changed", `${state.floor} to NORMAL: the operator resumed`);
  state.floor = "NORMAL";
  state.floorReason = "the operator said resume";
}

const LOOK_EVERY_MS = 5_000;

/** Checks whether anything could be opened at all, and raises the alarm when nothing could for too long. */
export function watchEntries(state: AgentState, { nowMs, out }: At): void {
  if (nowMs - state.entriesLookedMs < LOOK_EVERY_MS) return;
  state.entriesLookedMs = nowMs;
  const view = riskViewOf(state, nowMs);
  state.entries.looked(view ? openingObstacle(view, state.settings.risk) : "the account has not been read", nowMs);
  const blocked = state.entries.blockedFor(state.settings.risk.blockedAlarm, nowMs);
  const alarmed = state.blockedAlarm;
  state.blockedAlarm = blocked;
  if (blocked === null && alarmed !== null) out.log("info", "entries.open", "entries pass again");
  if (blocked === null || alarmed !== null) return;
  const minutes = Math.round((nowMs - blocked.sinceMs) / 60_000);
  out.log("warn", "entries.blocked", `every entry has been blocked for ${minutes} minutes: ${blocked.reason}`, {
    sinceMs: blocked.sinceMs,
  });
}
