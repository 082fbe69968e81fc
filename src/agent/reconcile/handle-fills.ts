/**
 * Fills, each counted once. Pushes report them, and the executions list is read repeatedly for those that no push brought,
 * because a live stream does not prove that it is complete. Faults U1, U4; ground rule 2; invariant I5.
 */
import { ZERO } from "../../core/decimal.ts";
import { otherSide, positionKeyOf } from "../../domain/position.ts";
import { type Execution, realises, sideOpenedBy } from "../../domain/order.ts";
import { growPosition, isReversing, reversePosition } from "./order-fills.ts";
import { expectPosition, reportPlan } from "./position-plan.ts";
import { askStop } from "./report-position.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At } from "../contract/effects.ts";
import { countFill, opensBeside, placeOfFill } from "./handle-trades.ts";
import { bookFill } from "../positions/held-position.ts";
import { oursNotAfter, venueNotAfter } from "../../domain/venue-time.ts";
import { countCost, type FillPlace } from "../view/measure-costs.ts";
import { type AgentState, isHedged } from "../state/state.ts";
import { onCloseFilled } from "./close-end.ts";
import { orderNamed } from "./doubled-orders.ts";
import { meetAgent, tagExternalOrder } from "./external-orders.ts";
import { fillRow } from "../../rows/fill.ts";
import { reconcileRow } from "../../rows/reconcile.ts";
import { counted } from "../../core/words.ts";

const madeOf = ({ venueTime }: AgentState, { atMs }: Execution) => ({
  venueMs: atMs,
  oursMs: oursNotAfter(venueTime, atMs),
});

/** One without a time was filled when it was heard, at the latest. */
export const datedFill = ({ venueTime }: AgentState, execution: Execution, { nowMs }: At): Execution =>
  execution.atMs > 0 ? execution : { ...execution, atMs: venueNotAfter(venueTime, nowMs) };

/**
 * Of an order that no intent names. One that opened something is no close of ours, even if a close of that symbol was never
 * answered. In one-way mode what it realised must say so: the position that it closed may not be known.
 */
function reportExternal(state: AgentState, execution: Execution, { opening }: FillPlace, at: At): void {
  const { orderId, clientOrderId, symbol, side } = execution;
  const made = madeOf(state, execution);
  const opens =
    opensBeside(state, execution) || (opening && (isHedged(state, symbol) || execution.realizedPnl?.isZero() === true));
  const positionSide = opens ? { positionSide: sideOpenedBy(side) } : {};
  tagExternalOrder(state, { orderId, clientOrderId, symbol, side, made, ...positionSide }, at);
  // Older ones are compared with the journal when a run begins.
  if (opening && made.oursMs >= state.startedAtMs) meetAgent(state, { clientOrderId, symbol }, at);
}

