/**
 * The agent: one synchronous step over a closed union of events. It reads no clock, socket, file or random number; what
 * it wants done comes back as effects, in order. Three hosts run it: the daemon, the fault simulation and the backtest.
 */
import type { AgentEvent, AmendIntent, Effect, Intent } from "./events.ts";
import { Outbox } from "./events.ts";
import type { Gauge } from "../core/gauge.ts";
import type { LogFields } from "../core/log.ts";
import { cancelOrder } from "./cancel-order.ts";
import { agentGauges } from "./gauges.ts";
import { onModel, snapshotOf } from "./handle-decision.ts";
import { onOrderAmended } from "./handle-amends.ts";
import { onCloseSent, onReduceSent } from "./handle-closes.ts";
import { onHalt, onHold, onOperator } from "./handle-hold.ts";
import { onLookedUp } from "./handle-lookups.ts";
import { onFill, onFillsRead } from "./handle-fills.ts";
import { onOrderUpdate, onPlaced } from "./handle-orders.ts";
import { onAlgo, onProtectSent, reportProtected, wantsProtection } from "./handle-protection.ts";
import { onSettings } from "./handle-settings.ts";
import type { StopAmendment } from "./leg.ts";
import { mayAmendStop, onStopAmended } from "./move-stops.ts";
import { onForget, onLearnt } from "./handle-lessons.ts";
import { onShadowModel, seatShadows, writeShadows } from "./shadows.ts";
import { recheck, recheckAmend } from "./recheck.ts";
import { seenFor } from "./seen.ts";
import type { WireFacts } from "../desk/wire-limits.ts";
import { wireFactsOf } from "./wire-facts.ts";
import { onAlgosRead, onSwept, reportLeg } from "./handle-sweep.ts";
import { onTick } from "./handle-tick.ts";
import { type AgentSetup, type AgentState, createState } from "./state.ts";
import { type AgentStatus, statusOf } from "./status.ts";

export interface Agent {
  step(event: AgentEvent): readonly Effect[];
  /** The last look before an order leaves: null when the limits still agree, else the reason. */
  recheck(intent: Intent, nowMs: number): string | null;
  /** The same before an amendment leaves. */
  recheckAmend(intent: AmendIntent, nowMs: number): string | null;
  /** What an order rests on at this instant, for its wire-out row; null while the account is not known. */
  seen(intent: Pick<Intent, "draft">, nowMs: number): LogFields | null;
  /** Whether the stop of that id is still what its leg waits for. */
  wantsProtection(leg: string, clientOrderId: string): boolean;
  /** The last look before a standing stop is changed. */
  mayAmend(amendment: StopAmendment, nowMs: number): boolean;
  /** Raw figures for the desk's own limits on an order in this symbol; null while the account is not known. */
  wireFacts(symbol: string, nowMs: number): WireFacts | null;
  status(nowMs: number): AgentStatus;
  /** How long ago, by the monotonic clock, the decision loop last ticked; what the health endpoint goes by. */
  sinceTickMs(monoMs: number): number;
  /** How full its own collections are. */
  gauges(): readonly Gauge[];
  /** True while a position waits for its stop at the venue. */
  isBare(): boolean;
}

export function createAgent(setup: AgentSetup): Agent {
  const state = createState(setup);
  for (const intent of setup.restored.openIntents) {
    const tracked = state.orders.promise(intent, setup.atMs);
    state.orders.markUnknown(tracked, setup.atMs);
  }
  return {
    step: (event) => {
      const out = new Outbox();
      handle(state, event, out);
      if (state.stage === "starting") becomeReady(state, event.atMs, out);
      return out.effects;
    },
    recheck: (intent, nowMs) => recheck(state, intent, nowMs),
    recheckAmend: (intent, nowMs) => recheckAmend(state, intent, nowMs),
    seen: (intent, nowMs) => seenFor(state, intent, nowMs),
    wantsProtection: (leg, clientOrderId) => wantsProtection(state, leg, clientOrderId),
    mayAmend: (amendment, nowMs) => mayAmendStop(state, amendment, nowMs),
    wireFacts: (symbol, nowMs) => wireFactsOf(state, symbol, nowMs),
    status: (nowMs) => statusOf(state, nowMs),
    sinceTickMs: (monoMs) => monoMs - state.lastTickMonoMs,
    gauges: () => agentGauges(state),
    isBare: () => state.legs.all().some(({ protection }) => protection !== "live"),
  };
}

