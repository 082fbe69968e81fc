/**
 * A second order at the venue under an id that we sent once: an intermediary has repeated the signed request, and the venue
 * took it. What it opens was never wanted: openings halt until a person has looked, the order is withdrawn, and what it
 * filled is reduced again (`execute/reduce-surplus.ts`). Meanwhile its position is protected as a whole like any other.
 * Faults R3, V1; invariant I2.
 */
import { ZERO } from "../../core/decimal.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { At } from "../contract/effects.ts";
import type { AgentState } from "../state/state.ts";
import { noteSecond } from "../state/surplus.ts";
import { onHalt } from "./handle-hold.ts";

/** The order that a record or a fill speaks of. One with another order id than ours of that id is a second one, and adopted here. */
export function orderNamed(
  state: AgentState,
  { orderId, clientOrderId }: { readonly orderId: string; readonly clientOrderId: string },
  at: At,
): Tracked | undefined {
  const byId = orderId === "" ? undefined : state.orders.byOrderId(orderId);
  const first = state.orders.get(clientOrderId);
  if (byId && first?.promised && first.order.orderId === "" && isNameless(byId)) {
    state.orders.join(first, byId);
    return first;
  }
  if (byId) return byId;
  if (!first?.ours || orderId === "" || first.order.orderId === orderId) return first;
  if (first.order.orderId !== "") return adoptSecond(state, first, orderId, at);
  state.orders.accepted(first, orderId);
  return first;
}

/** Its record lacked the client order id, so that it counts as somebody else's. */
const isNameless = ({ ours, clientOrderId, order }: Tracked): boolean => !ours && clientOrderId === order.orderId;

function adoptSecond(state: AgentState, first: Tracked, orderId: string, at: At): Tracked {
  const { order, symbol, opening, clientOrderId } = first;
  const second = noteSecond(state, first, { orderId, qty: ZERO, nowMs: at.nowMs });
  if (!opening) return second;
  const reason = `the venue took ${clientOrderId} twice, as ${order.orderId} and ${orderId}: what the second one opens in ${symbol} is withdrawn and reduced`;
  onHalt(state, { kind: "halt", reason, atMs: at.nowMs }, at.out);
  state.reads.wantAccount();
  state.fills.due = true;
  return second;
}
