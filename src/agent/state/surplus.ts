/** Orders that the venue took twice: what the second ones opened was never wanted, and is given back in this run or the next. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import { type PastSurplus, promisedNotBefore, type Surplus, type Tracked } from "../books/tracked.ts";
import type { AgentState } from "./state.ts";

/** Adopts the second order of that id, of which its position includes `qty`; of an opening one, that is surplus. */
export function noteSecond(
  state: AgentState,
  first: Tracked,
  { orderId, qty, nowMs }: { readonly orderId: string; readonly qty: Decimal; readonly nowMs: number },
): Tracked {
  const createdAtMs = promisedNotBefore(state.venueTime, first);
  const fresh = { executedQty: qty, avgPrice: ZERO, fee: ZERO, reason: "", cancelPending: false, createdAtMs };
  const second = state.orders.adopt(
    { ...first.order, ...fresh, orderId, clientOrderId: orderId, state: "NEW" },
    true,
    nowMs,
  );
  second.settledQty = qty;
  first.doubled = true;
  second.doubled = true;
  state.orders.lookUpLater(second, nowMs, 0);
  if (!first.opening) return second;
  const key = positionKeyOf(first.symbol, first.leg);
  const known = state.surplus.get(key);
  if (known) known.seconds.push(second);
  else state.surplus.set(key, { seconds: [second], reducedQty: ZERO, askedMs: -Infinity, tries: 0 });
  return second;
}

/** The openings that their own halt has stopped stay stopped; what is left to be given back still is. */
export function recallSurplus(state: AgentState, past: readonly PastSurplus[], nowMs: number): void {
  for (const { seconds, reducedQty } of past)
    for (const { clientOrderId, orderId, qty, cancelAskedMs } of seconds) {
      const first = state.orders.get(clientOrderId);
      if (!first) continue;
      noteSecond(state, first, { orderId, qty, nowMs }).cancelAskedMs = cancelAskedMs;
      const surplus = state.surplus.get(positionKeyOf(first.symbol, first.leg));
      if (surplus) surplus.reducedQty = reducedQty;
    }
}

/** The reductions of ours in its position that were promised after the first second order was found. */
export const reductionsOf = (state: AgentState, { seconds }: Surplus): readonly Tracked[] => {
  const [first] = seconds;
  if (!first) return [];
  return state.orders
    .all()
    .filter(
      ({ ours, opening, symbol, leg, sequence }) =>
        ours && !opening && symbol === first.symbol && leg === first.leg && sequence > first.sequence,
    );
};
