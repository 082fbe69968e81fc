/** The open orders of an exposure, oldest first: a chain through the orders themselves, so that leaving costs nothing. */
import type { OpenOrders, Order } from "./state.ts";

/** An empty chain, for a new exposure. */
export const noOpenOrders = (): OpenOrders => ({ size: 0, first: null, last: null });

/** Puts an order at the end. It must stand in no chain. */
export function joinOpen(open: OpenOrders, order: Order): void {
  order.openBefore = open.last;
  if (open.last === null) open.first = order;
  else open.last.openNext = order;
  open.last = order;
  open.size++;
}

/** Takes an order out. It must stand in this very chain, because its neighbours are its own fields. */
export function leaveOpenOrders(open: OpenOrders, order: Order): void {
  const { openBefore, openNext } = order;
  if (openBefore === null) open.first = openNext;
  else openBefore.openNext = openNext;
  if (openNext === null) open.last = openBefore;
  else openNext.openBefore = openBefore;
  order.openBefore = order.openNext = null;
  open.size--;
}

/** A copy, for walks during which orders end. */
export function listOpen(open: OpenOrders): Order[] {
  const orders: Order[] = [];
  for (let order = open.first; order !== null; order = order.openNext) orders.push(order);
  return orders;
}
