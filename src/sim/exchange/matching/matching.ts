/**
 * How an order meets the book. Self-trade prevention is "cancel newest": a participant's order that would meet another
 * of the same participant ends there. Orders of the venue itself (closing, algo, liquidation) cancel the participant's
 * own resting order instead, so that protection does not fail because of it.
 */
import { isTerminal } from "../../../domain/order.ts";
import { anyPrice, crosses, frontOf, shrink, take, takeable } from "../book/book.ts";
import { type BookOrder, OUTSIDE } from "../book/book-level.ts";
import { affordableLots, applyFill } from "./fills.ts";
import { bookMoved } from "../state/notes.ts";
import { onlyReduces, opens } from "../positions/opening.ts";
import { cancelNow, recount, rejectNow, restOrder, shrinkBySystem, unrestOrder } from "./order-life.ts";
import { reducibleLots } from "../positions/positions.ts";
import { printTrade, pushOrder } from "../records/push.ts";
import type { Order, World } from "../state/state.ts";

/** Books the participant's side of a match that an outside order caused. */
export function fillMaker(world: World, maker: BookOrder, ticks: number, lots: number): void {
  const order = maker.owner === OUTSIDE ? undefined : world.orders.open(maker.ref);
  if (order !== undefined) applyFill(world, order, { ticks, lots, maker: true });
}

/** Matches the rest of an order up to its limit, or to `limit` if it has none; returns the remaining lots. */
export function execute(world: World, order: Order, limit: number | null = null): number {
  const { instrument, wallet } = order.exposure;
  const buy = order.side === "BUY";
  const owner = wallet.portfolio.no;
  const limitTicks = order.ticks ?? limit ?? anyPrice(buy);
  for (;;) {
    const lots = order.lots - order.filledLots;
    if (!crosses(instrument.book, buy, limitTicks)) return lots;
    const left = take(instrument.book, { buy, limitTicks, lots, owner }, (maker, ticks, lots) => {
      fillMaker(world, maker, ticks, lots);
      applyFill(world, order, { ticks, lots, maker: false });
      printTrade(world, instrument, { takerBuys: buy, ticks, lots });
      bookMoved(world, instrument);
    });
    const own = left > 0 && order.origin !== "DMA" && crosses(instrument.book, buy, limitTicks);
    const front = own ? frontOf(instrument.book, buy) : null;
    const inTheWay = front === null ? undefined : world.orders.open(front.ref);
    if (inTheWay === undefined) return left;
    cancelNow(world, inTheWay, "SYSTEM", "in the way of a closing order of the same account");
  }
}

/** Cuts a reducing order that is larger than its position; false if nothing is left. */
function fitToPosition(world: World, order: Order): boolean {
  if (order.exposure.instrument.spot || !onlyReduces(order)) return true;
  const room = reducibleLots(order.exposure, order);
  if (room === 0) return false;
  if (order.lots - order.filledLots > room) shrinkBySystem(world, order, room);
  return true;
}

/** Why an order may not be matched; null if it may. */
function arrivalRefusal(world: World, order: Order): string | null {
  const { instrument, wallet } = order.exposure;
  if (instrument.state !== "live") return "the symbol is not live";
  if (wallet.status !== "NORMAL" && wallet.status !== "MARGIN_CALL" && opens(order)) {
    return "the account may not open positions";
  }
  if (!fitToPosition(world, order)) return "there is no position to reduce";
  const { ticks } = order;
  if (order.timeInForce === "GTX" && ticks !== null && crosses(instrument.book, order.side === "BUY", ticks)) {
    return "a post-only order would take liquidity";
  }
  return null;
}

/**
 * A fill-or-kill order is checked first. If another participant's reducing order shrinks during the match, the rest is
 * killed.
 */
function cannotFillWhole(order: Order): boolean {
  if (order.timeInForce !== "FOK" || order.type === "MARKET") return false;
  const { instrument, wallet } = order.exposure;
  const buy = order.side === "BUY";
  const taker = { buy, limitTicks: order.ticks ?? anyPrice(buy), lots: order.lots, owner: wallet.portfolio.no };
  return takeable(instrument.book, taker) < order.lots;
}

/** After an order's first matching it rests, or its remainder is cancelled. */
function afterTaking(world: World, order: Order, left: number): void {
  if (left === 0) return;
  const { ticks } = order;
  const mayRest = ticks !== null && (order.timeInForce === "GTC" || order.timeInForce === "GTX");
  const { instrument } = order.exposure;
  if (mayRest && !crosses(instrument.book, order.side === "BUY", ticks)) {
    restOrder(world, order, ticks);
    if (order.state !== "NEW") return;
    order.state = "OPEN";
    order.updatedAtMs = world.nowMs;
    pushOrder(world, order);
    return;
  }
  cancelNow(world, order, "SYSTEM", mayRest ? "self-trade prevention" : "not filled at once");
}

/** An accepted order reaches the book. */
export function arrive(world: World, order: Order): void {
  if (isTerminal(order.state) || order.resting !== null) return;
  const refusal = arrivalRefusal(world, order);
  if (refusal !== null) return rejectNow(world, order, refusal);
  if (order.quoteOrderQty !== "") {
    order.lots = affordableLots(order);
    recount(order);
  }
  if (order.lots === 0) return cancelNow(world, order, "SYSTEM", "the amount buys less than one lot");
  if (cannotFillWhole(order)) return cancelNow(world, order, "SYSTEM", "cannot be filled completely at once");
  afterTaking(world, order, execute(world, order));
}

/**
 * The book's part of an amendment: a smaller quantity at the same price keeps its place; any other change moves it to
 * the end of the queue, where it may take. A post-only order that would take is cancelled (records §5.2).
 */
export function applyAmendment(world: World, order: Order, ticks: number, wanted: number): void {
  if (isTerminal(order.state) || order.action !== "AMEND_PENDING") return;
  const lots = amendedLots(order, wanted);
  const left = lots - order.filledLots;
  if (left <= 0) return cancelNow(world, order, "SYSTEM", "filled beyond the amended quantity");
  const buy = order.side === "BUY";
  if (order.timeInForce === "GTX" && crosses(order.exposure.instrument.book, buy, ticks)) {
    return cancelNow(world, order, "SYSTEM", "a post-only order would take liquidity");
  }
  reshapeAmended(world, order, { ticks, lots });
  if (order.resting === null) afterTaking(world, order, execute(world, order));
}

/** When its amendment takes effect, a reducing order may exceed the remaining position. */
function amendedLots(order: Order, wanted: number): number {
  if (order.exposure.instrument.spot || !onlyReduces(order)) return wanted;
  return Math.min(wanted, order.filledLots + reducibleLots(order.exposure, order));
}

function reshapeAmended(world: World, order: Order, to: { readonly ticks: number; readonly lots: number }): void {
  const keepsPlace = to.ticks === order.ticks && to.lots <= order.lots;
  order.ticks = to.ticks;
  order.countedTicks = to.ticks;
  order.lots = to.lots;
  order.amendType = "USER";
  order.action = "AMEND_COMPLETED";
  order.updatedAtMs = world.nowMs;
  if (!keepsPlace) unrestOrder(world, order);
  else if (order.resting !== null) shrink(order.resting, to.lots - order.filledLots);
  bookMoved(world, order.exposure.instrument);
  recount(order);
  pushOrder(world, order);
}
