/** On every tick: what each parent order does next about its child, and whether its preconditions still hold. */
import { quantize } from "../../core/decimal.ts";
import { isTerminal } from "../../domain/order.ts";
import type { TargetPosition } from "../../strategy/strategy.ts";
import { cancelOrder } from "../reconcile/cancel-order.ts";
import { chaseStep } from "./chase.ts";
import type { At } from "../contract/effects.ts";
import { amendOrder } from "./amend-order.ts";
import { followFill, followMiss } from "./follow-entry.ts";
import { voided } from "../contract/handover.ts";
import { wouldHaveTaken } from "../reconcile/handle-orders.ts";
import { mayAmend } from "../books/amending.ts";
import { DECISION_LIFE_MS } from "../books/intents.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { ParentOrder } from "../books/parent-order.ts";
import { bestOf, endEntry, placeNext, RAN_AWAY, sceneOf } from "./parent-orders.ts";
import { smallestQty } from "./slices.ts";
import type { AgentState } from "../state/state.ts";
import { stopStaysBehind } from "../view/stop-slots.ts";

/** On ticks in every stage: lapsed parents end, others follow or place a child, and orders without a parent are withdrawn. */
export function workEntries(state: AgentState, at: At): void {
  withdrawStale(state, at);
  for (const parent of [...state.parents.values()]) workEntry(state, parent, at);
}

/** A resting entry without a parent is withdrawn in time: the decision behind it is old by now. */
function withdrawStale(state: AgentState, at: At): void {
  const followed = new Set([...state.parents.values()].map((parent) => parent.child));
  for (const tracked of state.orders.live()) {
    if (!tracked.opening || !tracked.ours || tracked.fate !== "known" || followed.has(tracked.clientOrderId)) continue;
    if (at.nowMs - tracked.promisedAtMs > state.settings.execution.restFor)
      cancelOrder(state, tracked.clientOrderId, { ...at, why: "it rested long enough" });
  }
}

function workEntry(state: AgentState, parent: ParentOrder, at: At): void {
  const why = lapsed(state, parent);
  if (why) return endEntry(state, parent, why, at);
  const child = parent.child === null ? undefined : state.orders.get(parent.child);
  if (child && child.fate !== "ended") return followChild(state, parent, child, at);
  if (child) childEnded(state, parent, child, at);
  if (state.parents.get(parent.key) !== parent || at.nowMs < parent.nextAtMs) return;
  if (at.nowMs - parent.decidedAtMs > DECISION_LIFE_MS) return endMissed(state, parent, "its decision is too old", at);
  // It waits: a quantity that filled now would have no stop.
  if (stopStaysBehind(state, parent.key, { nowMs: at.nowMs })) return;
  const refused = placeNext(state, parent, at);
  if (refused === null) return;
  if (refused === RAN_AWAY) endMissed(state, parent, refused, at);
  else endEntry(state, parent, refused, at);
}

/** The market did not fill the rest in time: what the price does next is followed. */
function endMissed(state: AgentState, parent: ParentOrder, why: string, at: At): void {
  followMiss(state, parent, parent.totalQty.sub(parent.filledQty), at);
  endEntry(state, parent, why, at);
}

/** The premise no longer holds, regardless of the market. A newer decision withdraws a resting child itself. */
function lapsed(state: AgentState, parent: ParentOrder): string | null {
  if (state.stage !== "ready") return `the agent is ${state.stage}`;
  if (state.strategies.chosen.strategy.name !== parent.strategy) return "another strategy decides";
  return voided(state.deciding.handover, { promisedAtMs: parent.decidedAtMs });
}

