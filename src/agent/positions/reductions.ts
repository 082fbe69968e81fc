/**
 * How much each order has reduced or increased its position. Both its fills and the order record report this, and
 * either push may be lost: the larger figure counts, and each unit counts once. Fault U1; invariant I9.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { Decimal, ZERO } from "../../core/decimal.ts";

const KEPT = 500;

/**
 * By the venue's order id, the last 500. Returns only the new quantity; zero if the other source already reported it.
 */
export interface Reductions {
  /** The quantity that this fill adds to the known quantity of its order. */
  fill(orderId: string, qty: Decimal): Decimal;
  /** The same, from the total that the order has executed. */
  order(orderId: string, executedQty: Decimal): Decimal;
  /** All that is known of the order. */
  total(orderId: string): Decimal;
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
    total: (orderId) => counted.get(orderId) ?? ZERO,
  };
}
