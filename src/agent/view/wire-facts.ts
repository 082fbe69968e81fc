/**
 * The raw figures from which the desk computes its own limits: positions, orders in flight, and the venue's reported
 * equity. Read directly from the state, without the code on which the review relies.
 */
import { type Decimal, maxDecimal, ONE, ZERO } from "../../core/decimal.ts";
import { isTerminal } from "../../domain/order.ts";
import type { OpenExposure, WireFacts } from "../../desk/wire-limits.ts";
import { atWorse } from "../books/amending.ts";
import { type Tracked, unsettledQty } from "../books/tracked.ts";
import type { AgentState } from "../state/state.ts";
import { markOf, totalUnrealized } from "../state/worth.ts";

/** Null until the account has been read. `symbol` is the one that the order to leave is in. */
export function wireFactsOf(state: AgentState, symbol: string, nowMs: number): WireFacts | null {
  const equityUsdt = state.equity.live(totalUnrealized(state, nowMs));
  const readAtMs = state.equity.readAtMs();
  if (equityUsdt === null || readAtMs === null) return null;
  const { gapMajors, gapOthers, gapHedged, majors, bufferUsdt } = state.settings.risk;
  return {
    phase: state.settings.phase,
    equityUsdt,
    equityAgeMs: nowMs - readAtMs,
    stakes: [
      ...held(state, nowMs),
      ...state.orders.live().flatMap((tracked) => onItsWay(state, tracked, nowMs)),
    ].concat(notYetHeld(state), missing(state, nowMs)),
    mark: markOf(state, symbol, nowMs),
    leverageSetting: state.leverage.get(symbol) ?? null,
    gapMajors,
    gapOthers,
    gapHedged,
    majors,
    bufferUsdt,
  };
}

const contractOf = (state: AgentState, symbol: string): Decimal => state.rules.get(symbol)?.contractSize ?? ONE;

const held = (state: AgentState, nowMs: number): readonly OpenExposure[] =>
  state.positions.all().map(({ symbol, side: positionSide, position }) => ({
    symbol,
    leg: positionSide,
    clientOrderId: null,
    qty: position.qty,
    price: maxDecimal(position.markPrice, markOf(state, symbol, nowMs) ?? position.avgPrice),
    contractSize: contractOf(state, symbol),
  }));

function onItsWay(state: AgentState, tracked: Tracked, nowMs: number): readonly OpenExposure[] {
  const { symbol, leg: positionSide, clientOrderId } = tracked;
  const order = atWorse(tracked);
  if (!tracked.opening || isTerminal(order.state)) return [];
  const price = maxDecimal(order.limitPrice ?? order.avgPrice, markOf(state, symbol, nowMs) ?? ZERO);
  const qty = order.qty.sub(order.executedQty);
  return [{ symbol, leg: positionSide, clientOrderId, qty, price, contractSize: contractOf(state, symbol) }];
}

/** A list lacked it, and has not proved that it is over. */
const missing = (state: AgentState, nowMs: number): readonly OpenExposure[] =>
  state.positions.missingOnes().map(({ symbol, side: positionSide, qty, price }) => ({
    symbol,
    leg: positionSide,
    clientOrderId: null,
    qty,
    price: maxDecimal(price ?? ZERO, markOf(state, symbol, nowMs) ?? ZERO),
    contractSize: contractOf(state, symbol),
  }));

/** Filled, and no reading of the position shows it yet. */
const notYetHeld = (state: AgentState): readonly OpenExposure[] =>
  state.orders.unsettled().map((tracked) => ({
    symbol: tracked.symbol,
    leg: tracked.leg,
    clientOrderId: null,
    qty: unsettledQty(tracked),
    price: tracked.order.avgPrice,
    contractSize: contractOf(state, tracked.symbol),
  }));
