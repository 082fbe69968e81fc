/** Records how post-only entries end, and what the price does afterwards: the account of adverse selection. */
import type { Decimal } from "../../core/decimal.ts";
import type { EntryEnd } from "../../rows/markout.ts";
import { markoutRow, markoutText } from "../../rows/markout.ts";
import { slippageOf } from "../books/execution-cost.ts";
import { movedBps } from "../books/markouts.ts";
import type { Tracked } from "../books/order-tracker.ts";
import { openingSide, type ParentOrder } from "../books/parent-order.ts";
import type { At } from "../contract/effects.ts";
import { type AgentState, nextId } from "../state/state.ts";
import { notionalAt, quoteOf } from "../state/worth.ts";
import { learntCosts } from "../view/measure-costs.ts";

/** A child of the entry has ended with fills: as maker, or taken after the wait. */
export function followFill(state: AgentState, parent: ParentOrder, { order }: Tracked, at: At): void {
  if (!parent.decided || !order.executedQty.gt(0) || !order.limitPrice) return;
  const maker = order.timeInForce === "GTX";
  const price = order.avgPrice.gt(0) ? order.avgPrice : order.limitPrice;
  const fee = learntCosts(state).fee[maker ? "MAKER" : "TAKER"] * 10_000;
  const paidBps = slippageOf(openingSide(parent.target), price.toNumber(), parent.decided.mid) + fee;
  const valueUsdt = notionalAt(state, order.symbol, order.executedQty, price);
  begin(state, parent, { ended: maker ? "filled" : "crossed", paidBps, valueUsdt }, at);
}

/** The market left the rest of the entry unfilled. What a newer decision withdraws is no miss. */
export function followMiss(state: AgentState, parent: ParentOrder, left: Decimal, at: At): void {
  if (parent.decided && left.gt(0))
    begin(
      state,
      parent,
      { ended: "missed", paidBps: null, valueUsdt: notionalAt(state, parent.target.symbol, left, parent.bound) },
      at,
    );
}

interface Ended {
  readonly ended: EntryEnd;
  readonly paidBps: number | null;
  readonly valueUsdt: Decimal;
}

function begin(state: AgentState, parent: ParentOrder, { ended, paidBps, valueUsdt }: Ended, at: At): void {
  const { nowMs, out } = at;
  const mid = midOf(state, parent.target.symbol, nowMs);
  if (!parent.decided || mid === null) return;
  const { decisionId, key, target, decided } = parent;
  const side = openingSide(parent.target);
  const entry = { id: nextId(state, "m"), decisionId, symbol: target.symbol, side, mid: decided.mid, endedAtMs: nowMs };
  state.markouts.follow(entry);
  const row = {
    event: "begin" as const,
    id: entry.id,
    symbol: target.symbol,
    leg: key,
    side,
    ended,
    valueUsdt: valueUsdt.toDecimalPlaces(8),
    waitedMs: nowMs - decided.atMs,
    crossBps: rounded(decided.crossBps),
    paidBps: paidBps === null ? null : rounded(paidBps),
    movedBps: rounded(movedBps(entry, mid)),
  };
  out.record(markoutRow(row), decisionId);
  out.log("debug", "order.markout", markoutText(row), { symbol: target.symbol, decision: decisionId });
}

/** On every tick: journals the entries whose last horizon has passed. */
export function reportMarkouts(state: AgentState, { nowMs, out }: At): void {
  for (const { id, decisionId, symbol, moves } of state.markouts.look(nowMs, (of) => midOf(state, of, nowMs))) {
    const row = {
      event: "end" as const,
      id,
      moves: moves.map(({ afterMs, movedBps: moved }) => ({
        afterMs,
        movedBps: moved === null ? null : rounded(moved),
      })),
    };
    out.record(markoutRow(row), decisionId);
    out.log("debug", "order.markout", markoutText(row), { symbol, decision: decisionId });
  }
}

function midOf(state: AgentState, symbol: string, nowMs: number): number | null {
  const quote = quoteOf(state, symbol, nowMs);
  return quote && (quote.bid + quote.ask) / 2;
}

const rounded = (bps: number): number => Number(bps.toFixed(3));
