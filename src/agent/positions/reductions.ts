/**
 * What orders have taken from their positions, or added to them. Their fills give it and so do they themselves, and either
 * push may be lost: whichever reports more counts, and each unit once. Fault U1; invariant I9.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { Decimal, ZERO } from "../../core/decimal.ts";

const KEPT = 500;

/** By the venue's order id, the last 500. Answers only what is new; zero where the other source gave it before. */
export interface Reductions {
  /** What this fill adds to what is known of its order. */
  fill(orderId: string, qty: Decimal): Decimal;
  /** The same of all that an order has executed. */
  order(orderId: string, executedQty: Decimal): Decimal;
}

export function createReductions(): Reductions {
  const filled = new BoundedMap<string, Decimal>(KEPT);
  const counted = new BoundedMap<string, Decimal>(KEPT);
  const count = (orderId: string, qty: Decimal): Decimal => {
    const before = counted.get(orderId) ?? ZERO;
    counted.set(orderId, Decimal.max(before, qty));
    return Decimal.max(ZERO, qty.sub(before));
  };
  return {
    fill: (orderId, qty) => {
      const sum = (filled.get(orderId) ?? ZERO).add(qty);
      filled.set(orderId, sum);
      return count(orderId, sum);
    },
    order: count,
  };
}
