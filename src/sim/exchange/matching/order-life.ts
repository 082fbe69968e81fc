/**
 * The steps in the life of an order that need no matching: it is created as NEW, it may rest, shrink, and end. Every
 * step is pushed. Spec: 1 §3.1; records §5.7.
 */
import { isTerminal } from "../../../domain/order.ts";
import { rest, shrink, withdraw } from "../book/book.ts";
import { newBookOrder } from "../book/book-level.ts";
import { idOf, nextNumber } from "../state/ids.ts";
import { leverageOf, touchOrders } from "../positions/margin.ts";
import { bookMoved } from "../state/notes.ts";
import { joinOpen, leaveOpenOrders } from "../state/open-orders.ts";
import { pushAsset, pushOrder } from "../records/push.ts";
import { tallyAgain, tallyIn, tallyOut } from "../positions/tally.ts";
import type { Exposure, Order, World } from "../state/state.ts";

/** An order that may still be refused: it has no id, is not registered, and its creator fills it in. */
export type OrderDraft = { -readonly [Key in keyof Order]: Order[Key] };

/** A LIMIT GTC order of the participant's own, with default fields. */
export function draftOrder(world: World, exposure: Exposure): OrderDraft {
  // All fields are written out, so that all orders share one hidden class and nothing is copied by key.
  return {
    ref: 0,
    orderId: "",
    clientOrderId: "",
    exposure,
    side: "BUY",
    positionSide: "NONE",
    type: "LIMIT",
    timeInForce: "GTC",
    reduceOnly: false,
    leverage: leverageOf(exposure.wallet.portfolio, exposure.instrument),
    algoOrderId: "",
    origin: "DMA",
    protection: null,
    quoteOrderQty: "",
    lots: 0,
    ticks: null,
    countedTicks: 0,
    talliedLots: 0,
    state: "NEW",
    filledLots: 0,
    filledUnits: 0,
    lastLots: 0,
    lastTicks: 0,
    fee: null,
    reason: "",
    action: "",
    cancelType: "",
    amendType: "",
    resting: null,
    openBefore: null,
    openNext: null,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  };
}

/** Gives a draft its id and registers it, in state NEW. */
export function bearOrder(world: World, draft: OrderDraft): Order {
  draft.ref = nextNumber(world, "id");
  draft.orderId = idOf(draft.ref);
  const order: Order = draft;
  const { exposure } = order;
  const { portfolio } = exposure.wallet;
  if (draft.clientOrderId === "") draft.clientOrderId = draft.orderId;
  else portfolio.byClientId.set(draft.clientOrderId, order.ref);
  world.orders.add(order);
  portfolio.orders.push(order.ref);
  joinOpen(exposure.open, order);
  tallyIn(order);
  touchOrders(exposure);
  pushOrder(world, order);
  return order;
}

/** Puts the rest into the book, at the end of the queue at its price. */
export function restOrder(world: World, order: Order, ticks: number): void {
  const { instrument, wallet } = order.exposure;
  const lots = order.lots - order.filledLots;
  order.resting = newBookOrder({ buy: order.side === "BUY", owner: wallet.portfolio.no, ref: order.ref, ticks, lots });
  rest(instrument.book, order.resting);
  bookMoved(world, instrument);
}

/** Removes an order from the book without ending it. */
export function unrestOrder(world: World, order: Order): void {
  if (order.resting === null) return;
  withdraw(order.exposure.instrument.book, order.resting);
  order.resting = null;
  bookMoved(world, order.exposure.instrument);
}

/** Call when lots, fills or price of an open order have changed. */
export function recount(order: Order): void {
  tallyAgain(order);
  touchOrders(order.exposure);
}

/** Removes an order from the open ones; it no longer changes. */
export function leaveOpen(world: World, order: Order): void {
  world.orders.close(order);
  leaveOpenOrders(order.exposure.open, order);
  tallyOut(order);
  touchOrders(order.exposure);
}

/** Ends an order as CANCELLED; executed lots stay. Does nothing for a terminal order. */
export function cancelNow(world: World, order: Order, by: "SYSTEM" | "USER", reason: string): void {
  if (isTerminal(order.state)) return;
  unrestOrder(world, order);
  order.cancelType = by;
  end(world, order, "CANCELLED", reason);
}

/** Ends an order that never met the book. */
export const rejectNow = (world: World, order: Order, reason: string): void => end(world, order, "REJECTED", reason);

function end(world: World, order: Order, state: "CANCELLED" | "REJECTED", reason: string): void {
  order.state = state;
  order.reason = reason;
  order.action = "";
  order.updatedAtMs = world.nowMs;
  leaveOpen(world, order);
  pushOrder(world, order);
  pushAsset(world, order.exposure.wallet);
}

/** The venue shrinks an order to the quantity that is left to reduce. */
export function shrinkBySystem(world: World, order: Order, left: number): void {
  order.lots = order.filledLots + left;
  order.amendType = "SYSTEM";
  order.updatedAtMs = world.nowMs;
  if (order.resting !== null) {
    shrink(order.resting, left);
    bookMoved(world, order.exposure.instrument);
  }
  recount(order);
  pushOrder(world, order);
}