function followChild(state: AgentState, parent: ParentOrder, child: Tracked, at: At): void {
  if (!mayAmend(child)) return;
  const withdraw = (reason: string): void => {
    parent.ending = reason;
    cancelOrder(state, child.clientOrderId, { ...at, why: reason });
  };
  if (parent.style === "cross") return withdraw("the newer decision takes at once");
  const { entry, restFor } = state.settings.execution;
  const scene = sceneOf(state, child.symbol, at.nowMs);
  const { order } = child;
  if (!order.limitPrice) return;
  const step = chaseStep({
    leg: child.leg,
    nowMs: at.nowMs,
    price: order.limitPrice,
    best: scene && quantize(bestOf(parent.target, scene.quote, false), scene.rules.tickSize, "nearest"),
    bound: parent.bound,
    chases: parent.chases,
    pricedAtMs: parent.pricedAtMs,
    deadlineMs: Math.min(parent.putAtMs + restFor, parent.decidedAtMs + DECISION_LIFE_MS),
    settings: entry,
  });
  if (step.kind === "wait") return;
  if (step.kind === "end") return withdraw(step.reason);
  const { decisionId, decidedAtMs } = parent;
  const change = { price: step.price, qty: order.qty, decisionId, decidedAtMs, reason: "following the price" };
  parent.pricedAtMs = at.nowMs;
  if (amendOrder(state, child, change, at) === "promised") parent.chases += 1;
}

/** The child has ended: what follows depends on the reason. */
function childEnded(state: AgentState, parent: ParentOrder, child: Tracked, at: At): void {
  const { entry, slices } = state.settings.execution;
  const { order } = child;
  const end = (why: string): void => endEntry(state, parent, why, at);
  const wanted = parent.totalQty.sub(parent.filledQty);
  parent.filledQty = parent.filledQty.add(order.executedQty);
  followFill(state, parent, child, at);
  parent.child = null;
  const { ending } = parent;
  parent.ending = null;
  const left = parent.totalQty.sub(parent.filledQty);
  const rules = state.rules.get(child.symbol);
  const price = order.limitPrice;
  if (left.lte(0)) return end("");
  if (!rules || !price || left.lt(smallestQty(price, rules))) return end("it is less than the venue takes");
  if (order.executedQty.gte(order.qty)) {
    parent.nextAtMs = at.nowMs + slices.pause;
    return;
  }
  if (ending !== null) return outOfBounds(state, parent, ending, at);
  const postOnly = order.timeInForce === "GTX";
  if (postOnly && (wouldHaveTaken(child) || child.unsent)) {
    if (parent.chases >= entry.chases) return outOfBounds(state, parent, "the price kept coming to it", at);
    parent.chases += 1;
    parent.nextAtMs = at.nowMs + (child.unsent ? entry.chaseEvery : 0);
    return;
  }
  // A slice that filled something is followed by the next; a single order has had its try, as have slices without a fill.
  if (!postOnly && order.qty.lt(wanted) && order.executedQty.gt(0)) {
    parent.nextAtMs = at.nowMs + slices.pause;
    return;
  }
  const why = whyOver(child);
  if (why === NO_MORE) endMissed(state, parent, why, at);
  else end(why);
}

const NO_MORE = "the book had no more at that price";

function whyOver({ order, ending, unsent, cancelAskedMs }: Tracked): string {
  if (unsent) return `it did not leave (${ending})`;
  if (!isTerminal(order.state)) return `the venue refused it (${ending})`;
  return cancelAskedMs === null ? NO_MORE : "it was withdrawn";
}

/** Ends a post-only entry, or takes the rest across the spread if the price is still within its bound. */
function outOfBounds(state: AgentState, parent: ParentOrder, why: string, at: At): void {
  if (parent.style === "post-only" && state.settings.execution.entry.then === "give-up")
    return endMissed(state, parent, why, at);
  parent.style = "cross";
  parent.nextAtMs = at.nowMs;
}

/** A newer decision enters no more into the position: what an older one had not placed yet is dropped. */
export function dropRest(state: AgentState, positionKey: string, at: At): void {
  const parent = state.parents.get(positionKey);
  if (!parent) return;
  const child = parent.child === null ? undefined : state.orders.get(parent.child);
  if (child && child.fate !== "ended") return;
  endEntry(state, parent, "a newer decision wants no more", at);
}

/** A newer decision wants the position flat, or the opposite one: what an older one had not placed yet is dropped. */
export function dropOvertaken(state: AgentState, target: TargetPosition, at: At): void {
  for (const parent of [...state.parents.values()]) {
    // As in the planner: a size turns from the other side, and flat means its own side alone.
    const goesOn = (parent.target.leg === target.leg) === target.size > 0;
    if (parent.target.symbol !== target.symbol || goesOn) continue;
    if (parent.child !== null) cancelOrder(state, parent.child, { ...at, why: "a newer decision" });
    endEntry(state, parent, "a newer decision wants something else", at);
  }
}