function handle(state: AgentState, event: AgentEvent, out: Outbox): void {
  const at = { nowMs: event.atMs, out };
  switch (event.kind) {
    case "tick":
      return onTick(state, event.monoMs ?? event.atMs, at);
    case "stream":
      return onStream(state, event, out);
    case "order":
      return onOrderUpdate(state, event.update, at);
    case "fill":
      return onFill(state, event.execution, at);
    case "fills-read":
      return onFillsRead(state, event, at);
    case "position": {
      const change = state.legs.push(event.update, event.atMs);
      return change
        ? reportLeg(state, change, at)
        : state.orders.settle(event.update.symbol, event.update.positionSide === "SHORT" ? "SHORT" : "LONG");
    }
    case "asset":
      return state.equity.asset(event.asset, event.atMs);
    case "algo":
      return onAlgo(state, event.algo, at);
    case "venue-alarm":
      return onAlarm(state, event.what, at);
    case "swept": {
      const before = new Map(state.legs.all().map((leg) => [leg.key, leg.protection]));
      onSwept(state, event.sweep, at);
      return reportProtected(before, state, out);
    }
    case "algos-read": {
      const before = new Map(state.legs.all().map((leg) => [leg.key, leg.protection]));
      onAlgosRead(state, event.algos, event.startedAtMs, at);
      return reportProtected(before, state, out);
    }
    case "algo-found": {
      const before = new Map(state.legs.all().map((leg) => [leg.key, leg.protection]));
      const { leg, found } = event;
      if (found.kind === "done") onAlgo(state, found.value, at);
      if (found.kind === "rate-limited") state.pastStops.noTurn(leg, found.retryAtMs);
      if (found.kind === "done" || found.kind === "rejected") state.pastStops.forget(state.legs.get(leg), at.nowMs);
      return reportProtected(before, state, out);
    }
    case "sweep-failed":
      state.sweepInFlight = false;
      return out.log("warn", "reconcile.failed", event.reason);
    case "leverage":
      for (const { symbol, leverage } of event.settings) {
        state.leverage.set(symbol, leverage);
        state.leverageReadMs.set(symbol, event.atMs);
      }
      return state.doubts.leverageRead(event.settings.map(({ symbol }) => symbol));
    case "leverage-failed":
      return out.log("warn", "venue.retry", `leverage of ${event.symbol}: ${event.reason}`, { symbol: event.symbol });
    case "rules":
      for (const rules of event.rules) state.rules.set(rules.symbol, rules);
      state.doubts.rulesRead(event.rules.map(({ symbol }) => symbol));
      return state.context.onRules(event.rules);
    case "funding":
      return state.context.onFunding(event.funding);
    case "news":
      return onNews(state, event, out);
    case "model":
      return event.shadow === undefined
        ? onModel(state, event, at)
        : onShadowModel(state, { ...event, shadow: event.shadow }, (nowMs) => snapshotOf(state, nowMs), at);
    case "placed":
      onPlaced(state, event.clientOrderId, event.sent, at);
      return onReduceSent(state, event, at);
    case "amend-sent":
      return onOrderAmended(state, event, at);
    case "cancel-sent":
      return onCancelSent(state, event, out);
    case "looked-up":
      return onLookedUp(state, event, out);
    case "close-sent":
      return onCloseSent(state, event, at);
    case "protect-sent":
      return onProtectSent(state, event.leg, event.sent, at);
    case "protection-amended":
      return onStopAmended(state, event, at);
    case "algo-cancel-sent":
      return state.orphans.answered(event.algoOrderId, event.sent, event.atMs);
    case "session":
      state.session = event.session;
      if (event.reason) state.sessionReason = event.reason;
      return;
    case "settings":
      return onSettings(state, event, out);
    case "learnt":
      return onLearnt(state, event.lessons, out);
    case "forget-lesson":
      return onForget(state, event, out);
    case "clock-checked":
      state.clockUncertaintyMs = event.uncertaintyMs;
      return;
    case "operator":
      return onOperator(state, event, out);
    case "hold":
      return onHold(state, event, out);
    case "halt":
      return onHalt(state, event, out);
    case "stop":
      return onStop(state, event, out);
  }
}

