/**
 * For a host that leaves out ticks: whether the agent waits for something, and where it must see each price move
 * itself, because it works an order there, or moves a stop or a target or stands in for one. Elsewhere the orders at
 * the venue do everything.
 */
import { type HeldPosition, isClosing } from "../positions/held-position.ts";
import { awaitsTarget } from "../positions/held-stop.ts";
import type { AgentState } from "../state/state.ts";
import { isCovered } from "./watch-stops.ts";

/** Whether it waits for an answer, an order or a stop: until then each tick may do something. */
export function isWorking(state: AgentState, nowMs: number): boolean {
  const { parents, orders, positions, surplus } = state;
  return (
    parents.size > 0 ||
    orders.live().length > 0 ||
    orders.unsettled().length > 0 ||
    surplus.size > 0 ||
    positions.missingOnes().length > 0 ||
    positions.all().some((held) => held.isUnconfirmed || !isCovered(held) || isClosing(held, nowMs) || held.amending)
  );
}

export function followsPrice(state: AgentState, symbol: string): boolean {
  for (const { target } of state.parents.values()) if (target.symbol === symbol) return true;
  if (state.orders.live().some((tracked) => tracked.symbol === symbol)) return true;
  return state.positions.all().some((held) => held.symbol === symbol && isWatched(state, held));
}

function isWatched({ settings }: AgentState, held: HeldPosition): boolean {
  const { stopIsOurs, meta } = held;
  if (!isCovered(held) || !stopIsOurs || awaitsTarget(held)) return true;
  const { breakEven, trailing } = settings.protection;
  return meta.trail !== undefined || breakEven.after > 0 || trailing.distance > 0;
}
