/**
 * Carries out a strategy's targets on a paper account, with the same planner and limits as real orders: what is scored
 * would have been allowed. Nothing in here can reach the venue; it returns figures.
 */
import { dec, type Decimal, quantize, sumDecimals, ZERO } from "../../core/decimal.ts";
import type { AccountView, Snapshot } from "../../context/snapshot.ts";
import { positionKeyOf, type Position } from "../../domain/position.ts";
import { allLimits } from "../../risk/all-limits.ts";
import { rungHolding, rungOf } from "../../risk/floor.ts";
import { headroom } from "../../risk/headroom.ts";
import { review } from "../../risk/review.ts";
import { openingsOfDay, type RiskView, type SessionView } from "../../risk/view.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { type HeldPosition, newHeld } from "../positions/held-position.ts";
import { type MarkOf, type PaperAccount, type PaperFill, type PaperPosition } from "../paper/paper-account.ts";
import { learntCosts, takerCost } from "../view/measure-costs.ts";
import { planTargets } from "../execute/planner.ts";
import { riskViewOf } from "../view/risk-view.ts";
import type { AgentState } from "../state/state.ts";
import { FLOOR, markOf, notionalAt, quoteOf } from "../state/worth.ts";

/** Paid beyond the best price on every paper fill, as a fraction: what participants measured on the live service, rounded up. */
const PAPER_SLIPPAGE = 0.0001;
/** A paper account needs no consent; its limits are those of equity. */
const NO_CAP: Decimal = dec("1000000000");

/** Exact marks of one instant; null if the symbol's rules or every price of it are missing. */
export const marksAt =
  (state: AgentState, nowMs: number): MarkOf =>
  (symbol) =>
    markOf(state, symbol, nowMs);

/** What the limits see for a paper account: its own money and positions, the same market. Null while that is unknown. */
export function paperView(state: AgentState, account: PaperAccount, nowMs: number): RiskView | null {
  const live = riskViewOf(state, nowMs);
  if (!live) return null;
  const equityUsdt = account.equity(marksAt(state, nowMs));
  const session: SessionView = {
    id: "paper",
    active: true,
    expiresAtMs: Infinity,
    symbols: live.universe,
    allowedActions: ["order.place"],
    allowedOrderTypes: ["LIMIT", "MARKET"],
    maxNotionalPerOrder: NO_CAP,
    maxTotalNotional: NO_CAP,
    usedNotional: ZERO,
  };
  const positions = [...account.positions.values()].map((held) => positionOf(state, held, nowMs));
  const heldUsdt = sumDecimals(
    positions.map(({ symbol, qty, markPrice }) => notionalAt(state, symbol, qty, markPrice)),
  );
  return {
    ...live,
    equityUsdt,
    floorState: rungHolding(equityUsdt, heldUsdt, state.settings.risk),
    accountAgeMs: 0,
    streamsUp: { market: live.streamsUp.market, user: true },
    positions,
    openOrders: [],
    inFlight: [],
    unreadOpenings: [],
    session,
    // Its money counts on whichever exchange needs it: the leverage limit bounds it.
    accounts: new Map(
      [...live.accounts.keys()].map((exchange) => [exchange, { availableUsdt: equityUsdt, hedgeMode: true }]),
    ),
    hedgeMode: true,
    equityDayStartUsdt: account.day.startEquity,
    feesTodayUsdt: account.day.fees,
    equityAgreed: true,
    // It sends nothing and knows all of its own fills: what is unread, missing or unsound about the real account is not its own.
    equityBehind: false,
    holds: [],
    recentOpenings: openingsOfDay(account.recentOpenings, nowMs),
    recentCloses: [...account.closes.entries()].map(([key, atMs]) => {
      const [symbol = "", positionKey] = key.split("|");
      return { symbol, leg: positionKey === "SHORT" ? "SHORT" : "LONG", atMs };
    }),
  };
}

function positionOf(state: AgentState, held: PaperPosition, nowMs: number): Position {
  const markPrice = markOf(state, held.symbol, nowMs) ?? held.avgPrice;
  const gain = markPrice.sub(held.avgPrice).mul(held.qty).mul(held.contractSize);
  return {
    symbol: held.symbol,
    side: held.side,
    qty: held.qty,
    avgPrice: held.avgPrice,
    markPrice,
    unrealizedPnl: held.side === "LONG" ? gain : gain.neg(),
    leverage: state.settings.leverage,
    liquidationPrice: null,
    createdAtMs: held.openedAtMs,
    updatedAtMs: nowMs,
  };
}

/** The snapshot that all strategies saw, with the paper account in place of the real one. */
export function paperSnapshot(
  state: AgentState,
  seen: Snapshot,
  paper: { readonly name: string; readonly account: PaperAccount },
): Snapshot | null {
  const { account, name } = paper;
  const view = paperView(state, account, seen.atMs);
  if (!view) return null;
  const valueOf = ({ symbol, markPrice, qty }: Position): Decimal => notionalAt(state, symbol, qty, markPrice);
  const exposure = (side: "LONG" | "SHORT"): Decimal =>
    sumDecimals(view.positions.filter((position) => position.side === side).map(valueOf));
  const own: AccountView = {
    equityUsdt: view.equityUsdt,
    availableMarginUsdt: view.equityUsdt,
    floorUsdt: FLOOR,
    floorDistanceUsdt: view.equityUsdt.sub(FLOOR),
    exposureUsdt: exposure("LONG").add(exposure("SHORT")),
    netExposureUsdt: exposure("LONG").sub(exposure("SHORT")),
    unrealizedUsdt: sumDecimals(view.positions.map((position) => position.unrealizedPnl)),
    positions: view.positions.map((position) => {
      const held = account.positions.get(positionKeyOf(position.symbol, position.side));
      return {
        position,
        stopPrice: held?.stopPrice ?? null,
        targetPrice: held?.targetPrice ?? null,
        openedAtMs: position.createdAtMs,
        decisionId: null,
        strategy: name,
        thesis: held?.thesis ?? null,
        notionalUsdt: valueOf(position),
        feesUsdt: ZERO,
        fundingUsdt: ZERO,
      };
    }),
    openOrders: [],
    feesTodayUsdt: account.day.fees,
    realizedTodayUsdt: account.balance.add(account.day.fees).sub(account.day.startEquity),
    recentTrades: [],
    ageMs: 0,
  };
  const { score, decisions, ...market } = seen;
  void [score, decisions];
  return { ...market, account: own, headroom: headroom(view, state.settings.risk, takerCost(state)) };
}

