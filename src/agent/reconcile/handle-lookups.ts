/**
 * The answer to a look-up of one order. An order that the venue has is taken over; one that appears on no list for long
 * enough ends as absent. Spec: 1 §3.1 (401018 is "order not found"); invariant I4.
 */
import { describeOutcome } from "../../core/outcome.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { At, Outbox } from "../contract/effects.ts";
import { lookedUnchanged } from "./amended.ts";
import { orderNamed } from "./doubled-orders.ts";
import { about, recordEnd, reportOrder } from "./handle-orders.ts";
import { updateFromOrder } from "../books/order-evidence.ts";
import { mustShow, SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { AgentState } from "../state/state.ts";

type LookedUp = Extract<AgentEvent, { kind: "looked-up" }>;

/** A found order is taken over; 401018 counts as a miss; after any other answer the look-up is repeated in 2 s. */
export function onLookedUp(state: AgentState, event: LookedUp, out: Outbox): void {
  const tracked = state.orders.get(event.clientOrderId);
  if (!tracked || tracked.fate === "ended") return;
  const at = { nowMs: event.atMs, out };
  const { found } = event;
  if (found.kind === "done") {
    const wasUnknown = tracked.fate !== "known";
    const named = orderNamed(state, { orderId: found.value.orderId, clientOrderId: event.clientOrderId }, at);
    const update = updateFromOrder(found.value);
    if (named) reportOrder(state, state.orders.update(named, update, at.nowMs), at);
    // The venue answered with the other order of this id.
    if (named !== tracked) return state.orders.lookUpLater(tracked, at.nowMs, 0);
    if (wasUnknown)
      out.log("info", "order.resolved", `${tracked.symbol}: the venue has it, ${found.value.state}`, about(tracked));
    lookedUnchanged(tracked, at);
    const order: Tracked = tracked;
    if (order.fate !== "ended") state.orders.lookUpLater(order, at.nowMs, order.amend ? 2_000 : 5_000);
    return;
  }
  if (found.kind !== "rejected" || found.reason !== "not-found") {
    state.orders.lookUpLater(tracked, at.nowMs, 2_000);
    if (found.kind === "rejected")
      out.log("warn", "venue.retry", `look-up of ${event.clientOrderId}: ${describeOutcome(found)}`, about(tracked));
    return;
  }
  if (!state.orders.missed(tracked, at.nowMs)) return;
  if (unfilled(state, tracked) && untouched(state, tracked)) absent(state, tracked, at);
  // Missed often enough and for long enough: only the other lists are behind, and they arrive before the next look-up would.
  else state.orders.lookUpLater(tracked, at.nowMs, SHOWN_WITHIN_MS);
}

/** The list of executions, read late enough to include the order, shows no fill of it: a fill would have restarted the misses. */
const unfilled = (state: AgentState, tracked: Tracked): boolean => mustShow(state.fills.readMs, tracked.firstMissMs);

/** The position shows nothing that this order could have done: every reading since the intent is consistent with no fill. */
function untouched(state: AgentState, tracked: Tracked): boolean {
  const held = state.positions.get(positionKeyOf(tracked.symbol, tracked.leg));
  return !held || held.meta.openedAtMs < tracked.promisedAtMs || held.meta.decisionId !== tracked.decisionId;
}

function absent(state: AgentState, tracked: Tracked, { nowMs, out }: At): void {
  state.orders.end(tracked, "ABSENT");
  const proof = {
    how: "absent" as const,
    misses: tracked.misses,
    spreadMs: Math.round(nowMs - tracked.firstMissMs),
    openOrdersEmpty: true,
    executionsEmpty: true,
    positionUnchanged: true,
  };
  recordEnd(tracked, proof, out);
  out.log(
    "info",
    "order.resolved",
    `${tracked.symbol}: the venue never had it (${tracked.misses} look-ups)`,
    about(tracked),
  );
}
