/** What is due as time passes: the floor, protection, look-ups, account snapshots, decisions, heartbeats. */
import { type Decimal, toWire } from "../../core/decimal.ts";
import { exposureOf } from "../../risk/exposure.ts";
import { type FloorStep, nextFloor, rungOf } from "../../risk/floor.ts";
import type { At } from "../contract/effects.ts";
import { repeatCancels } from "../reconcile/cancel-order.ts";
import { decide, giveUp } from "../decide/handle-decision.ts";
import { watchEntries } from "../reconcile/handle-hold.ts";
import { keepHandover, switchWhenSafe } from "../decide/handle-settings.ts";
import { watchFunding } from "../decide/event-triggers.ts";
import { keepShadows } from "../decide/shadows.ts";
import { countFunding, reportTrades } from "../reconcile/handle-trades.ts";
import { askAccount, askExecutions, askFunding, askRanking, askTerms, lookUps } from "./ask-reads.ts";
import { protectPositions } from "../protect/handle-protection.ts";
import { riskViewOf } from "../view/risk-view.ts";
import { reportCosts } from "../view/measure-costs.ts";
import { keepCushion } from "../execute/keep-cushion.ts";
import { keepStops } from "../protect/move-stops.ts";
import { reportMarkouts } from "../execute/follow-entry.ts";
import { keepLeverage } from "../execute/keep-leverage.ts";
import { closeDust } from "../execute/reduce-position.ts";
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import type { AgentState } from "../state/state.ts";
import { equityNow, totalUnrealized } from "../state/worth.ts";
import { workEntries } from "../execute/work-entries.ts";
import { BEAT_EVERY_MS, countBeat, coverUntil, tallyDue } from "../books/uptime.ts";
import { reduceSurplus } from "../execute/reduce-surplus.ts";
import { beatRow, beatText } from "../../rows/beat.ts";
import { equityRow, equityText } from "../../rows/equity.ts";
import { floorRow, floorText } from "../../rows/floor.ts";
import { watchTargets, flatten } from "../protect/close-held.ts";
import { tagOverdue } from "../reconcile/external-orders.ts";

const MARK_EVERY_MS = 60_000;
const SESSION_AHEAD_MS = 60_000;
const SESSION_RETRY_MS = 30_000;
const ALARM_EVERY_MS = 30_000;

interface Beat {
  /** Continues when the wall clock is set back. */
  readonly monoMs: number;
  /** The loop has run since the last tick, however long ago that was. */
  readonly awake: boolean;
}

export function onTick(state: AgentState, tick: Beat, at: At): void {
  state.lastTickMonoMs = tick.monoMs;
  beat(state, tick, at);
  askAccount(state, at);
  lookUps(state, at);
  askExecutions(state, at);
  tagOverdue(state, at);
  if (!state.readOnly) state.orphans.look(at.nowMs, state.positions, at.out);
  askTerms(state, at);
  if (!state.readOnly) workEntries(state, at);
  if (!state.readOnly) repeatCancels(state, at);
  state.staleRules.look(at);
  const isValued = state.equity.readAtMs() !== null;
  const step = isValued ? watchFloor(state, at) : null;
  if (!state.readOnly && flattens(state, step)) flatten(state, at);
  if (!state.readOnly) guardPositions(state, at);
  if (!isValued) return;
  markEquity(state, at);
  countFunding(state, at);
  if (!state.readOnly) keepHandover(state, at);
  keepShadows(state, at);
  reportTrades(state, at);
  reportCosts(state, at);
  reportMarkouts(state, at);
  if (state.stage !== "ready") return;
  watchEntries(state, at);
  keepSession(state, at);
  if (!state.readOnly) keepLeverage(state, at);
  askFunding(state, at);
  askRanking(state, at);
  watchMoves(state, at.nowMs);
  watchFunding(state, at.nowMs);
  const stuck = state.pending !== null && at.nowMs - state.pending.startedAtMs > state.settings.answersWithinMs;
  if (stuck) giveUp(state, at);
  if (switchWhenSafe(state, at) || state.pending) return;
  const trigger = state.cadence.due(at.nowMs, state.settings.cadence);
  if (trigger) decide(state, trigger, at);
}

/** Stops, targets, and positions that have become too large. What is only remembered waits for its list until that is late. */
function guardPositions(state: AgentState, at: At): void {
  if (state.firstAccountReadMs === null && at.nowMs - state.startedAtMs < SHOWN_WITHIN_MS) return;
  protectPositions(state, at);
  keepStops(state, at);
  keepCushion(state, at);
  reduceSurplus(state, at);
  closeDust(state, at);
  watchTargets(state, at);
}

