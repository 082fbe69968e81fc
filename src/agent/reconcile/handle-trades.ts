/** What our positions cost and earned: fills go to positions, funding to its settlements, closed trades to the journal. */
import { toWire } from "../../core/decimal.ts";
import { type Execution, isOpening, realises, sideClosedBy, sideOpenedBy } from "../../domain/order.ts";
import type { ExitCause } from "../../domain/closed-trade.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { At } from "../contract/effects.ts";
import type { FillPlace } from "../view/measure-costs.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { venueNotBefore } from "../../domain/venue-time.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { markOf, notionalAt } from "../state/worth.ts";
import { fundingAmount } from "../positions/trade-book.ts";
import { tradeRow } from "../../rows/trade.ts";

/** Whether a fill opens beside an opposite position in hedge mode: a close away from the entry price would realise something. */
export function opensBeside(state: AgentState, execution: Execution): boolean {
  const closes = positionKeyOf(execution.symbol, sideClosedBy(execution.side));
  const entry = state.positions.get(closes)?.position.avgPrice ?? state.trades.awaitedEntry(closes);
  if (!entry || !isHedged(state, execution.symbol) || state.ownCloses.named(execution.orderId)) return false;
  // A result that the venue does not say may be that of a close: stops and closes are more frequent than such openings.
  if (!execution.realizedPnl?.isZero()) return false;
  return !execution.price.eq(entry) || began(state, execution);
}

/** A close that was requested only after the fill was made is not carried out by it. */
const mayCarryOut = (state: AgentState, { atMs }: Execution, closeAskedMs: number | null): boolean =>
  closeAskedMs !== null && atMs >= venueNotBefore(state.venueTime, closeAskedMs);

/** Whether the venue dates the held position to this very fill: at the entry price a close would realise nothing either. */
const began = (state: AgentState, { symbol, side, atMs }: Execution): boolean =>
  state.positions.get(positionKeyOf(symbol, sideOpenedBy(side)))?.position.createdAtMs === atMs;

/**
 * The position that a fill belongs to. An execution names none: our order names it, else the side of the venue's order;
 * otherwise it closes what is held on the opposite side.
 */
export function placeOfFill(state: AgentState, execution: Execution, tracked: Tracked | undefined): FillPlace {
  const { symbol, side } = execution;
  if (tracked?.ours) return { positionKey: positionKeyOf(symbol, tracked.leg), opening: tracked.opening, sure: true };
  const reported = tracked?.order.positionSide ?? "NONE";
  if (tracked && reported !== "NONE")
    return { positionKey: positionKeyOf(symbol, reported), opening: isOpening(tracked.order), sure: true };
  const positionKey = positionKeyOf(symbol, sideClosedBy(side));
  const opened = { positionKey: positionKeyOf(symbol, sideOpenedBy(side)), opening: true };
  const held = state.positions.get(positionKey);
  const asked = held !== undefined && mayCarryOut(state, execution, held.closeAskedMs);
  if (opensBeside(state, execution)) return { ...opened, sure: false };
  // An external order in hedge mode may have opened the other side.
  const closes = realises(execution) || state.ownCloses.named(execution.orderId);
  if (held || closes || state.trades.knows(positionKey))
    return { positionKey, opening: false, sure: closes || asked || !isHedged(state, symbol) };
  return { ...opened, sure: true };
}

/**
 * A closing fill is dropped if its position is not held and has no trade left to report. One from before the positions that are
 * known began belongs to one before them, and so does all that filled before.
 */
export function countFill({ positions, trades }: AgentState, execution: Execution, place: FillPlace): void {
  const { positionKey, opening } = place;
  const held = positions.get(positionKey);
  if (!opening && trades.precedes(positionKey, execution.atMs, held?.begunMs))
    return trades.ended(positionKey, execution.atMs);
  if (opening || held !== undefined || trades.knows(positionKey)) trades.fill(positionKey, opening, execution);
}

/** Books the funding settlements that held positions have passed, at the rate last reported before each. */
export function countFunding(state: AgentState, { nowMs, out }: At): void {
  for (const held of state.positions.all()) {
    const due = state.fundingDue.get(held.key);
    if (due && nowMs >= due.atMs) {
      state.fundingDue.delete(held.key);
      const mark = markOf(state, held.symbol, nowMs) ?? held.position.markPrice;
      const notional = notionalAt(state, held.symbol, held.position.qty, mark);
      const amountUsdt = fundingAmount(held.side, notional, due.rate);
      state.trades.funding(held.key, amountUsdt);
      const { rate, atMs } = due;
      out.record(
        tradeRow({ event: "funding", leg: held.key, amountUsdt: amountUsdt.toDecimalPlaces(8), rate, atMs }),
        held.meta.decisionId,
      );
    }
    const next = state.context.funding(held.symbol);
    if (next && next.nextAtMs > nowMs) state.fundingDue.set(held.key, { atMs: next.nextAtMs, rate: next.rate });
  }
  for (const key of state.fundingDue.keys()) if (!state.positions.get(key)) state.fundingDue.delete(key);
}

/** What the agent decided itself is no news to it; what the market, the venue or a limit did is. */
const WAKES: Readonly<Record<ExitCause, "stop" | "limit" | null>> = {
  stop: "stop",
  target: "stop",
  outside: "stop",
  limit: "limit",
  floor: "limit",
  decision: null,
  handover: null,
  operator: null,
};

/** Journals and reports the trades whose fills have all arrived. */
export function reportTrades(state: AgentState, { nowMs, out }: At): void {
  for (const trade of state.trades.settled(nowMs, state.fills.readMs)) {
    const { exitPrice, netUsdt } = trade;
    const woken = WAKES[trade.exit];
    if (woken) state.cadence.happen(woken, `${positionKeyOf(trade.symbol, trade.side)} ${trade.exit}`, nowMs);
    out.record(
      tradeRow({
        event: "closed",
        ...trade,
        entryPrice: trade.entryPrice.toSignificantDigits(12),
        exitPrice: exitPrice && exitPrice.toSignificantDigits(12),
      }),
      trade.decisionId,
    );
    out.log(
      "info",
      "trade.closed",
      `${trade.symbol} ${trade.side}: ${netUsdt ? `${netUsdt.toFixed(2)} USDT` : "result not known"} after costs (${trade.exitReason})`,
      {
        leg: positionKeyOf(trade.symbol, trade.side),
        netUsdt: netUsdt && toWire(netUsdt.toDecimalPlaces(4)),
        ...(trade.decisionId ? { decision: trade.decisionId } : {}),
      },
    );
  }
}