/** A push, or a line of the executions list. One whose transaction id is known changes nothing. */
export function onFill(state: AgentState, execution: Execution, at: At): void {
  const { seen } = state.fills;
  if (seen.has(execution.transactionId)) return;
  seen.set(execution.transactionId, true);
  const tracked = orderNamed(state, execution, at);
  const place = placeOfFill(state, execution, tracked);
  // The order exists, even if the query finds none: if it has not been found yet, the look-ups start again.
  if (tracked && tracked.fate !== "ended") {
    tracked.misses = 0;
    state.orders.lookUpLater(tracked, at.nowMs, 0);
  }
  const isUnknown = !tracked && !state.restored.ourClientIds.has(execution.clientOrderId);
  if (isUnknown || (!tracked?.ours && state.ownCloses.likely(execution.orderId)))
    reportExternal(state, execution, place, at);
  // Nobody reported the order before it was filled, and no intent knows it: the list shows what it opened.
  if (isUnknown) {
    state.reads.wantAccount();
    // It may be the fill of a stop whose own push was lost as well.
    const held = place.opening ? undefined : state.positions.get(place.positionKey);
    if (held) askStop(held, at);
  }
  const { atMs: madeMs } = execution;
  const ofDay = state.equity.fill(execution, Math.min(at.nowMs, madeMs - state.venueTime.offsetMs));
  if (place.opening && tracked) {
    const qty = state.growths.fill(execution.orderId, execution.qty, execution.atMs);
    // One that its order has reported already may be of a position that is over: it says nothing of the next.
    const planned = qty.gt(0) ? expectPosition(state, tracked, madeMs) : null;
    if (!growPosition(state, tracked, { qty, price: execution.price, sinceMs: madeMs, madeMs }, at))
      reportPlan(state, planned, at);
  }
  const reverses = place.opening && tracked !== undefined && isReversing(tracked);
  if (reverses) {
    const qty = state.reductions.fill(execution.orderId, execution.qty, execution.atMs);
    reversePosition(state, tracked, qty, { atMs: execution.atMs, heardMs: at.nowMs });
  }
  countFill(state, execution, place);
  // A fill that only may belong to that position must not mark a list as outdated.
  const fill = { atMs: execution.atMs, heardMs: at.nowMs, opens: place.opening };
  if (place.sure) state.positions.filled(place.positionKey, fill);
  // The push that reports the position may be lost: the list is requested.
  const took = !place.opening && (place.sure || state.positions.get(place.positionKey) !== undefined);
  // Known in any case: a later record of the order must not take the same quantity from the next position.
  const taken = place.opening ? ZERO : state.reductions.fill(execution.orderId, execution.qty, execution.atMs);
  if (took && taken.gt(0) && state.positions.took(place.positionKey, taken, fill)) state.reads.wantAccount();
  const closedKey = reverses ? positionKeyOf(tracked.symbol, otherSide(tracked.leg)) : place.positionKey;
  const closes = place.opening && !reverses ? undefined : state.positions.get(closedKey);
  // Some pushes do not contain the realised result: then only the marks show it.
  if (closes && realises(execution)) bookFill(closes, execution.qty, madeMs);
  countCost(state, execution, place, at.nowMs);
  const { positionKey: leg, opening } = place;
  const row = { ...execution, leg, opening, ...(reverses ? { reverses } : {}), ...(ofDay ? {} : { beforeDay: true }) };
  at.out.record(fillRow(row), tracked?.decisionId ?? null);
  if (!opening) onCloseFilled(state, execution.orderId, leg, at);
}

/** Of those of one instant the list's own sequence decides: a stop may fire in the instant that its position opens. */
function oldestFirst(list: readonly Execution[]): readonly Execution[] {
  const [first, last] = [list[0]?.atMs ?? 0, list.at(-1)?.atMs ?? 0];
  const inSequence = first < last ? [...list] : [...list].reverse();
  return inSequence.sort((a, b) => a.atMs - b.atMs);
}

/** The executions list. Null means that it could not be read: it is then requested sooner than in its turn. */
export function onFillsRead(
  state: AgentState,
  { startedAtMs, fills: read }: Omit<Extract<AgentEvent, { kind: "fills-read" }>, "kind">,
  at: At,
): void {
  const { fills } = state;
  state.reads.executionsCame();
  if (!read) {
    // This should have been read by now, so it is requested sooner than in its turn.
    fills.due = true;
    return;
  }
  // The venue was asked for those since then alone: one without a time is no older.
  const list = oldestFirst(read.map((execution) => datedFill(state, execution, at)));
  const missing = list.filter(({ transactionId, atMs }) => !fills.seen.has(transactionId) && atMs >= fills.sinceMs);
  for (const execution of missing) onFill(state, execution, at);
  fills.readMs = startedAtMs;
  for (const { atMs } of list)
    fills.throughMs = Math.max(fills.throughMs, Math.min(atMs, venueNotAfter(state.venueTime, startedAtMs)));
  if (!fills.due && missing.length === 0) return;
  fills.due = false;
  const { throughMs, sinceMs } = fills;
  at.out.record(reconcileRow({ event: "fills", throughMs, sinceMs, found: missing.length }));
  if (missing.length > 0)
    at.out.log(
      "warn",
      "reconcile.done",
      `${counted(missing.length, "fill")} had not been pushed and came from the list`,
      {},
    );
}
