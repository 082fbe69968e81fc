/** Gives back what orders opened that the venue took twice: `reconcile/doubled-orders.ts` notices them. Invariant I2. */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import type { Tracked, Surplus } from "../books/tracked.ts";
import type { At } from "../contract/effects.ts";
import { type HeldPosition, isClosing } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { reducePosition } from "./reduce-position.ts";

/** A reduction needs time to fill and be seen before the next one is judged. */
const REDUCE_EVERY_MS = 6_000;

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
