/** Gives back what orders opened that the venue took twice: `reconcile/doubled-orders.ts` notices them. Invariant I2. */
import { SHOWN_WITHIN_MS } from "../books/read-lag.ts";
import { type Decimal, sumDecimals, toWire } from "../../core/decimal.ts";
import type { Tracked, Surplus } from "../books/tracked.ts";
import type { At } from "../contract/effects.ts";
import { type HeldPosition, isClosing } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";
import { reductionsOf } from "../state/surplus.ts";
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

const filledBy = (orders: readonly Tracked[]): Decimal => sumDecimals(orders.map(({ order }) => order.executedQty));

/** What second orders have filled and no reduction has taken, whatever it was made for. */
const leftOver = (state: AgentState, surplus: Surplus): Decimal =>
  filledBy(surplus.seconds)
    .sub(surplus.reducedQty)
    .sub(filledBy(reductionsOf(state, surplus)));

function isDue(state: AgentState, surplus: Surplus, held: HeldPosition, nowMs: number): boolean {
  const isUnderWay = reductionsOf(state, surplus).some(({ fate }) => fate !== "ended");
  if (isClosing(held, nowMs) || isUnderWay) return false;
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
  surplus.askedMs = at.nowMs;
  const why = `${toWire(left)} were opened by an order that the venue took twice`;
  reducePosition(state, held, { ...at, qty: left, why, tries: surplus.tries });
  surplus.tries += 1;
}
