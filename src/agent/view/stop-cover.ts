/** How much the stop of a position is to cover: what is held, and what it can become. */
import { Decimal, ZERO } from "../../core/decimal.ts";
import { isTerminal, remainingQty } from "../../domain/order.ts";
import { atWorse } from "../books/amending.ts";
import { type Tracked, unsettledQty } from "../books/tracked.ts";
import type { HeldPosition } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";

/** What its stop is to cover. Where the venue takes no stop larger than the position, that is what is held. */
export const coverOf = (state: AgentState, held: HeldPosition): Decimal =>
  held.stopForm === "exact" || held.stopForm === "one-sided" ? held.position.qty : mostToHold(state, held);

const isOfIt = ({ symbol, side }: HeldPosition, tracked: Tracked): boolean =>
  tracked.symbol === symbol && tracked.leg === side;

/** The most that is held by now: what orders have filled and no report of the position shows yet counts. */
export const mostHeld = ({ orders }: AgentState, held: HeldPosition): Decimal =>
  orders
    .unsettled()
    .filter((tracked) => isOfIt(held, tracked))
    .reduce((qty, tracked) => qty.add(unsettledQty(tracked)), held.position.qty);

/**
 * The most that the position can become, with what its entry may still fill, so that an entry in parts does not need a change of
 * its stop for each.
 */
export function mostToHold(state: AgentState, held: HeldPosition): Decimal {
  const { orders, parents } = state;
  let open = ZERO;
  for (const tracked of orders.live())
    if (isOfIt(held, tracked) && tracked.opening && tracked.ours && !isTerminal(tracked.order.state))
      open = open.add(remainingQty(atWorse(tracked)));
  const parent = parents.get(held.key);
  const childQty = (parent?.child ? orders.get(parent.child)?.order.executedQty : null) ?? ZERO;
  const left = parent ? parent.totalQty.sub(parent.filledQty).sub(childQty) : ZERO;
  return mostHeld(state, held).add(Decimal.max(open, left));
}
