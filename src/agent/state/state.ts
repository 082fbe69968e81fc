/** Everything the agent knows, in one place. Only `step` and its handlers change it; nothing here does I/O. */
import type { BoundedMap } from "../../core/bounded.ts";
import type { Context } from "../../context/context.ts";
import type { Phase } from "../../domain/competition.ts";
import type { HourlyEquity } from "../../domain/hourly-equity.ts";
import type { Ranking } from "../../domain/live-score.ts";
import type { FeeRates } from "../../domain/venue.ts";
import { parseSymbol, type SymbolRules } from "../../domain/symbol.ts";
import type { Blocked, EntryWatch } from "../../risk/entry-watch.ts";
import type { LimitBook } from "../../risk/limit-book.ts";
import type { AccountFunds, FloorState, RecentOpening, SessionView } from "../../risk/view.ts";
import type { Quarantine } from "../../strategy/quarantine.ts";
import type { ExtraUse, Reply } from "../../strategy/strategy.ts";
import type { Cadence } from "./cadence.ts";
import type { CostBook } from "../books/cost-book.ts";
import type { StaleRules } from "./stale-rules.ts";
import type { EquityBook } from "../books/equity.ts";
import type { Strategies, StreamName } from "../contract/events.ts";
import type { FillWatch } from "../books/fill-watch.ts";
import type { Thesis } from "../books/intents.ts";
import type { VolatilityOf } from "../books/trailing.ts";
import type { StopForm } from "../positions/held-position.ts";
import type { Positions } from "../positions/positions.ts";
import type { VenueTime } from "../../domain/venue-time.ts";
import type { DecidingState } from "./deciding-state.ts";
import type { Markouts } from "../books/markouts.ts";
import type { Moves } from "../books/moves.ts";
import type { OrderTracker } from "../books/order-tracker.ts";
import type { OrphanStops } from "./orphan-stops.ts";
import type { OwnCloses } from "../books/own-closes.ts";
import type { ParentOrder } from "../books/parent-order.ts";
import type { Reads } from "./reads.ts";
import type { PastStops } from "./past-stops.ts";
import type { Restored } from "./restored.ts";
import type { ReadPace, AgentSettings } from "../contract/settings.ts";
import type { Slots } from "../books/slots.ts";
import type { Reductions } from "../positions/reductions.ts";
import type { TradeBook } from "../positions/trade-book.ts";
import type { UnprotectedSpans } from "../positions/unprotected.ts";
import type { UptimeCount } from "../books/uptime.ts";
import type { Surplus } from "../books/tracked.ts";

/** `starting` until `becomeReady` finds all it needs; decisions are made in `ready` alone; `stopping` is final. */
export type Stage = "starting" | "ready" | "stopping";

/** One target as it was decided; the price is a float, for judging. */
export interface Decided {
  readonly decisionId: string;
  readonly atMs: number;
  readonly symbol: string;
  readonly leg: "LONG" | "SHORT";
  readonly size: number;
  readonly price: number | null;
}

/** For the status. `result` is in words: the targets, else the strategy's note. */
export interface LastDecision {
  readonly decisionId: string;
  readonly atMs: number;
  readonly strategy: string;
  readonly result: string;
}

/** Decisions in a row that the chosen strategy failed to make. */
export interface FailingDecisions {
  readonly inARow: number;
  readonly sinceMs: number;
  readonly reason: string;
}

/** A decision that waits for the model. */
export interface PendingDecision {
  readonly decisionId: string;
  /** When its present round of questions was asked. */
  readonly startedAtMs: number;
  /** 1 for the first questions, one more for each round after it. */
  readonly round: number;
  /** Number of the round's first question, counted through the whole decision. */
  readonly firstPart: number;
  readonly urgent: boolean;
  /** In the order of the questions; null while one is on its way. */
  readonly replies: readonly (Reply | null)[];
  /** Their uses of the spend plan; null for the decision itself. A round of uses alone may have no answer at all. */
  readonly uses: readonly (ExtraUse | null)[];
  /** The strategy's own note to its later self. */
  readonly carry: unknown;
}

