/**
 * How much of a session an action uses, USDT. A placement counts its stated ceiling, else its value; a replacement the
 * value of the new order; a reducing order of the daemon, and everything else, nothing. Spec: records §17.6.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { Order } from "../domain/order.ts";
import { type DeskAction, opens, type PlaceAction, type ReplaceAction } from "./action.ts";

/** Quantity x contract size x price; null for a MARKET order without a price to value it at. */
export function placedValue({ draft, contractSize, marketPrice }: PlaceAction): Decimal | null {
  const price = draft.order.limitPrice ?? marketPrice;
  return price ? draft.order.qty.mul(contractSize).mul(price) : null;
}

/** Value of the order as it would be after the change; what the change leaves out is taken from the order as read. */
export function replacedValue({ price, qty, contractSize }: ReplaceAction, known: Order): Decimal {
  return (qty ?? known.qty).mul(contractSize).mul(price ?? known.limitPrice ?? known.avgPrice);
}

/** What is counted against the session's caps. Null when it cannot be known, and then nothing may be submitted. */
export function countedNotional(action: DeskAction, readBack: Order | null): Decimal | null {
  if (action.kind === "order.replace") return readBack ? replacedValue(action, readBack) : null;
  if (action.kind !== "order.place") return ZERO;
  if (action.maxNotional) return action.maxNotional;
  return opens(action) ? placedValue(action) : ZERO;
}
