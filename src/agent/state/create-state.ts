/** The state of a starting agent: what earlier runs reported; nothing has been requested, read or seen yet. */
import { BoundedMap } from "../../core/bounded.ts";
import type { Context } from "../../context/context.ts";
import { createEntryWatch } from "../../risk/entry-watch.ts";
import { createLimitBook } from "../../risk/limit-book.ts";
import { createQuarantine } from "../../strategy/quarantine.ts";
import { createCadence } from "./cadence.ts";
import { createCostBook, NO_COSTS } from "../books/cost-book.ts";
import { createStaleRules } from "./stale-rules.ts";
import { createEquityBook, PHASE_RESET_MS } from "../books/equity.ts";
import type { Strategies } from "../contract/events.ts";
import { createFillWatch } from "../books/fill-watch.ts";
import { createHourlyVolatility } from "../books/trailing.ts";
import type { Surroundings } from "../positions/position-book.ts";
import { createPositions } from "../positions/positions.ts";
import { unmeasured } from "../../domain/venue-time.ts";
import { createDecidingState, nothingDeciding } from "./deciding-state.ts";
import { createMarkouts } from "../books/markouts.ts";
import { createMoves } from "../books/moves.ts";
import { createOrderTracker } from "../books/order-tracker.ts";
import { createOrphanStops } from "./orphan-stops.ts";
import { createOwnCloses } from "../books/own-closes.ts";
import { createPastStops } from "./past-stops.ts";
import { filledBefore, recallPlan } from "./plans.ts";
import type { Restored } from "./restored.ts";
import { createReads } from "./reads.ts";
import { readPace, type AgentSettings } from "../contract/settings.ts";
import { createSlots } from "../books/slots.ts";
import { createHourlyEquity } from "../../domain/hourly-equity.ts";
import type { VenueRates } from "../../domain/venue.ts";
import { type AgentState, isHedged, runOfOrder } from "./state.ts";
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { recallSurplus } from "./surplus.ts";
import { createReductions } from "../positions/reductions.ts";
import { createTradeBook, NO_TRADES } from "../positions/trade-book.ts";
import { createUnprotectedSpans } from "../positions/unprotected.ts";
import { freshMark } from "./worth.ts";

/** What an agent is made from. */
export interface AgentSetup {
  readonly runId: string;
  readonly context: Context;
  readonly settings: AgentSettings;
  /** How often the venue may be asked what. */
  readonly rates: VenueRates;
  readonly strategies: Strategies;
  readonly restored: Restored;
  readonly atMs: number;
  /** The monotonic clock at that instant; `atMs` stands in where ticks bear none. */
  readonly monoMs?: number;
  /** Nothing may be written at the venue until a renewed session says otherwise. */
  readonly readOnly?: boolean;
}

/** Each run of another agent adds one. */
const OTHER_RUNS_KEPT = 100;

/**
 * Slots of amendments are held longer than the venue's window, because the venue may count one late and would refuse
 * the next.
 */
const AMEND_SPARE_MS = 2_000;

/** When each of these was last done or seen. */
const NEVER_YET = {
  sessionAskedMs: -Infinity,
  entriesLookedMs: -Infinity,
  equityAlarmMs: -Infinity,
  lastNewsMs: -Infinity,
  shrankMs: -Infinity,
  algosReadMs: -Infinity,
  lastBeatMonoMs: -Infinity,
  lastMarkedMs: -Infinity,
  trimmedMs: -Infinity,
  trims: 0,
  ranking: null,
} satisfies Partial<AgentState>;

/** The state before the first event. */
export function createState(setup: AgentSetup): AgentState {
  const { restored, atMs } = setup;
  const state: AgentState = {
    ...NEVER_YET,
    ...booksOf(setup, {
      defaultDistance: () => state.settings.risk.defaultStopDistance,
      freshMark: (symbol, nowMs) => freshMark(state, symbol, nowMs),
      isHedged: (symbol) => isHedged(state, symbol),
    }),
    runId: setup.runId,
    ownRuns: new Set([setup.runId, ...[...restored.ourClientIds].flatMap((id) => runOfOrder(id) ?? [])]),
    otherRuns: new BoundedMap(OTHER_RUNS_KEPT),
    context: setup.context,
    restored,
    settings: setup.settings,
    pace: readPace(setup.rates),
    strategies: setup.strategies,
    stage: "starting",
    stopReason: "",
    parents: new Map(),
    surplus: new Map(),
    fundingDue: new Map(),
    streams: { market: false, user: false, news: false },
    rules: new Map(),
    leverage: new Map(),
    leverageAsked: new Map(),
    leverageReadMs: new Map(),
    hedgeModes: new Map(restored.hedgeModes),
    accounts: new Map(),
    session: null,
    sessionHeardMs: null,
    sessionReason: "not started yet",
    readOnly: setup.readOnly === true,
    sessionDue: false,
    floor: restored.floor,
    floorReason: restored.floorReason ?? "",
    resumeAsked: false,
    holds: new Map(),
    blockedAlarm: null,
    uptime: restored.uptime,
    pending: null,
    lastDecision: null,
    decided: [],
    failures: 0,
    failing: null,
    equityAgreed: true,
    fees: null,
    clockUncertaintyMs: 0,
    stopForm: "entire",
    theses: new BoundedMap(500),
    recentOpenings: setup.restored.recentOpenings ?? [],
    entriesMs: [...(setup.restored.entriesMs ?? [])],
    reads: createReads(readPace(setup.rates)),
    reconcileDueMs: atMs,
    firstAccountReadMs: null,
    answeredMs: -Infinity,
    ordersListedMs: -Infinity,
    lastTickMonoMs: setup.monoMs ?? atMs,
    fundingCursor: 0,
    startedAtMs: atMs,
    count: 0,
  };
  recallOrders(state, setup);
  return state;
}