/** One per run. Times are our wall clock, ms, except those named `Mono`; -Infinity stands for never. */
export interface AgentState {
  readonly runId: string;
  readonly context: Context;
  readonly restored: Restored;
  settings: AgentSettings;
  strategies: Strategies;
  stage: Stage;
  stopReason: string;
  readonly positions: Positions;
  readonly orders: OrderTracker;
  readonly cadence: Cadence;
  readonly moves: Moves;
  readonly equity: EquityBook;
  readonly hourly: HourlyEquity;
  readonly trades: TradeBook;
  readonly fills: FillWatch;
  /** What closing orders have taken from positions, and what opening ones of ours have added. */
  readonly reductions: Reductions;
  readonly growths: Reductions;
  /** By `positionKeyOf`: what orders that the venue took twice have opened. */
  readonly surplus: Map<string, Surplus>;
  readonly orphans: OrphanStops;
  readonly pace: ReadPace;
  /** Stops that may still be placed, and standing ones that may be amended. */
  readonly stopSlots: Slots;
  readonly amendSlots: Slots;
  readonly volatility: VolatilityOf;
  readonly costs: CostBook;
  /** Post-only entries that have ended, while their price is followed. */
  readonly markouts: Markouts;
  readonly unprotected: UnprotectedSpans;
  readonly ownCloses: OwnCloses;
  readonly deciding: DecidingState;
  /** Decisions that are still being carried out, by position. */
  readonly parents: Map<string, ParentOrder>;
  readonly staleRules: StaleRules;
  /** The next settlement that each held position will pass, with the rate last reported for it. */
  readonly fundingDue: Map<string, { readonly atMs: number; readonly rate: number }>;
  readonly streams: Record<StreamName, boolean>;
  readonly rules: Map<string, SymbolRules>;
  readonly leverage: Map<string, number>;
  readonly leverageAsked: Map<string, number>;
  /** When each setting was last read back. */
  readonly leverageReadMs: Map<string, number>;
  /** By exchange: whether its account was in hedge mode when it last said so, in this run or an earlier one. */
  readonly hedgeModes: Map<string, boolean>;
  /** By exchange, as last swept. */
  accounts: ReadonlyMap<string, AccountFunds>;
  session: SessionView | null;
  /** When the session was last reported; null before the first report. */
  sessionHeardMs: number | null;
  sessionReason: string;
  /** The agent has never been allowed to trade on this account of the real service: it watches and writes nothing. */
  readOnly: boolean;
  sessionAskedMs: number;
  /** The terms of consent may have changed: ask at the next tick. */
  sessionDue: boolean;
  floor: FloorState;
  floorReason: string;
  /** The operator has said resume; it counts once everything has been read again. */
  resumeAsked: boolean;
  /** Parts of the process that are not sound, by name: nothing is opened while there is any. */
  readonly holds: Map<string, string>;
  /** Counters of all limits. */
  readonly limits: LimitBook;
  readonly entries: EntryWatch;
  entriesLookedMs: number;
  /** Since when and why every entry is blocked, once that has lasted too long. */
  blockedAlarm: Blocked | null;
  uptime: UptimeCount;
  pending: PendingDecision | null;
  readonly quarantine: Quarantine;
  lastDecision: LastDecision | null;
  /** The last targets of the trading strategy, oldest first, bounded. */
  readonly decided: Decided[];
  /** Decisions that the chosen strategy failed to make. */
  failures: number;
  /** Since when, how often in a row and last for what reason it failed; null once it has decided again. */
  failing: FailingDecisions | null;
  lastNewsMs: number;
  /** False while the sources of equity disagree; nothing is opened on an unconfirmed figure. */
  equityAgreed: boolean;
  equityAlarmMs: number;
  /** The venue's time against ours, as last measured. */
  readonly venueTime: VenueTime;
  /** What the venue says that the account pays; null until it has. */
  fees: FeeRates | null;
  /** How well the venue's time is known, for the limits; infinite where measuring it fails. */
  clockUncertaintyMs: number;
  /** The form of stop that the venue took last; in the one-sided form the target is watched here. */
  stopForm: StopForm;
  /** Why each opening order was sent, by client order id, for the position that it becomes. */
  readonly theses: BoundedMap<string, Thesis>;
  /** The openings that were promised, oldest first; of the last day whenever one is added. */
  recentOpenings: readonly RecentOpening[];
  /** When decisions began new positions in the last hour. */
  entriesMs: number[];
  readonly reads: Reads;
  /** When something that is held was last seen to have become less. */
  shrankMs: number;
  /**
   * Since when a complete reconciliation is due: at the start, after an outage or a halt. An account snapshot that
   * began earlier proves nothing about it. Null while none is due.
   */
  reconcileDueMs: number | null;
  /** When the standing stops were last read; -Infinity before the first time. */
  algosReadMs: number;
  /** When the positions were first read in this run; null before. */
  firstAccountReadMs: number | null;
  /** When the newest account snapshot that was answered whole began. */
  answeredMs: number;
  /** When the newest list of open orders was asked for; -Infinity before the first. */
  ordersListedMs: number;
  readonly pastStops: PastStops;
  /** By the monotonic clock, which continues when the wall clock is set back; -Infinity before the first heartbeat. */
  lastBeatMonoMs: number;
  lastMarkedMs: number;
  lastTickMonoMs: number;
  trimmedMs: number;
  /** How many of them in a row had gone before the last one. */
  trims: number;
  /** As last published, and for which phase. */
  ranking: { readonly phase: Phase; readonly ranking: Ranking | null } | null;
  fundingCursor: number;
  startedAtMs: number;
  /** The processes of this journal, this one among them, by the name that is part of their ids. */
  readonly ownRuns: ReadonlySet<string>;
  /** Those of other agents that have been seen on this account. */
  readonly otherRuns: BoundedMap<string, true>;
  count: number;
}

/** On the exchange that is traded on. An account of which nothing is known is in the mode that the documents call the default. */
export const tradesHedged = ({ hedgeModes, settings }: AgentState): boolean =>
  hedgeModes.get(settings.exchange) ?? true;

/** Positions are named by the position mode of their own exchange; if that was never reported, by ours. */
export function isHedged(state: AgentState, symbol: string): boolean {
  const parts = parseSymbol(symbol);
  return (parts.ok ? state.hedgeModes.get(parts.value.exchange) : undefined) ?? tradesHedged(state);
}

/** A new id of this run. Also a legal client order id: letters, digits, dashes, under 40 characters. */
export function nextId(state: AgentState, kind: string): string {
  state.count += 1;
  return `${kind}-${state.runId}-${state.count.toString(36)}`;
}

/** The process whose `nextId` named an order of its own; null for an id of another form, which `svc` gives its orders. */
export const runOfOrder = (clientOrderId: string): string | null =>
  /^i-([0-9a-z]+)-[0-9a-z]+$/.exec(clientOrderId)?.[1] ?? null;
