/** Everything the agent knows, in one place. Only `step` and its handlers change it; nothing here does I/O. */
import { BoundedMap } from "../core/bounded.ts";
import { Decimal, quantize, sumDecimals, ZERO } from "../core/decimal.ts";
import type { Context } from "../context/context.ts";
import { FLOOR_USDT } from "../domain/competition.ts";
import type { TradeBasis } from "../domain/closed-trade.ts";
import type { Position } from "../domain/position.ts";
import type { SymbolRules } from "../domain/symbol.ts";
import { type Blocked, createEntryWatch, type EntryWatch } from "../risk/entry-watch.ts";
import { equityQuorum } from "../risk/floor.ts";
import { createLimitBook, type LimitBook } from "../risk/limit-book.ts";
import { type Bench, createBench } from "../strategy/bench.ts";
import type { Reply } from "../strategy/strategy.ts";
import type { AccountFunds, FloorState, SessionView } from "../risk/view.ts";
import { createCadence, type Cadence } from "./cadence.ts";
import { createDoubts, type Doubts } from "./doubts.ts";
import { type CostBook, createCostBook, NO_COSTS, type RestoredCosts } from "./cost-book.ts";
import { createEquityBook, type DayAnchors, type EquityBook } from "./equity.ts";
import type { PastIntent, Strategies, StreamName } from "./events.ts";
import { createMind, type Mind, noMind, type RestoredMind } from "./mind.ts";
import { createMoves, type Moves } from "./moves.ts";
import { createFillWatch, type FillWatch, type RestoredFills } from "./fill-watch.ts";
import { createHourlyVolatility, type VolatilityOf } from "./hourly-volatility.ts";
import { createLegs, type Leg, type Legs, type RestoredLeg } from "./legs.ts";
import { createOrderTracker, type OrderTracker } from "./order-tracker.ts";
import { createOwnCloses, type OwnCloses } from "./own-closes.ts";
import type { ClosedLeg } from "./past-legs.ts";
import { type AskedStop, createPastStops, type PastStops } from "./past-stops.ts";
import { createOrphanStops, type OrphanStops } from "./orphan-stops.ts";
import type { ParentOrder } from "./parent-order.ts";
import { createTakings, type Takings } from "./takings.ts";
import type { Quote } from "./planner.ts";
import type { AgentSettings } from "./settings.ts";
import { createSlots, type Slots, type SlotWindow } from "./slots.ts";
import { createTradeBook, NO_TRADES, type RestoredTrades, type TradeBook } from "./trade-book.ts";
import type { TrailRules } from "./trailing.ts";
import { createUnprotectedSpans, type UnprotectedSpans } from "./unprotected.ts";
import type { UptimeCount } from "./uptime.ts";

/** What a journal of earlier runs tells at start. */
export interface Restored {
  /** Intents whose end no row tells. */
  readonly openIntents: readonly PastIntent[];
  /** Client order ids of intents that provably never left. */
  readonly unsentIntents?: readonly string[];
  /** Client ids of every intent of the last days, so that their orders are known as ours. */
  readonly ourClientIds: ReadonlySet<string>;
  /** The venue's ids of the orders that carried out the last closes. */
  readonly ownCloseIds?: readonly string[];
  readonly legs: ReadonlyMap<string, RestoredLeg>;
  /** Legs that were over, oldest first. */
  readonly closedLegs?: readonly ClosedLeg[];
  readonly floor: FloorState;
  readonly anchors: DayAnchors | null;
  readonly uptime: UptimeCount;
  /** Own closed trades, and the fills and funding of legs that were open. */
  readonly trades?: RestoredTrades;
  readonly mind?: RestoredMind;
  readonly fills?: RestoredFills;
  /** When stops were asked for inside the venue's window. */
  readonly protectAskedMs?: readonly number[];
  /** Those of the last moment: what became of them the journal may not tell. */
  readonly stopsAsked?: readonly AskedStop[];
  /** Those that stood when their leg was told to be flat, a moment ago. */
  readonly stopsLeft?: readonly string[];
  /** What earlier runs measured, and what their last promises predicted. */
  readonly costs?: RestoredCosts;
  /** Spans that positions stood without a stop, oldest first. */
  readonly unprotectedMs?: readonly number[];
}

