/**
 * A second order at the venue under an id that we sent once: an intermediary has repeated the signed request, and the venue
 * took it. What it opens was never wanted: openings halt until a person has looked, the order is withdrawn, and what it
 * filled is reduced again. Meanwhile its position is protected as a whole like any other. Faults R3, V1; invariant I2.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { Tracked } from "../books/order-tracker.ts";
import type { At } from "../contract/effects.ts";
import { reducePosition } from "../execute/reduce-position.ts";
import { type HeldPosition, isClosing } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { onHalt } from "./handle-hold.ts";

/** A reduction needs time to fill and be seen before the next one is judged. */
const REDUCE_EVERY_MS = 6_000;
/** By then a push or a list shows the position with what the second order filled. */
const SHOWN_WITHIN_MS = 4_000;

/** What second orders opened in one position and what has been given back. Mutable; times are ours, ms. */
export interface Surplus {
  readonly seconds: Tracked[];
  /** The last reduction, by client order id; null before the first. */
  reduction: string | null;
  /** What earlier reductions have filled. */
  reduced: Decimal;
  askedMs: number;
  tries: number;
}

/** The order that a record or a fill speaks of. One with another order id than ours of that id is a second one, and adopted here. */
export function orderNamed(
  state: AgentState,
  { orderId, clientOrderId }: { readonly orderId: string; readonly clientOrderId: string },
  at: At,
): Tracked | undefined {
  const byId = orderId === "" ? undefined : state.orders.byOrderId(orderId);
  if (byId) return byId;
  const first = state.orders.get(clientOrderId);
  if (!first?.ours || orderId === "" || first.order.orderId === "" || first.order.orderId === orderId) return first;
  return adoptSecond(state, first, orderId, at);
}

function adoptSecond(state: AgentState, first: Tracked, orderId: string, at: At): Tracked {
  const { order, symbol, opening, clientOrderId } = first;
  const fresh = { executedQty: ZERO, avgPrice: ZERO, fee: ZERO, reason: "", cancelPending: false };
  const second = state.orders.adopt(
    { ...order, ...fresh, orderId, clientOrderId: orderId, state: "NEW" },
    true,
    at.nowMs,
  );
  first.doubled = true;
  second.doubled = true;
  if (!opening) return second;
  const key = positionKeyOf(symbol, first.leg);
  const known = state.surplus.get(key);
  if (known) known.seconds.push(second);
  else state.surplus.set(key, { seconds: [second], reduction: null, reduced: ZERO, askedMs: -Infinity, tries: 0 });
  const reason = `the venue took ${clientOrderId} twice, as ${order.orderId} and ${orderId}: what the second one opens in ${symbol} is withdrawn and reduced`;
  onHalt(state, { kind: "halt", reason, atMs: at.nowMs }, at.out);
  state.orders.lookUpLater(second, at.nowMs, 0);
  state.accountAskedMs = -Infinity;
  state.fills.due = true;
  return second;
}

/** On every tick: gives back what second orders have opened, each unit once, after the position shows it. */
export function reduceSurplus(state: AgentState, at: At): void {
  for (const [key, surplus] of state.surplus) {
    const held = state.positions.get(key);
    const left = leftOver(state, surplus);
    const over = surplus.seconds.every(({ fate }) => fate === "ended");
    if (over && (left.lte(0) || !held)) state.surplus.delete(key);
    if (held && left.gt(0) && isDue(state, surplus, held, at.nowMs)) giveBack(state, surplus, { held, left }, at);
  }
}

const reductionOf = (state: AgentState, { reduction }: Surplus): Tracked | undefined =>
  reduction === null ? undefined : state.orders.get(reduction);

/** What second orders have filled and no reduction has taken. */
function leftOver(state: AgentState, surplus: Surplus): Decimal {
  const opened = surplus.seconds.reduce((sum, { order }) => sum.add(order.executedQty), ZERO);
  return opened.sub(surplus.reduced).sub(reductionOf(state, surplus)?.order.executedQty ?? ZERO);
}

function isDue(state: AgentState, surplus: Surplus, held: HeldPosition, nowMs: number): boolean {
  const last = reductionOf(state, surplus);
  if (isClosing(held, nowMs) || (last && last.fate !== "ended")) return false;
  const grewMs = Math.max(...surplus.seconds.map((second) => second.grewMs));
  // Reduced while it shows the wanted part alone, it would be closed.
  if (held.readAtMs < grewMs && nowMs - grewMs < SHOWN_WITHIN_MS) return false;
  return nowMs - surplus.askedMs >= REDUCE_EVERY_MS;
}

function giveBack(
  state: AgentState,
  surplus: Surplus,
  { held, left }: { readonly held: HeldPosition; readonly left: Decimal },
  at: At,
): void {
  surplus.reduced = surplus.reduced.add(reductionOf(state, surplus)?.order.executedQty ?? ZERO);
  surplus.askedMs = at.nowMs;
  const why = `${toWire(left)} were opened by an order that the venue took twice`;
  surplus.reduction = reducePosition(state, held, { ...at, qty: left, why, tries: surplus.tries });
  surplus.tries += 1;
}
