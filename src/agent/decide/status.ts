/** The agent's status for `ballast status`, the health endpoint and the page. Money as decimal text. */
import { toWire } from "../../core/decimal.ts";
import type { LiveScore } from "../../domain/live-score.ts";
import type { Blocked } from "../../risk/entry-watch.ts";
import type { LimitCount } from "../../risk/limit-book.ts";
import type { SessionView } from "../../risk/view.ts";
import { type DecidingStatus, decidingStatus } from "./deciding-status.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { ParentOrder } from "../books/parent-order.ts";
import type { AgentState, FailingDecisions, LastDecision, Stage } from "../state/state.ts";
import { describeState, type Tracked } from "../books/tracked.ts";
import { equityNow, FLOOR, totalUnrealized, unrealizedOf } from "../state/worth.ts";
import { type CostStatus, costStatus } from "../view/measure-costs.ts";
import { scoreOf } from "../view/account-view.ts";
import type { UnprotectedView } from "../positions/unprotected.ts";
import { DEFAULT_WINDOW, type UptimeView, uptimeAt } from "../books/uptime.ts";

/** `stopPrice` is the stop at the venue, null while there is none; `targetPrice` is the wanted target, placed or not. */
export interface PositionStatus {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly qty: string;
  readonly avgPrice: string;
  readonly unrealizedUsdt: string;
  readonly protection: string;
  readonly stopPrice: string | null;
  readonly targetPrice: string | null;
  /** The wanted stop price; it differs from `stopPrice` while a move is on its way. */
  readonly wantedStopPrice: string | null;
  readonly unprotectedForMs: number | null;
  /** All time without a stop at the venue, this span included. */
  readonly unprotectedTotalMs: number;
  readonly strategy: string | null;
  readonly decision: string | null;
  readonly openedAtMs: number;
}

/** One decision that is still being carried out; `orders` counts those placed so far, `chases` the re-pricings. */
export interface EntryStatus {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly style: "cross" | "post-only";
  readonly totalQty: string;
  /** Of its orders that have ended. */
  readonly filledQty: string;
  readonly orders: number;
  readonly chases: number;
  readonly decision: string;
}

/** An order that has not ended. */
export interface OrderStatus {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  readonly state: string;
  readonly qty: string;
  readonly executedQty: string;
  readonly ours: boolean;
}

/** The automation session under which orders leave. */
export interface SessionStatus {
  readonly id: string;
  readonly active: boolean;
  readonly expiresAtMs: number;
  readonly usedNotional: string;
  readonly maxTotalNotional: string;
  readonly maxNotionalPerOrder: string;
}

/** For status page and command line. `observing` says why nothing may be opened; null under an active session. */
export interface AgentStatus {
  readonly atMs: number;
  readonly boot: string;
  readonly stage: Stage;
  readonly observing: string | null;
  readonly strategy: string;
  readonly fallback: string;
  readonly equityUsdt: string | null;
  readonly floorUsdt: string;
  readonly floorDistanceUsdt: string | null;
  readonly floorState: string;
  readonly floorReason: string;
  readonly equityAgreed: boolean;
  /** Parts of Ballast that are not sound and so hold up openings: the reason, by name. */
  readonly holds: Readonly<Record<string, string>>;
  /** How often each limit was asked and fired in this run. */
  readonly limits: readonly LimitCount[];
  /** Since when and why every entry is blocked, once that has lasted too long. */
  readonly entriesBlocked: Blocked | null;
  /** Symbols in which the venue has contradicted our rules: nothing is opened there until they have been read again. */
  readonly staleRules: readonly { readonly symbol: string; readonly reason: string }[];
  /** Decisions that are still being carried out. */
  readonly entries: readonly EntryStatus[];
  readonly feesTodayUsdt: string | null;
  readonly realizedTodayUsdt: string | null;
  readonly dayStartEquityUsdt: string | null;
  readonly positions: readonly PositionStatus[];
  /** The most positions that the settings allow at a time. */
  readonly maxPositions: number;
  readonly unprotected: UnprotectedView;
  /** What orders cost: predicted beside measured, the last 500 of them. */
  readonly costs: CostStatus;
  readonly orders: readonly OrderStatus[];
  readonly session: SessionStatus | null;
  /** Nothing is written at the venue, not even a stop: the owner never allowed this account. */
  readonly readOnly: boolean;
  readonly sessionReason: string;
  /** Since the session was last read; null before the first time. */
  readonly sessionAgeMs: number | null;
  readonly streams: Readonly<Record<string, boolean>>;
  readonly uptime: UptimeView;
  /** Null where the settings name no competition. */
  readonly score: LiveScore | null;
  readonly lastDecision: LastDecision | null;
  readonly failedDecisions: number;
  /** Decisions in a row that the chosen strategy failed to make; null once it has decided again. */
  readonly failing: FailingDecisions | null;
  /** Until when and why the chosen strategy is suspended; null while it decides. A null `untilMs` has no set end. */
  readonly benched: { readonly untilMs: number | null; readonly reason: string } | null;
  /** Whether the chosen strategy asks a model. */
  readonly asksModel: boolean;
  /** Symbols of the universe that the venue does not list; empty while its list was not read. */
  readonly unlisted: readonly string[];
  readonly deciding: DecidingStatus;
  readonly accountAgeMs: number | null;
}