function onStream(state: AgentState, event: Extract<AgentEvent, { kind: "stream" }>, out: Outbox): void {
  if (state.streams[event.stream] === event.up) return;
  state.streams[event.stream] = event.up;
  out.log(
    event.up ? "info" : "warn",
    event.up ? "stream.up" : "stream.down",
    `${event.stream} stream: ${event.reason}`,
    { stream: event.stream },
  );
  // Whatever was pushed while the stream was away was not pushed to us: read everything again.
  if (event.up && event.stream === "user") {
    state.sweepAskedMs = -Infinity;
    state.algosAskedMs = -Infinity;
    state.reconcileDue = true;
    state.fills.due = true;
    state.fills.busyMs = event.atMs;
    state.fills.blindMs = event.atMs;
  }
}

function onAlarm(state: AgentState, what: string, { out }: { out: Outbox }): void {
  out.log("error", "limit.fired", `the venue warns: ${what}`, {});
  state.sweepAskedMs = -Infinity;
}

/** Older news is context; it happened already and asks for no decision of its own. */
const FRESH_NEWS_MS = 15 * 60_000;

function onNews(state: AgentState, event: Extract<AgentEvent, { kind: "news" }>, out: Outbox): void {
  state.context.onNews(event.item);
  state.lastNewsMs = event.atMs;
  out.log("debug", "news.seen", event.item.title.slice(0, 160), {
    key: event.item.key,
    currencies: event.item.currencies,
  });
  out.record("news", { key: event.item.key, title: event.item.title.slice(0, 200), currencies: event.item.currencies });
  const bases = new Set(state.settings.universe.map((symbol) => symbol.split("_").at(-2)));
  const about = event.item.currencies.filter((base) => bases.has(base));
  const told = event.item.publishedAtMs ?? event.item.firstSeenMs;
  const fresh = event.atMs - told < FRESH_NEWS_MS;
  if (about.length > 0 && fresh && state.settings.cadence.onNews && state.stage === "ready")
    state.cadence.happen("news", `${event.item.key} ${about.join(",")}`, event.atMs);
}

function onCancelSent(state: AgentState, event: Extract<AgentEvent, { kind: "cancel-sent" }>, out: Outbox): void {
  const tracked = state.orders.get(event.clientOrderId);
  if (!tracked || tracked.fate === "ended") return;
  // Acceptance is not the end: the push or a look-up brings the terminal state. Spec: 1 §3.1.
  state.orders.lookUpLater(tracked, event.atMs, 1_000);
  if (event.sent.kind !== "done")
    out.log("warn", "order.unknown", `cancel of ${event.clientOrderId}: ${event.sent.kind}: ${event.sent.message}`);
}

function onStop(state: AgentState, event: Extract<AgentEvent, { kind: "stop" }>, out: Outbox): void {
  if (state.stage === "stopping") return;
  state.stage = "stopping";
  state.stopReason = event.reason;
  state.pending = null;
  out.log("info", "agent.stopping", event.reason, { positions: state.legs.all().length });
  writeShadows(state, { nowMs: event.atMs, out });
  if (state.settings.execution.onStopOpenOrders === "keep") return;
  for (const tracked of state.orders.live()) {
    if (tracked.opening) cancelOrder(state, tracked.clientOrderId, { nowMs: event.atMs, out, why: "the agent stops" });
  }
}

/** Ready means: the account, rules and leverage are read, the streams stand, and what was open is known. */
function becomeReady(state: AgentState, nowMs: number, out: Outbox): void {
  if (state.equity.readAtMs() === null || state.rules.size === 0 || state.leverage.size === 0) return;
  if (!state.streams.market || !state.streams.user || !state.context.warm(nowMs)) return;
  state.stage = "ready";
  state.cadence.start(nowMs);
  seatShadows(state, { nowMs, out });
  const { universe } = state.settings;
  out.record("boot", { boot: state.boot, ready: true, strategy: state.strategies.chosen.strategy.name });
  out.log(
    "info",
    "agent.ready",
    `${universe.length} symbols, strategy ${state.strategies.chosen.strategy.name}, ${state.legs.all().length} positions adopted`,
    {
      afterMs: Math.round(nowMs - state.startedAtMs),
      strategy: state.strategies.chosen.strategy.name,
      mode: state.hedgeMode ? "BOTH" : "NET",
    },
  );
}
