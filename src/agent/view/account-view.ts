/** The account as a strategy sees it: positions, their cost, and the results of the last ones. */
import type { Headroom } from "../../domain/competition.ts";
import { Decimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import type { AccountView, HeldPosition } from "../../context/snapshot.ts";
import type { RiskView } from "../../risk/view.ts";
import type { HeldPosition as Held } from "../positions/positions.ts";
import { FLOOR, notionalAt, totalUnrealized, equityNow } from "../state/worth.ts";
import { type LiveScore, liveScore, phaseSpan } from "../../domain/live-score.ts";
import { type UptimeWindow, uptimeAt } from "../books/uptime.ts";
import type { AgentState } from "../state/state.ts";

/** Closed trades shown to a strategy. */
const TRADES_SHOWN = 20;

/** What a decision is given while the account has not been read: nothing may be opened, all headroom is zero. */
export const NO_HEADROOM: Headroom = {
  mayOpen: false,
  reason: "the account has not been read yet",
  perOrderUsdt: new Decimal(0),
  totalUsdt: new Decimal(0),
  cushionMajorUsdt: new Decimal(0),
  cushionOtherUsdt: new Decimal(0),
  leverageMax: 0,
  perSymbolEquityShare: 0,
  roundTripCost: 0,
  limits: [],
};

/** For the snapshot: current marks, USDT, the newest 20 trades. If no stop is live, the wanted one is shown. */
export function accountViewOf(state: AgentState, view: RiskView): AccountView {
  const unrealizedUsdt = totalUnrealized(state, view.nowMs);
  const anchors = state.equity.anchors(view.nowMs, unrealizedUsdt);
  const positions = state.positions.all().map((held) => heldPosition(state, view, held));
  const exposure = (side: "LONG" | "SHORT"): Decimal =>
    sumDecimals(positions.filter(({ position }) => position.side === side).map(({ notionalUsdt }) => notionalUsdt));
  return {
    equityUsdt: view.equityUsdt,
    availableMarginUsdt: state.equity.availableMargin(),
    floorUsdt: FLOOR,
    floorDistanceUsdt: view.equityUsdt.sub(FLOOR),
    exposureUsdt: exposure("LONG").add(exposure("SHORT")),
    netExposureUsdt: exposure("LONG").sub(exposure("SHORT")),
    unrealizedUsdt,
    positions,
    openOrders: state.orders.live().map((tracked) => tracked.order),
    feesTodayUsdt: anchors?.feesUsdt ?? ZERO,
    realizedTodayUsdt: anchors?.realizedUsdt ?? ZERO,
    recentTrades: state.trades.recent().slice(0, TRADES_SHOWN),
    ageMs: view.accountAgeMs,
  };
}

function heldPosition(state: AgentState, view: RiskView, held: Held): HeldPosition {
  const { meta } = held;
  const position =
    view.positions.find(({ symbol, side }) => symbol === held.symbol && side === held.side) ?? held.position;
  const { feesUsdt, fundingUsdt } = state.trades.costs(held.key, held.begunMs);
  return {
    position,
    stopPrice: held.standingStop ?? meta.stopPrice,
    targetPrice: held.standingTarget ?? meta.targetPrice,
    openedAtMs: meta.openedAtMs,
    decisionId: meta.decisionId,
    strategy: meta.strategy,
    thesis: meta.thesis,
    notionalUsdt: notionalAt(state, held.symbol, position.qty, position.markPrice),
    feesUsdt,
    fundingUsdt,
  };
}

/** Computes the live score of the account at that instant, also later; null if the settings name no competition. */
export function scoreOf(state: AgentState, nowMs: number, window: UptimeWindow): (() => LiveScore) | null {
  const { settings, uptime, hourly, ranking } = state;
  if (!settings.competition) return null;
  const { dates, scoring } = settings.competition;
  const facts = {
    nowMs,
    phase: settings.phase,
    span: phaseSpan(settings.phase, dates, uptime.firstBeatMs),
    hours: hourly.hours(),
    equityUsdt: equityNow(state, nowMs)?.toNumber() ?? null,
    scoring,
    ranking: ranking?.phase === settings.phase ? ranking.ranking : null,
  };
  return () => {
    const { ratio, forecast } = uptimeAt(uptime, nowMs, window).window;
    return liveScore({ ...facts, uptime: { ratio, forecast } });
  };
}