/** Answers in every stage; unknown values are null. */
export function statusOf(state: AgentState, nowMs: number): AgentStatus {
  const equity = equityNow(state, nowMs);
  const readAtMs = state.equity.readAtMs();
  const anchors = state.equity.anchors(nowMs, totalUnrealized(state, nowMs));
  const { session } = state;
  return {
    atMs: nowMs,
    boot: state.runId,
    stage: state.stage,
    observing: session?.active ? null : state.sessionReason,
    strategy: state.strategies.chosen.strategy.name,
    fallback: state.strategies.fallback.strategy.name,
    equityUsdt: equity && toWire(equity.toDecimalPlaces(4)),
    floorUsdt: toWire(FLOOR),
    floorDistanceUsdt: equity && toWire(equity.sub(FLOOR).toDecimalPlaces(4)),
    floorState: state.floor,
    floorReason: state.floorReason,
    equityAgreed: state.equityAgreed,
    holds: Object.fromEntries(state.holds),
    limits: state.limits.counts(),
    entriesBlocked: state.blockedAlarm,
    staleRules: state.staleRules.all(),
    entries: [...state.parents.values()].map(entryStatus),
    feesTodayUsdt: anchors && toWire(anchors.feesUsdt),
    realizedTodayUsdt: anchors && toWire(anchors.realizedUsdt),
    dayStartEquityUsdt: anchors && toWire(anchors.equityStartUsdt),
    positions: state.positions.all().map((held) => positionStatus(state, held, nowMs)),
    maxPositions: state.settings.risk.maxPositions,
    costs: costStatus(state),
    unprotected: state.unprotected.view(
      state.settings.execution.protectWithin,
      state.positions.all().flatMap((held) => bareForMs(held, nowMs) ?? []),
    ),
    orders: state.orders.live().map(orderStatus),
    session: session && sessionStatus(session),
    readOnly: state.readOnly,
    sessionReason: state.sessionReason,
    sessionAgeMs: state.sessionHeardMs === null ? null : Math.max(0, Math.round(nowMs - state.sessionHeardMs)),
    streams: { ...state.streams },
    uptime: uptimeAt(state.uptime, nowMs, state.settings.uptimeWindow ?? DEFAULT_WINDOW),
    score: scoreOf(state, nowMs, state.settings.uptimeWindow ?? DEFAULT_WINDOW)?.() ?? null,
    lastDecision: state.lastDecision,
    failedDecisions: state.failures,
    failing: state.failing,
    benched: benchedOf(state, nowMs),
    asksModel: state.strategies.chosen.strategy.needsModel,
    unlisted: state.rules.size === 0 ? [] : state.settings.universe.filter((symbol) => !state.rules.has(symbol)),
    deciding: decidingStatus(state, nowMs),
    accountAgeMs: readAtMs === null ? null : Math.round(nowMs - readAtMs),
  };
}

function benchedOf({ quarantine }: AgentState, nowMs: number): AgentStatus["benched"] {
  const suspended = quarantine.suspension(nowMs);
  return (
    suspended && { untilMs: Number.isFinite(suspended.untilMs) ? suspended.untilMs : null, reason: suspended.reason }
  );
}

const entryStatus = (parent: ParentOrder): EntryStatus => ({
  symbol: parent.target.symbol,
  side: parent.target.leg,
  style: parent.style,
  totalQty: toWire(parent.totalQty),
  filledQty: toWire(parent.filledQty),
  orders: parent.children,
  chases: parent.chases,
  decision: parent.decisionId,
});

const positionStatus = (state: AgentState, held: HeldPosition, nowMs: number): PositionStatus => ({
  symbol: held.symbol,
  side: held.side,
  qty: toWire(held.position.qty),
  avgPrice: toWire(held.position.avgPrice),
  unrealizedUsdt: toWire(unrealizedOf(state, held, nowMs).toDecimalPlaces(4)),
  protection: held.protection,
  stopPrice: held.standingStop && toWire(held.standingStop),
  targetPrice: held.meta.targetPrice && toWire(held.meta.targetPrice),
  wantedStopPrice: held.meta.stopPrice && toWire(held.meta.stopPrice),
  unprotectedForMs: bareForMs(held, nowMs),
  unprotectedTotalMs: Math.round(held.bare.totalMs) + (bareForMs(held, nowMs) ?? 0),
  strategy: held.meta.strategy,
  decision: held.meta.decisionId,
  openedAtMs: held.meta.openedAtMs,
});

const bareForMs = ({ unprotectedSinceMs: sinceMs }: HeldPosition, nowMs: number): number | null =>
  sinceMs === null ? null : Math.round(nowMs - sinceMs);

const orderStatus = (tracked: Tracked): OrderStatus => ({
  clientOrderId: tracked.clientOrderId,
  symbol: tracked.symbol,
  side: tracked.order.side,
  state: describeState(tracked),
  qty: toWire(tracked.order.qty),
  executedQty: toWire(tracked.order.executedQty),
  ours: tracked.ours,
});

const sessionStatus = (session: SessionView): SessionStatus => ({
  id: session.id,
  active: session.active,
  expiresAtMs: session.expiresAtMs,
  usedNotional: toWire(session.usedNotional),
  maxTotalNotional: toWire(session.maxTotalNotional),
  maxNotionalPerOrder: toWire(session.maxNotionalPerOrder),
});
