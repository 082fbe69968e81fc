/**
 * The second exchange itself, in memory on virtual time: one account in hedge mode, orders that fill at the price of the
 * moment, stops that trigger on it, events after each change. It outlives every run of the agent.
 */
import type { Clock, Stop } from "../../../src/core/clock.ts";
import { dec, type Decimal, ZERO } from "../../../src/core/decimal.ts";
import type { RawAnswer, RawEvent, RawOrder, RawPosition, RawTrade } from "./dialect.ts";

const LATENCY_MS = 10;
const FEE = dec("0.0005");
/** Its clock is ahead of everybody's. */
export const AHEAD_MS = 250;

export type NewOrder = Pick<
  RawOrder,
  "clientOrderId" | "symbol" | "side" | "positionSide" | "type" | "timeInForce" | "reduceOnly"
> & { readonly origQty: string; readonly price: string; readonly stopPrice: string };

const refuse = (code: number, msg: string): RawAnswer<never> => ({ ok: false, code, msg });

export class SecondExchange {
  readonly orders = new Map<number, RawOrder>();
  readonly trades: RawTrade[] = [];
  readonly positions = new Map<string, RawPosition>();
  readonly prices = new Map<string, Decimal>();
  readonly leverage = new Map<string, number>();
  walletUsdt = dec("1000");
  /** What becomes of the next orders: the answer gets lost, before or after the order was taken. */
  readonly lost: ("order" | "answer")[] = [];
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: RawEvent) => void>();
  #lastId = 8_389_000;

  constructor(clock: Clock, prices: Readonly<Record<string, string>>) {
    this.#clock = clock;
    for (const [symbol, price] of Object.entries(prices)) {
      this.prices.set(symbol, dec(price));
      this.leverage.set(symbol, 20);
    }
  }

  nowMs(): number {
    return this.#clock.nowMs() + AHEAD_MS;
  }

  listen(listener: (event: RawEvent) => void): Stop {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What a caller far away asks, answered from the state of the moment in which the question arrives. */
  async ask<T>(read: () => RawAnswer<T>): Promise<RawAnswer<T>> {
    await this.#clock.sleep(LATENCY_MS);
    const answer = structuredClone(read());
    await this.#clock.sleep(LATENCY_MS);
    return answer;
  }

  /** The market moves; stops that it crosses go off, orders that rest within reach fill. */
  move(symbol: string, price: string): void {
    this.prices.set(symbol, dec(price));
    for (const position of this.positions.values()) if (position.symbol === symbol) position.markPrice = price;
    for (const order of [...this.orders.values()])
      if (order.symbol === symbol && order.status === "NEW" && this.#isReached(order)) this.#fill(order);
  }

  place(given: NewOrder): RawAnswer<RawOrder> {
    const lost = given.type === "STOP_MARKET" ? undefined : this.lost.shift();
    const answer = lost === "order" ? null : this.#take(given);
    return lost === undefined && answer ? answer : refuse(-1007, "Timeout waiting for response from backend server.");
  }

  #take(given: NewOrder): RawAnswer<RawOrder> {
    if ([...this.orders.values()].some(({ clientOrderId }) => clientOrderId === given.clientOrderId))
      return refuse(-4116, "ClientOrderId is duplicated.");
    if (!this.prices.has(given.symbol)) return refuse(-1111, "Invalid symbol.");
    const order: RawOrder = {
      ...given,
      orderId: ++this.#lastId,
      time: this.nowMs(),
      updateTime: this.nowMs(),
      executedQty: "0",
      avgPrice: "0",
      commission: "0",
      status: "NEW",
    };
    if (given.reduceOnly && given.type !== "STOP_MARKET" && this.#heldBy(order).isZero())
      return refuse(-2022, "ReduceOnly Order is rejected.");
    this.orders.set(order.orderId, order);
    this.#reportOrder(order, null);
    if (this.#isReached(order)) this.#fill(order);
    else if (order.type !== "STOP_MARKET" && order.timeInForce !== "GTC" && order.timeInForce !== "GTX")
      this.#end(order, "EXPIRED");
    return { ok: true, data: order };
  }

  cancel(order: RawOrder | undefined): RawAnswer<RawOrder> {
    if (order?.status !== "NEW") return refuse(-2011, "Unknown order sent.");
    this.#end(order, "CANCELED");
    return { ok: true, data: order };
  }

  amend(
    order: RawOrder | undefined,
    change: Partial<Pick<RawOrder, "origQty" | "price" | "stopPrice">>,
  ): RawAnswer<RawOrder> {
    if (order?.status !== "NEW") return refuse(-2013, "Order does not exist.");
    Object.assign(order, change, { updateTime: this.nowMs() });
    this.#reportOrder(order, null);
    return { ok: true, data: order };
  }

  unrealized(): Decimal {
    return [...this.positions.values()].reduce(
      (sum, { markPrice, entryPrice, positionAmt }) => sum.add(dec(markPrice).sub(entryPrice).mul(positionAmt)),
      ZERO,
    );
  }

  #isReached({ type, side, symbol, price, stopPrice }: RawOrder): boolean {
    const now = this.prices.get(symbol) ?? ZERO;
    if (type === "MARKET") return true;
    if (type === "STOP_MARKET") return side === "SELL" ? now.lte(stopPrice) : now.gte(stopPrice);
    return side === "BUY" ? now.lte(price) : now.gte(price);
  }

  #heldBy({ symbol, positionSide }: RawOrder): Decimal {
    return dec(this.positions.get(`${symbol}|${positionSide}`)?.positionAmt ?? "0").abs();
  }

  #fill(order: RawOrder): void {
    const price = this.prices.get(order.symbol) ?? ZERO;
    const opens = (order.side === "BUY") === (order.positionSide === "LONG");
    const held = this.#heldBy(order);
    // A stop without a quantity closes all that is held.
    const asked = dec(order.origQty);
    const qty = opens || (!asked.isZero() && asked.lte(held)) ? asked : held;
    if (qty.isZero()) return this.#end(order, "EXPIRED");
    const before = this.positions.get(`${order.symbol}|${order.positionSide}`);
    const sign = order.positionSide === "LONG" ? 1 : -1;
    const realized = opens || !before ? ZERO : price.sub(before.entryPrice).mul(qty).mul(sign);
    const commission = price.mul(qty).mul(FEE);
    this.walletUsdt = this.walletUsdt.add(realized).sub(commission);
    const after = opens ? held.add(qty) : held.sub(qty);
    const entry = opens
      ? held
          .mul(before?.entryPrice ?? 0)
          .add(qty.mul(price))
          .div(after)
      : dec(before?.entryPrice ?? "0");
    const position: RawPosition = {
      symbol: order.symbol,
      positionSide: order.positionSide,
      positionAmt: after.mul(sign).toFixed(),
      entryPrice: entry.toFixed(),
      markPrice: price.toFixed(),
      leverage: this.leverage.get(order.symbol) ?? 20,
      openTime: held.isZero() ? this.nowMs() : (before?.openTime ?? this.nowMs()),
      updateTime: this.nowMs(),
    };
    if (after.isZero()) this.positions.delete(`${order.symbol}|${order.positionSide}`);
    else this.positions.set(`${order.symbol}|${order.positionSide}`, position);
    const trade: RawTrade = {
      id: 90_000 + this.trades.length,
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      qty: qty.toFixed(),
      price: price.toFixed(),
      commission: commission.toFixed(),
      realizedPnl: realized.toFixed(),
      maker: false,
      time: this.nowMs(),
    };
    this.trades.push(trade);
    Object.assign(order, {
      executedQty: trade.qty,
      avgPrice: trade.price,
      commission: trade.commission,
      status: "FILLED",
      updateTime: this.nowMs(),
    });
    this.#reportOrder(order, trade);
    this.#push({ e: "ACCOUNT_UPDATE", T: this.nowMs(), p: { ...position } });
  }

  #end(order: RawOrder, status: "CANCELED" | "EXPIRED"): void {
    Object.assign(order, { status, updateTime: this.nowMs() });
    this.#reportOrder(order, null);
  }

  #reportOrder(order: RawOrder, trade: RawTrade | null): void {
    this.#push({ e: "ORDER_TRADE_UPDATE", T: this.nowMs(), o: { ...order }, t: trade });
  }

  #push(event: RawEvent): void {
    this.#clock.after(LATENCY_MS, () => {
      for (const listener of this.#listeners) listener(event);
    });
  }
}
