/** The handler of each kind of event: one table over the closed union, so that none can be forgotten. */
import { sidesReported } from "../../domain/position.ts";
import { onCancelSent } from "../reconcile/cancel-order.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { onOrderAmended } from "../reconcile/amended.ts";
import { onCloseSent, onReduceSent } from "../reconcile/handle-closes.ts";
import { snapshotOf } from "../decide/decision-snapshot.ts";
import { onModel } from "../decide/handle-decision.ts";
import { dateFills } from "../books/fill-watch.ts";
import { datedFill, onFill, onFillsRead } from "../reconcile/handle-fills.ts";
import { onHalt, onHold, onOperator } from "../reconcile/handle-hold.ts";
import { onForget, onLearnt } from "../decide/handle-lessons.ts";
import { onLookedUp } from "../reconcile/handle-lookups.ts";
import { onNews } from "../decide/event-triggers.ts";
import { onOrderUpdate, onPlaced } from "../reconcile/handle-orders.ts";
import { onSettings } from "../decide/handle-settings.ts";
import { onAlarm, onStream } from "../reconcile/handle-streams.ts";
import { onAlgosRead, onAccountRead } from "../reconcile/handle-sweep.ts";
import { onTick } from "./handle-tick.ts";
import { reportPosition } from "../reconcile/report-position.ts";
import { showFillsUntil } from "../reconcile/shown-fills.ts";
import { onShadowModel } from "../decide/shadows.ts";
import { onStop } from "../decide/stages.ts";
import type { AgentState } from "../state/state.ts";
import { onAlgo, onProtectSent, onStopAmended, reportProtected, onAlgoFound } from "../protect/handle-stops.ts";

type EventsByKind = { readonly [Event in AgentEvent as Event["kind"]]: Event };
type Kind = keyof EventsByKind;

const reactions: { readonly [K in Kind]: (state: AgentState, event: EventsByKind[K], at: At) => void } = {
  tick: (state, { monoMs, atMs, awake }, at) => onTick(state, { monoMs: monoMs ?? atMs, awake: awake ?? false }, at),
  stream: onStream,
  order: (state, { update }, at) => onOrderUpdate(state, update, at),
  fill: (state, { execution }, at) => onFill(state, datedFill(state, execution, at), at),
  "fills-read": onFillsRead,
  position: onPosition,
  asset: (state, { asset, atMs }) => state.equity.asset(asset, atMs),
  algo: (state, { algo }, at) => onAlgo(state, algo, at),
  "venue-alarm": (state, { what }, at) => onAlarm(state, what, at),
  "account-read": (state, { account, failed }, at) => {
    if (failed !== undefined) at.out.log("warn", "reconcile.failed", failed);
    reportingProtected(state, at, () => onAccountRead(state, account, at));
  },
  "algos-read": (state, { algos, startedAtMs }, at) =>
    reportingProtected(state, at, () => onAlgosRead(state, algos, startedAtMs, at)),
  "algo-found": (state, event, at) => reportingProtected(state, at, () => onAlgoFound(state, event, at)),
  leverage: onLeverageRead,
  "leverage-failed": (_state, { symbol, reason }, { out }) =>
    out.log("warn", "venue.retry", `leverage of ${symbol}: ${reason}`, { symbol }),
  rules: onRulesRead,
  funding: (state, { funding }) => state.context.onFunding(funding),
  ranking: (state, { phase, ranking }) => {
    state.ranking = { phase, ranking };
  },
  news: onNews,
  facts: (state, { source, points }) => state.context.onFacts(source, points),
  model: (state, event, at) =>
    event.shadow === undefined
      ? onModel(state, event, at)
      : onShadowModel(state, { ...event, shadow: event.shadow }, (nowMs) => snapshotOf(state, nowMs), at),
  placed: (state, event, at) => {
    onPlaced(state, event.clientOrderId, event.sent, at);
    onReduceSent(state, event, at);
  },
  "amend-sent": onOrderAmended,
  "cancel-sent": onCancelSent,
  "looked-up": (state, event, { out }) => onLookedUp(state, event, out),
  "close-sent": onCloseSent,
  "protect-sent": onProtectSent,
  "protection-amended": onStopAmended,
  "algo-cancel-sent": (state, { algoOrderId, sent, atMs }) => state.orphans.answered(algoOrderId, sent, atMs),
  session: (state, { session, reason, readOnly, atMs }) => {
    state.session = session;
    state.sessionHeardMs = atMs;
    state.readOnly = readOnly ?? state.readOnly;
    if (reason) state.sessionReason = reason;
  },
  settings: (state, event, { out }) => onSettings(state, event, out),
  learnt: (state, { lessons }, { out }) => onLearnt(state, lessons, out),
  "forget-lesson": (state, event, { out }) => onForget(state, event, out),
  "clock-checked": (state, { offsetMs, uncertaintyMs }) => {
    state.clockUncertaintyMs = uncertaintyMs;
    if (!Number.isFinite(uncertaintyMs)) return;
    Object.assign(state.venueTime, { offsetMs, uncertaintyMs });
    dateFills(state.fills, state.venueTime);
  },
  fees: (state, { rates }) => {
    state.fees = rates.find(({ exchange }) => exchange === state.settings.exchange) ?? state.fees;
  },
  operator: (state, event, { out }) => onOperator(state, event, out),
  hold: (state, event, { out }) => onHold(state, event, out),
  halt: (state, event, { out }) => onHalt(state, event, out),
  stop: onStop,
};

/** Lets the state take in one event; what is to be done about it goes to the outbox. */
export const react = (state: AgentState, event: AgentEvent, at: At): void => reactTo(state, event.kind, event, at);

const reactTo = <K extends Kind>(state: AgentState, kind: K, event: EventsByKind[K], at: At): void =>
  reactions[kind](state, event, at);

/** Reports the positions whose stop a reading has found standing at the venue. */
function reportingProtected(state: AgentState, { out }: At, read: () => void): void {
  const before = new Map(state.positions.all().map((held) => [held.key, held.protection]));
  read();
  reportProtected(before, state, out);
}

function onPosition(state: AgentState, { update, atMs }: EventsByKind["position"], at: At): void {
  const changes = state.positions.push(update, atMs);
  for (const change of changes) reportPosition(state, change, at);
  // A push without a time says nothing of what it includes, and one that is older than what is known was not taken over. What was
  // filled before a position was flat is gone in any case.
  if (update.atMs === undefined || (changes.length === 0 && !update.qty.isZero())) return;
  const shownMs = update.atMs;
  for (const side of sidesReported(update.positionSide))
    showFillsUntil(state, { symbol: update.symbol, side }, shownMs, at);
}

function onLeverageRead(state: AgentState, { settings, atMs }: EventsByKind["leverage"]): void {
  for (const { symbol, leverage } of settings) {
    state.leverage.set(symbol, leverage);
    state.leverageReadMs.set(symbol, atMs);
  }
  state.staleRules.leverageRead(settings.map(({ symbol }) => symbol));
}

function onRulesRead(state: AgentState, { rules }: EventsByKind["rules"]): void {
  for (const each of rules) state.rules.set(each.symbol, each);
  state.staleRules.rulesRead(rules.map(({ symbol }) => symbol));
  state.context.onRules(rules);
}