/** What an opening order was promised with, kept for the leg that it becomes. */
export interface Thesis {
  readonly reason: string;
  readonly strategy: string;
  readonly basis: TradeBasis;
  readonly trail?: TrailRules;
}

export type Stage = "starting" | "ready" | "stopping";

export interface LastDecision {
  readonly decisionId: string;
  readonly atMs: number;
  readonly strategy: string;
  readonly result: string;
}

/** A decision that waits for the model. */
export interface PendingDecision {
  readonly decisionId: string;
  readonly startedAtMs: number;
  /** 1 for the first questions, one more for each round after it. */
  readonly round: number;
  /** Number of the round's first question, counted through the whole decision. */
  readonly firstPart: number;
  readonly urgent: boolean;
  /** In the order of the questions; null while one is on its way. */
  readonly replies: readonly (Reply | null)[];
  /** The strategy's own note to its later self. */
  readonly carry: unknown;
}

export interface AgentState {
  readonly boot: string;
  readonly context: Context;
  readonly restored: Restored;
  settings: AgentSettings;
  strategies: Strategies;
  stage: Stage;
  stopReason: string;
  readonly legs: Legs;
  readonly orders: OrderTracker;
  readonly cadence: Cadence;
  readonly moves: Moves;
  readonly equity: EquityBook;
  readonly trades: TradeBook;
  readonly fills: FillWatch;
  readonly takings: Takings;
  readonly orphans: OrphanStops;
  /** Stops that may still be placed, and standing ones that may be amended. */
  readonly stopSlots: Slots;
  readonly amendSlots: Slots;
  readonly volatility: VolatilityOf;
  readonly costs: CostBook;
  readonly unprotected: UnprotectedSpans;
  readonly ownCloses: OwnCloses;
  readonly mind: Mind;
  /** Decisions that are still being carried out, by leg. */
  readonly parents: Map<string, ParentOrder>;
  readonly doubts: Doubts;
  /** The next settlement that each held leg will pass, with the rate last told for it. */
  readonly fundingDue: Map<string, { readonly atMs: number; readonly rate: number }>;
  readonly streams: Record<StreamName, boolean>;
  readonly rules: Map<string, SymbolRules>;
  readonly leverage: Map<string, number>;
  readonly leverageAsked: Map<string, number>;
  /** When each setting was last read back. */
  readonly leverageReadMs: Map<string, number>;
  leverageReadAskedMs: number;
  hedgeMode: boolean;
  /** By exchange, as last swept. */
  accounts: ReadonlyMap<string, AccountFunds>;
  session: SessionView | null;
  sessionReason: string;
  sessionAskedMs: number;
  /** The terms of consent may have changed: ask at the next tick. */
  sessionDue: boolean;
  floor: FloorState;
  floorReason: string;
  /** The operator has said resume; it counts once everything has been read anew. */
  resumeAsked: boolean;
  /** Parts of the house that are not sound, by name: nothing is opened while there is any. */
  readonly holds: Map<string, string>;
  /** All limits, counted. */
  readonly limits: LimitBook;
  readonly entries: EntryWatch;
  entriesLookedMs: number;
  /** Since when and why every entry is blocked, once that has lasted too long. */
  blockedAlarm: Blocked | null;
  uptime: UptimeCount;
  pending: PendingDecision | null;
  readonly bench: Bench;
  lastDecision: LastDecision | null;
  /** Decisions that the chosen strategy failed to make. */
  failures: number;
  lastNewsMs: number;
  /** False while the witnesses of equity disagree; nothing is opened on a doubtful figure. */
  equityAgreed: boolean;
  equityAlarmMs: number;
  clockUncertaintyMs: number;
  /** True once the venue has refused a two-sided protective order: stops stand there, targets are watched here. */
  oneSidedStops: boolean;
  /** Why each opening order was sent, by client order id, for the leg that it becomes. */
  readonly theses: BoundedMap<string, Thesis>;
  /** Times of the opening orders of the last hour. */
  openingsMs: number[];
  readsAskedMs: number;
  sweepAskedMs: number;
  sweptMs: number;
  /** When something that is held was last seen to have become less. */
  shrankMs: number;
  sweepInFlight: boolean;
  /** True until the next sweep is journalled as a complete reconciliation: at start, after an outage or a halt. */
  reconcileDue: boolean;
  /** Restored legs of which it is not told yet whether the venue still has them. */
  readonly unreported: Set<string>;
  algosAskedMs: number;
  /** When the standing stops were last read; -Infinity before the first time. */
  algosReadMs: number;
  /** When the positions were first read in this run; null before. */
  firstSweptMs: number | null;
  readonly pastStops: PastStops;
  /** By the monotonic clock, which goes on where the wall clock is set back; -Infinity before the first beat. */
  lastBeatMonoMs: number;
  lastMarkedMs: number;
  lastTickMonoMs: number;
  trimmedMs: number;
  fundingAskedMs: number;
  fundingCursor: number;
  startedAtMs: number;
  count: number;
}

