/**
 * The agent: one synchronous step over a closed union of events. It reads no clock, socket, file or random number, and
 * returns what it wants done as effects, in order. Three hosts run it: the daemon, the fault simulation and the
 * backtest.
 */
import type { AgentEvent } from "../contract/events.ts";
import type { AmendIntent, Intent } from "../books/intents.ts";
import { type Effect, Outbox } from "../contract/effects.ts";
import { filling, type Gauge } from "../../core/bounded.ts";
import type { Position } from "../../domain/position.ts";
import { recheckClose } from "../protect/close-held.ts";
import { wantsProtection } from "../protect/handle-protection.ts";
import { mayAmendStop } from "../protect/move-stops.ts";
import { react } from "./reactions.ts";
import { recheck, recheckAmend } from "../execute/recheck.ts";
import { followsPrice, isWorking } from "../view/ticks-needed.ts";
import { seenFor } from "../view/seen.ts";
import type { WireFacts } from "../../desk/wire-limits.ts";
import { wireFactsOf } from "../view/wire-facts.ts";
import { becomeReady } from "../decide/stages.ts";
import { type AgentSetup, createState } from "../state/create-state.ts";
import { type AgentStatus, statusOf } from "../decide/status.ts";
import type { Seen } from "../../rows/seen.ts";
import type { StopAmendment } from "../positions/held-stop.ts";
import type { AgentState } from "../state/state.ts";
import { OPENINGS_KEPT } from "../../risk/view.ts";
import { OUTAGES_CAP } from "../books/uptime.ts";

/** The loop feeds `step` and calls the rest just before a write. Times are our wall clock unless noted. */
export interface Agent {
  step(event: AgentEvent): readonly Effect[];
  /** The last look before an order leaves: null when the limits still agree, else the reason. */
  recheck(intent: Intent, nowMs: number): string | null;
  /** The same before an amendment leaves. */
  recheckAmend(intent: AmendIntent, nowMs: number): string | null;
  /** The same before a close leaves. */
  recheckClose(known: Position): string | null;
  /** The facts behind an order at this time, for its wire-out row; null while the account is unknown. */
  seen(intent: Pick<Intent, "draft">, nowMs: number): Seen | null;
  /** Whether the stop of that id is still what its position waits for. */
  wantsProtection(positionKey: string, clientOrderId: string): boolean;
  /** The last look before a standing stop is changed. */
  mayAmend(amendment: StopAmendment, nowMs: number): boolean;
  /** Raw figures for the desk's own limits on an order in this symbol; null while the account is not known. */
  wireFacts(symbol: string, nowMs: number): WireFacts | null;
  status(nowMs: number): AgentStatus;
  /** How long ago the decision loop last ticked, by the monotonic clock; for the health endpoint. */
  sinceTickMs(monoMs: number): number;
  /** How full its own collections are. */
  gauges(): readonly Gauge[];
  /** True while a position waits for its stop at the venue. */
  isBare(): boolean;
  /** Whether a tick at that time would decide by what is known now. A tick may find more reasons by itself. */
  isDecisionDue(nowMs: number): boolean;
  /** Whether it waits for an answer, an order or a stop, so that a tick at that time may do something. */
  isWorking(nowMs: number): boolean;
  /** Whether it has to see each move of this symbol's price: a host that leaves out ticks asks. */
  followsPrice(symbol: string): boolean;
  /** Whether a tick at that time would look at the price after an ended entry. */
  isMarkoutDue(nowMs: number): boolean;
}

/** Begins in `starting`. */
export function createAgent(setup: AgentSetup): Agent {
  const state = createState(setup);
  return {
    step: (event) => {
      const out = new Outbox();
      const at = { nowMs: event.atMs, out };
      react(state, event, at);
      if (state.stage === "starting") becomeReady(state, at);
      return out.effects;
    },
    recheck: (intent, nowMs) => recheck(state, intent, nowMs),
    recheckAmend: (intent, nowMs) => recheckAmend(state, intent, nowMs),
    recheckClose: (known) => recheckClose(state, known),
    seen: (intent, nowMs) => seenFor(state, intent, nowMs),
    wantsProtection: (positionKey, clientOrderId) => wantsProtection(state, positionKey, clientOrderId),
    mayAmend: (amendment, nowMs) => mayAmendStop(state, amendment, nowMs),
    wireFacts: (symbol, nowMs) => wireFactsOf(state, symbol, nowMs),
    status: (nowMs) => statusOf(state, nowMs),
    sinceTickMs: (monoMs) => monoMs - state.lastTickMonoMs,
    gauges: () => agentGauges(state),
    isBare: () => state.positions.all().some(({ protection }) => protection !== "live"),
    isWorking: (nowMs) => isWorking(state, nowMs),
    followsPrice: (symbol) => followsPrice(state, symbol),
    isMarkoutDue: (nowMs) => state.markouts.isDue(nowMs),
    isDecisionDue: (nowMs) =>
      state.stage === "ready" && state.pending === null && state.cadence.isDue(nowMs, state.settings.cadence),
  };
}

/** Nothing enforces these caps: more than this at once means that something did not end as it should. */
const LIVE_ORDERS_CAP = 1_000;
const POSITIONS_CAP = 500;
const HOLDS_CAP = 50;
const STOPS_ASKED_CAP = 1_000;

/** Read through `Agent.gauges`. Growth beyond a cap is suspicious; not every collection enforces it. */
export const agentGauges = (state: AgentState): readonly Gauge[] => [
  filling("agent.liveOrders", state.orders.live().length, LIVE_ORDERS_CAP),
  filling("agent.legs", state.positions.all().length, POSITIONS_CAP),
  filling("agent.holds", state.holds.size, HOLDS_CAP),
  filling("agent.openings", state.recentOpenings.length, OPENINGS_KEPT),
  filling("agent.stopsAsked", state.stopSlots.size(), STOPS_ASKED_CAP),
  filling("agent.theses", state.theses.size, state.theses.cap),
  ...state.costs.gauges(),
  state.markouts.gauge(),
  state.unprotected.gauge(),
  filling("agent.outages", state.uptime.outages.length, OUTAGES_CAP),
];
