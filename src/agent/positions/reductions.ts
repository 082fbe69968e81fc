/**
 * How much each order has reduced or increased its position. Both its fills and the order record report this, and either push
 * may be lost or late: a fill from after a record is not in it, one from before is, and each unit counts once. Fault U1;
 * invariant I9.
 */
import { BoundedMap } from "../../core/bounded.ts";
import { type Decimal, maxDecimal, ZERO } from "../../core/decimal.ts";

const KEPT = 500;

/**
 * By the venue's order id, the last 500. Returns only the new quantity; zero if the other source already reported it. Times are
 * the venue's; of a record without one, ours at its first report.
 */
export interface Reductions {
  /** The quantity that this fill adds to the known quantity of its order. */
  fill(orderId: string, qty: Decimal, atMs: number): Decimal;
  /** The same, from the total that the order has executed by `atMs`. */
  order(orderId: string, executedQty: Decimal, atMs: number): Decimal;
  /** All that is known of the order. */
  total(orderId: string): Decimal;
  /** What it had filled by that time at least. */
  until(orderId: string, atMs: number): Decimal;
}

/** What the two sources say of an order. Mutable. */
interface Known {
  readonly fills: { readonly qty: Decimal; readonly atMs: number }[];
  executedQty: Decimal;
  executedMs: number;
  total: Decimal;
}

/** At least so much has been filled: all known fills, or what the record had and the fills after it. */
function leastOf({ fills, executedQty, executedMs }: Omit<Known, "total">): Decimal {
  let [all, after] = [ZERO, executedQty];
  for (const { qty, atMs } of fills) {
    all = all.add(qty);
    if (atMs > executedMs) after = after.add(qty);
  }
  return maxDecimal(all, after);
}

export function createReductions(): Reductions {
  const orders = new BoundedMap<string, Known>(KEPT);
  const knownOf = (orderId: string): Known => {
    const known = orders.get(orderId) ?? { fills: [], executedQty: ZERO, executedMs: -Infinity, total: ZERO };
    orders.set(orderId, known);
    return known;
  };
  const added = (known: Known): Decimal => {
    const before = known.total;
    known.total = maxDecimal(before, leastOf(known));
    return known.total.sub(before);
  };
  return {
    fill: (orderId, qty, atMs) => {
      const known = knownOf(orderId);
      known.fills.push({ qty, atMs });
      return added(known);
    },
    order: (orderId, executedQty, atMs) => {
      const known = knownOf(orderId);
      if (executedQty.gt(known.executedQty)) {
        known.executedQty = executedQty;
        known.executedMs = atMs;
      }
      return added(known);
    },
    total: (orderId) => orders.get(orderId)?.total ?? ZERO,
    until: (orderId, atMs) => {
      const known = orders.get(orderId);
      if (!known) return ZERO;
      const { fills, executedQty, executedMs } = known;
      const early = fills.filter((fill) => fill.atMs <= atMs);
      const isKnown = executedMs <= atMs;
      return leastOf({
        fills: early,
        executedQty: isKnown ? executedQty : ZERO,
        executedMs: isKnown ? executedMs : atMs,
      });
    },
  };
}
