/** What reducing orders that have been promised will take: it is not reduced a second time while they are on their way. */
import { type Decimal, maxDecimal, sumDecimals, ZERO } from "../../core/decimal.ts";
import { positionKeyOf } from "../../domain/position.ts";
import type { Tracked } from "../books/tracked.ts";
import { type HeldPosition, leftOf } from "../positions/held-position.ts";
import type { AgentState } from "../state/state.ts";

/** One without a reply is not relied on: a reduction may be sent again, and its fills are counted as soon as they are heard of. */
const isComing = ({ ours, opening, fate }: Tracked): boolean =>
  ours && !opening && (fate === "promised" || fate === "known");

/** A fill may be known before the record of its order that includes it. */
function stillToFill({ reductions }: AgentState, { order }: Tracked): Decimal {
  const filled = order.orderId ? reductions.total(order.orderId) : ZERO;
  return maxDecimal(ZERO, order.qty.sub(maxDecimal(filled, order.executedQty)));
}

/** The quantity that fills, and the reducing orders of ours on their way, leave of a position; never below zero. */
export function leftAfterReductions(state: AgentState, held: HeldPosition): Decimal {
  const coming = state.orders
    .live()
    .filter((tracked) => isComing(tracked) && positionKeyOf(tracked.symbol, tracked.leg) === held.key)
    .map((tracked) => stillToFill(state, tracked));
  return maxDecimal(ZERO, leftOf(held).sub(sumDecimals(coming)));
}