export interface AgentSetup {
  readonly boot: string;
  readonly context: Context;
  readonly settings: AgentSettings;
  readonly strategies: Strategies;
  readonly restored: Restored;
  readonly atMs: number;
  /** The monotonic clock at that instant; `atMs` stands in where ticks bear none. */
  readonly monoMs?: number;
}

/** The venue takes 3 new algo orders in 50 s, and as many amendments; those are held a little longer than it says. Records §3. */
const STOP_WINDOW: SlotWindow = { windowMs: 50_000, slots: 3 };
const AMEND_WINDOW: SlotWindow = { windowMs: 52_000, slots: 3 };

/** A close of the future, by a clock that was set back since, would hide what is held for as long. Fault C2. */
const closedBefore = ({ restored, atMs }: AgentSetup): readonly ClosedLeg[] =>
  restored.closedLegs?.filter(({ closedAtMs }) => closedAtMs <= atMs) ?? [];

export function createState(setup: AgentSetup): AgentState {
  return {
    boot: setup.boot,
    context: setup.context,
    restored: setup.restored,
    settings: setup.settings,
    strategies: setup.strategies,
    stage: "starting",
    stopReason: "",
    legs: createLegs({ restored: setup.restored.legs, closed: closedBefore(setup), atMs: setup.atMs }),
    orders: createOrderTracker(),
    cadence: createCadence(),
    moves: createMoves(),
    equity: createEquityBook(setup.restored.anchors),
    trades: createTradeBook(setup.restored.trades ?? NO_TRADES),
    orphans: createOrphanStops(setup.restored.stopsLeft, setup.atMs),
    stopSlots: createSlots(STOP_WINDOW, setup.restored.protectAskedMs),
    amendSlots: createSlots(AMEND_WINDOW),
    volatility: createHourlyVolatility((symbol, nowMs) => setup.context.volatilityHour(symbol, nowMs)),
    costs: createCostBook(setup.restored.costs ?? NO_COSTS),
    unprotected: createUnprotectedSpans(setup.restored.unprotectedMs ?? []),
    ownCloses: createOwnCloses(setup.restored.ownCloseIds ?? []),
    fills: createFillWatch(setup.restored.fills, setup.atMs),
    takings: createTakings(),
    parents: new Map(),
    doubts: createDoubts(),
    mind: createMind(setup.restored.mind ?? noMind),
    fundingDue: new Map(),
    streams: { market: false, user: false, news: false },
    rules: new Map(),
    leverage: new Map(),
    leverageAsked: new Map(),
    leverageReadMs: new Map(),
    leverageReadAskedMs: setup.atMs,
    hedgeMode: true,
    accounts: new Map(),
    session: null,
    sessionReason: "not started yet",
    sessionAskedMs: -Infinity,
    sessionDue: false,
    floor: setup.restored.floor,
    floorReason: setup.restored.floor === "NORMAL" ? "" : "kept from before the restart",
    resumeAsked: false,
    holds: new Map(),
    limits: createLimitBook(setup.settings.risk),
    entries: createEntryWatch(),
    entriesLookedMs: -Infinity,
    blockedAlarm: null,
    uptime: setup.restored.uptime,
    pending: null,
    bench: createBench(),
    lastDecision: null,
    failures: 0,
    equityAgreed: true,
    equityAlarmMs: -Infinity,
    clockUncertaintyMs: 0,
    lastNewsMs: -Infinity,
    oneSidedStops: false,
    theses: new BoundedMap(500),
    openingsMs: [],
    readsAskedMs: -Infinity,
    sweepAskedMs: -Infinity,
    sweptMs: -Infinity,
    shrankMs: -Infinity,
    sweepInFlight: false,
    reconcileDue: true,
    unreported: new Set(setup.restored.legs.keys()),
    algosAskedMs: -Infinity,
    algosReadMs: -Infinity,
    firstSweptMs: null,
    pastStops: createPastStops(setup.restored.legs, setup.restored.stopsAsked),
    lastBeatMonoMs: -Infinity,
    lastMarkedMs: -Infinity,
    lastTickMonoMs: setup.monoMs ?? setup.atMs,
    trimmedMs: -Infinity,
    fundingAskedMs: -Infinity,
    fundingCursor: 0,
    startedAtMs: setup.atMs,
    count: 0,
  };
}