/** Fills everything that planner and limits allow, at once. Returns the number of fills. */
export function paperTargets(
  state: AgentState,
  account: PaperAccount,
  targets: readonly TargetPosition[],
  nowMs: number,
): number {
  let fills = 0;
  let ids = 0;
  const view = paperView(state, account, nowMs);
  if (!view) return 0;
  const plans = planTargets(targets, {
    nowMs,
    settings: state.settings,
    equityUsdt: view.equityUsdt,
    isHedged: () => true,
    positions: [...account.positions.values()].map((held) => heldSideOf(state, held, nowMs)),
    live: [],
    rules: (symbol) => state.rules.get(symbol),
    quote: (symbol) => quoteOf(state, symbol, nowMs),
    lastClosedMs: (key) => account.closes.get(key) ?? null,
    left: ({ position }) => position.qty,
    nextId: () => `paper-${(ids++).toString(36)}`,
  });
  for (const plan of plans) {
    if (plan.kind === "close") fills += closePaper(state, account, plan.held.key, nowMs) ? 1 : 0;
    if (plan.kind !== "draft") continue;
    const present = paperView(state, account, nowMs);
    const reviewed = present ? review(plan.draft, present, allLimits(state.settings.risk)) : null;
    if (reviewed?.kind !== "approved") continue;
    const { order, stopPrice, targetPrice } = reviewed.draft;
    const fill = paperFill(state, order.symbol, order.side, nowMs);
    const rules = state.rules.get(order.symbol);
    if (!fill || !rules) continue;
    fills += 1;
    if (plan.opening) {
      const { symbol, leg: side, reason: thesis } = plan.target;
      const { contractSize } = rules;
      const opened = { symbol, side, qty: order.qty, avgPrice: fill.price, stopPrice, targetPrice, openedAtMs: nowMs };
      account.open({ ...opened, thesis, contractSize }, fill);
    } else account.reduce(positionKeyOf(plan.target.symbol, plan.target.leg), order.qty, fill);
  }
  return fills;
}

/** Closes a paper position at the book's price; false while there is no book. */
export function closePaper(state: AgentState, account: PaperAccount, key: string, nowMs: number): boolean {
  const held = account.positions.get(key);
  const fill = held && paperFill(state, held.symbol, held.side === "LONG" ? "SELL" : "BUY", nowMs);
  if (!fill) return false;
  account.reduce(key, held.qty, fill);
  return true;
}

/** Stops and targets, judged on marks as the venue does, and the end of an account that has come near the floor. */
export function watchPaper(state: AgentState, account: PaperAccount, nowMs: number): number {
  const marks = marksAt(state, nowMs);
  const over = rungOf(account.equity(marks), state.settings.risk) === "FLATTEN";
  let fills = 0;
  for (const [key, held] of account.positions) {
    const mark = marks(held.symbol);
    if (!mark) continue;
    const long = held.side === "LONG";
    const stopped = held.stopPrice && (long ? mark.lte(held.stopPrice) : mark.gte(held.stopPrice));
    const reached = held.targetPrice && (long ? mark.gte(held.targetPrice) : mark.lte(held.targetPrice));
    if ((stopped || reached || over) && closePaper(state, account, key, nowMs)) fills += 1;
  }
  return fills;
}

/** Fills at the best price plus a little slippage: never better than the book. */
function paperFill(state: AgentState, symbol: string, side: "BUY" | "SELL", nowMs: number): PaperFill | null {
  const quote = quoteOf(state, symbol, nowMs);
  const tick = state.rules.get(symbol)?.tickSize;
  if (!quote || !tick) return null;
  const buys = side === "BUY";
  const price = quantize(
    buys ? quote.ask * (1 + PAPER_SLIPPAGE) : quote.bid * (1 - PAPER_SLIPPAGE),
    tick,
    buys ? "up" : "down",
  );
  const mid = quantize((quote.bid + quote.ask) / 2, tick.div(2), "nearest");
  return { price, mid, feeRate: dec(learntCosts(state).fee.TAKER.toFixed(8)), atMs: nowMs };
}

/** A paper position as the planner expects it. It has no stop order: `watchPaper` is its stop. */
function heldSideOf(state: AgentState, held: PaperPosition, nowMs: number): HeldPosition {
  const { thesis, stopPrice, targetPrice, openedAtMs } = held;
  const meta = { decisionId: null, strategy: null, thesis, stopPrice, targetPrice, openedAtMs };
  return {
    ...newHeld(positionOf(state, held, nowMs), meta, nowMs),
    protection: "live",
    standingStop: stopPrice,
    standingTarget: targetPrice,
    unprotectedSinceMs: null,
  };
}
