/**
 * What an action counts against a session, USDT. A placement counts its stated ceiling or else its value, a
 * replacement the value of the new order; a reducing order of the daemon and every other action count nothing. Spec:
 * records §17.6.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { Order } from "../domain/order.ts";
import { type DeskAction, opens, type PlaceAction, type ReplaceAction } from "./action.ts";

/** Quantity x contract size x price; null for a MARKET order without a reference price. */
export function placedValue({ draft, contractSize, marketPrice }: PlaceAction): Decimal | null {
  const price = draft.order.limitPrice ?? marketPrice;
  return price ? draft.order.qty.mul(contractSize).mul(price) : null;
}

/** Value of the order after the change; unchanged members come from the order as read. */
export function replacedValue({ price, qty, contractSize }: ReplaceAction, known: Order): Decimal {
  return (qty ?? known.qty).mul(contractSize).mul(price ?? known.limitPrice ?? known.avgPrice);
}

/** The amount counted against the session's caps. Null if unknown; then nothing may be submitted. */
export function countedNotional(action: DeskAction, readBack: Order | null): Decimal | null {
  if (action.kind === "order.replace") return readBack ? replacedValue(action, readBack) : null;
  if (action.kind !== "order.place") return ZERO;
  if (action.maxNotional) return action.maxNotional;
  return opens(action) ? placedValue(action) : ZERO;
}