/** The account may be read once in 3 s (records §3); a sweep sooner after another would only be refused. */
export const SWEEP_GAP_MS = 3_300;

/** Time between readings of the stops that stand at the venue; their rate is scarce. */
export const ALGO_SWEEP_MS = 45_000;

export const FLOOR: Decimal = new Decimal(FLOOR_USDT);

/** A new id of this boot. Also a legal client order id: letters, digits, dashes, under 40 characters. */
export function nextId(state: AgentState, kind: string): string {
  state.count += 1;
  return `${kind}-${state.boot}-${state.count.toString(36)}`;
}

/** The last exact mark of each symbol: several are asked for at every tick, and most are those of the tick before. */
const lastMarks = new WeakMap<SymbolRules, { readonly step: Decimal; price: number; mark: Decimal }>();

/** The mark as an exact figure on the symbol's tick, for sums of money; null while none is known. */
export function markOf(state: AgentState, symbol: string, nowMs: number): Decimal | null {
  const { mark, last } = state.context.quote(symbol, nowMs);
  const price = mark ?? last;
  const rules = state.rules.get(symbol);
  if (price === null || !rules) return null;
  const known = lastMarks.get(rules);
  if (known?.price === price) return known.mark;
  const step = known?.step ?? rules.tickSize.div(100);
  const exact = quantize(price, step, "nearest");
  lastMarks.set(rules, { step, price, mark: exact });
  return exact;
}

/** The best prices of both sides; null while one of them is not known. */
export function quoteOf(state: AgentState, symbol: string, nowMs: number): Quote | null {
  const { bid, ask } = state.context.quote(symbol, nowMs);
  return bid === null || ask === null ? null : { bid, ask };
}

interface Gain {
  readonly mark: Decimal;
  readonly contractSize: Decimal | number;
  readonly gain: Decimal;
}
const lastGains = new WeakMap<Position, Gain>();

export function unrealizedOf(state: AgentState, leg: Leg, nowMs: number): Decimal {
  const { position } = leg;
  const mark = markOf(state, leg.symbol, nowMs) ?? position.markPrice;
  const contractSize = state.rules.get(leg.symbol)?.contractSize ?? 1;
  const known = lastGains.get(position);
  if (known?.mark === mark && known.contractSize === contractSize) return known.gain;
  const rise = mark.sub(position.avgPrice).mul(position.qty).mul(contractSize);
  const gain = leg.side === "LONG" ? rise : rise.neg();
  lastGains.set(position, { mark, contractSize, gain });
  return gain;
}

const lastTotals = new WeakMap<AgentState, { readonly gains: readonly Decimal[]; readonly total: Decimal }>();

/** The same object as long as no mark and no position has changed. */
export function totalUnrealized(state: AgentState, nowMs: number): Decimal {
  const gains = state.legs.all().map((leg) => unrealizedOf(state, leg, nowMs));
  const known = lastTotals.get(state);
  if (known?.gains.length === gains.length && known.gains.every((gain, at) => gain === gains[at])) return known.total;
  const total = sumDecimals(gains);
  lastTotals.set(state, { gains, total });
  return total;
}

/** The equity that decisions rest on: what the witnesses agree on, else the venue's figure carried forward. */
export function equityNow(state: AgentState, nowMs: number): Decimal | null {
  const unrealized = totalUnrealized(state, nowMs);
  const { equityUsdt, agreed } = equityQuorum(state.equity.witnesses(unrealized), state.settings.risk);
  return agreed ? equityUsdt : state.equity.live(unrealized);
}

export function notionalAt(state: AgentState, symbol: string, qty: Decimal, price: Decimal): Decimal {
  return qty.mul(price).mul(state.rules.get(symbol)?.contractSize ?? 1);
}

export const zeroWhenNull = (value: Decimal | null): Decimal => value ?? ZERO;
