/**
 * The open orders of an exposure, oldest first: a linked list through the orders themselves, so that removal is cheap.
 */
import type { OpenOrders, Order } from "./state.ts";

/** An empty list, for a new exposure. */
export const noOpenOrders = (): OpenOrders => ({ size: 0, first: null, last: null });

/** Appends an order, which must be in no list. */
export function joinOpen(open: OpenOrders, order: Order): void {
  order.openBefore = open.last;
  if (open.last === null) open.first = order;
  else open.last.openNext = order;
  open.last = order;
  open.size++;
}

/** Removes an order, which must be in this list, because its neighbours are its own fields. */
export function leaveOpenOrders(open: OpenOrders, order: Order): void {
  const { openBefore, openNext } = order;
  if (openBefore === null) open.first = openNext;
  else openBefore.openNext = openNext;
  if (openNext === null) open.last = openBefore;
  else openNext.openBefore = openBefore;
  order.openBefore = order.openNext = null;
  open.size--;
}

/** A copy, for loops during which orders end. */
export function listOpen(open: OpenOrders): Order[] {
  const orders: Order[] = [];
  for (let order = open.first; order !== null; order = order.openNext) orders.push(order);
  return orders;
}