/**
 * Open intents of earlier runs count as unknown: they are looked up, never sent again. What is known of an order's fills is not
 * new where its record reports it.
 */
function recallOrders(state: AgentState, { restored, atMs }: AgentSetup): void {
  for (const fact of restored.positionFacts ?? []) {
    if (fact.kind !== "fill") continue;
    if (fact.opening) state.growths.fill(fact.orderId, fact.qty, fact.atMs);
    if (!fact.opening || fact.reverses) state.reductions.fill(fact.orderId, fact.qty, fact.atMs);
  }
  for (const intent of restored.endedIntents ?? []) {
    state.orders.recall(intent, atMs);
    if (intent.orderId === "") continue;
    for (const known of [state.growths, state.reductions]) known.order(intent.orderId, intent.executedQty, Infinity);
  }
  const filled = filledBefore(restored.positionFacts ?? []);
  const open = (opening: boolean): void => {
    for (const intent of restored.openIntents) {
      if (intent.opening !== opening) continue;
      const tracked = state.orders.promise(intent, atMs);
      state.orders.markUnknown(tracked, atMs);
      if (intent.amend) state.orders.amend(tracked, intent.amend).fate = "unknown";
      if (intent.thesis) state.theses.set(intent.clientOrderId, intent.thesis);
      const filledMs = filled.get(intent.clientOrderId);
      if (filledMs !== undefined) recallPlan(state, tracked, filledMs);
    }
  };
  open(true);
  // What a reduction that is still open fills is given back of it.
  recallSurplus(state, restored.surplus ?? [], atMs);
  open(false);
}

/** The parts that keep their own history, with what earlier runs left of it. */
function booksOf(setup: AgentSetup, surroundings: Omit<Surroundings, "venueTime">) {
  const venueTime = unmeasured();
  const facts = setup.restored.positionFacts ?? [];
  const positions = createPositions(facts, setup.atMs, { ...surroundings, venueTime });
  return {
    positions,
    venueTime,
    orders: createOrderTracker(venueTime),
    cadence: createCadence(),
    moves: createMoves(),
    equity: createEquityBook(setup.restored.anchors, phaseBegunMs(setup) + PHASE_RESET_MS),
    hourly: setup.restored.hourly ?? createHourlyEquity(),
    trades: createTradeBook(setup.restored.trades ?? NO_TRADES, setup.atMs),
    fills: createFillWatch(setup.restored.fills, setup.atMs),
    reductions: createReductions(),
    growths: createReductions(),
    orphans: createOrphanStops(readPace(setup.rates).cancelStopEveryMs, setup.restored.stopsLeft, setup.atMs),
    pastStops: createPastStops(positions.all(), stopsShownMs(setup), setup.restored.requestedStops),
    ...slotsOf(setup),
    volatility: createHourlyVolatility((symbol, nowMs) => setup.context.volatilityHour(symbol, nowMs)),
    costs: createCostBook(setup.restored.costs ?? NO_COSTS),
    markouts: createMarkouts(),
    unprotected: createUnprotectedSpans(setup.restored.unprotectedMs ?? []),
    ownCloses: createOwnCloses(setup.restored.namedCloses, setup.restored.lostCloses),
    staleRules: createStaleRules(),
    deciding: createDecidingState(setup.restored.deciding ?? nothingDeciding),
    limits: createLimitBook(setup.settings.risk),
    entries: createEntryWatch(),
    quarantine: createQuarantine(),
  } satisfies Partial<AgentState>;
}

/** By then the list of stops can have been read, whatever was read before the start, and has come. */
const stopsShownMs = ({ rates }: AgentSetup): number => rates["algo.list"].perMs + SHOWN_WITHIN_MS;

function slotsOf({ rates, restored: { protectAskedMs = [], amendAskedMs = [] }, atMs: nowMs }: AgentSetup) {
  return {
    stopSlots: createSlots(rates["algo.place"], { takenMs: protectAskedMs, nowMs }),
    amendSlots: createSlots(rates["algo.replace"], { takenMs: amendAskedMs, nowMs, spareMs: AMEND_SPARE_MS }),
  };
}

/** A phase that began shortly before this run, or while none ran. */
function phaseBegunMs({ restored: { phase }, settings, atMs }: AgentSetup): number {
  if (!phase) return -Infinity;
  return phase.phase === settings.phase ? Math.min(phase.sinceMs ?? -Infinity, atMs) : atMs;
}
