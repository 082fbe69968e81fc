/** What only spot orders need. Spot is kept simple: no borrowing, coins are bought with what is there. Records §5.1. */
import { Decimal, dec } from "../../core/decimal.ts";
import { valueOf } from "./figures.ts";
import type { Order } from "./state.ts";

/** Lots that a market buy of a quote amount gets from the asks of the moment, the last level in part. */
export function affordableLots(order: Order): number {
  const { instrument } = order.exposure;
  let money = dec(order.quoteOrderQty);
  let lots = 0;
  const { ladder } = instrument.book.asks;
  for (let i = ladder.length - 1; i >= 0; i--) {
    const level = ladder[i];
    if (level === undefined) break;
    const price = valueOf(instrument, level.ticks);
    const affordable = money.div(price).toDecimalPlaces(0, Decimal.ROUND_FLOOR);
    if (affordable.lt(level.lots)) return lots + affordable.toNumber();
    lots += level.lots;
    money = money.sub(price.mul(level.lots));
  }
  return lots;
}