/** The heartbeat comes from the decision loop itself: a loop that stalls sends none. Its rhythm is monotonic: fault C2. */
function beat(state: AgentState, { monoMs, awake }: Beat, { nowMs, out }: At): void {
  const sinceMs = monoMs - state.lastBeatMonoMs;
  if (sinceMs < BEAT_EVERY_MS) return;
  state.lastBeatMonoMs = monoMs;
  const before = state.uptime;
  state.uptime = awake
    ? coverUntil(before, nowMs)
    : countBeat(before, nowMs, Number.isFinite(sinceMs) ? sinceMs : null);
  const health = {
    stage: state.stage,
    streams: { ...state.streams },
    floor: state.floor,
    deciding: state.failures === 0,
  };
  out.record(beatRow(tallyDue(before, state.uptime) ? { ...health, uptime: state.uptime } : health));
  out.log("debug", "uptime.beat", beatText(health), health);
}

function watchFloor(state: AgentState, { nowMs, out }: At): FloorStep {
  const unrealized = totalUnrealized(state, nowMs);
  const { risk } = state.settings;
  const next = nextFloor(state.floor, state.equity.sources(unrealized), risk, heldNearFloor(state, nowMs));
  state.equityAgreed = next.agreed;
  if (!next.agreed && nowMs - state.equityAlarmMs > ALARM_EVERY_MS) {
    state.equityAlarmMs = nowMs;
    out.log("warn", "equity.doubted", `equity is in doubt: ${next.reason}`, {});
  }
  if (next.state !== state.floor) {
    const fields = { from: state.floor, to: next.state, equityUsdt: next.equityUsdt ? toWire(next.equityUsdt) : null };
    state.floor = next.state;
    state.floorReason = next.reason;
    if (next.state === "HOLD" || next.state === "FLATTEN") state.reconcileDueMs = nowMs;
    const row = { ...fields, equityUsdt: next.equityUsdt, reason: next.reason };
    if (fields.from !== "HALT" && next.state !== "HALT") state.cadence.happen("limit", `floor ${next.state}`, nowMs);
    out.record(floorRow(row));
    out.log("warn", "floor.changed", floorText(row), fields);
  }
  return next;
}

/** Exposure with every order filled, while the ladder's rung may depend on it and all of it is known; else null. */
function heldNearFloor(state: AgentState, nowMs: number): Decimal | null {
  if (state.floor !== "HOLD" && state.floor !== "WARN") return null;
  const { risk } = state.settings;
  const view = riskViewOf(state, nowMs);
  if (view === null || view.equityUsdt.gte(risk.warnUsdt) || view.equityBehind || (view.holds ?? []).length > 0)
    return null;
  const { grossUsdt, unvalued } = exposureOf(view, risk);
  return unvalued.length > 0 ? null : grossUsdt;
}

/**
 * Once positions are known, whether or not equity is. A halt does not prevent the rung where everything is closed: positions held
 * during a halt are closed there too.
 */
function flattens({ floor, settings, firstAccountReadMs }: AgentState, step: FloorStep | null): boolean {
  if (firstAccountReadMs === null) return false;
  if (floor !== "HALT" || !step?.agreed || !step.equityUsdt) return floor === "FLATTEN";
  return rungOf(step.equityUsdt, settings.risk) === "FLATTEN";
}

function markEquity(state: AgentState, { nowMs, out }: At): void {
  if (nowMs - state.lastMarkedMs < MARK_EVERY_MS) return;
  const equity = equityNow(state, nowMs);
  if (equity === null || state.equity.isUnsure()) return;
  state.lastMarkedMs = nowMs;
  state.hourly.note(nowMs, equity.toNumber());
  const anchors = state.equity.anchors(nowMs, totalUnrealized(state, nowMs));
  const row = { equityUsdt: equity.toDecimalPlaces(4), positions: state.positions.all().length, anchors };
  out.record(equityRow(row));
  out.log("debug", "equity.marked", equityText(row), { equityUsdt: toWire(row.equityUsdt) });
}

function keepSession(state: AgentState, { nowMs, out }: At): void {
  const ends = state.session?.active ? state.session.expiresAtMs : -Infinity;
  const isDue = ends - nowMs <= SESSION_AHEAD_MS && nowMs - state.sessionAskedMs >= SESSION_RETRY_MS;
  if (!isDue && !state.sessionDue) return;
  state.sessionDue = false;
  state.sessionAskedMs = nowMs;
  out.ask({ kind: "renew-session" });
}

/** A move far beyond a symbol's usual volatility asks for a decision. */
function watchMoves(state: AgentState, nowMs: number): void {
  const { moveSigma: sigma } = state.settings.cadence;
  if (sigma === 0) return;
  for (const symbol of state.settings.universe) {
    const { mark, last } = state.context.quote(symbol, nowMs);
    const found = state.moves.sample(symbol, mark ?? last ?? 0, { nowMs, sigma });
    if (found !== null)
      state.cadence.happen(
        "move",
        `${symbol} ${found > 0 ? "up" : "down"} ${Math.abs(found).toFixed(1)} sigma in a minute`,
        nowMs,
      );
  }
}
