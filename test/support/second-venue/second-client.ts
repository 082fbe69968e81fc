/** The calls of the second exchange, translated at this edge. */
import { type Decimal, dec, toWire, ZERO } from "../../../src/core/decimal.ts";
import { mapOutcome, type Outcome } from "../../../src/core/outcome.ts";
import type { Order } from "../../../src/domain/order.ts";
import type { SymbolRules } from "../../../src/domain/symbol.ts";
import type { VenueClient } from "../../../src/domain/venue.ts";
import type { OrderKey } from "../../../src/domain/venue-calls.ts";
import {
  algoOf,
  canonicalSymbol,
  executionOf,
  isStop,
  orderOf,
  positionOf,
  type RawAnswer,
  type RawOrder,
  rawSymbol,
  refusal,
} from "./dialect.ts";
import type { SecondExchange } from "./exchange.ts";

/** Its one code that leaves open what happened. */
const TIMEOUT = -1007;

function outcomeOf<T>(answer: RawAnswer<T>): Outcome<T> {
  if (answer.ok) return { kind: "done", value: answer.data };
  return answer.code === TIMEOUT ? { kind: "unknown", message: answer.msg } : refusal(answer);
}

const text = (value: Decimal | null | undefined): string => (value ? toWire(value) : "0");
const nothing = (): undefined => undefined;

export function clientOf(second: SecondExchange, exchange: string, nextId: () => string): VenueClient {
  const ask = async <T>(read: () => RawAnswer<T>): Promise<Outcome<T>> => outcomeOf(await second.ask(read));
  const all = <T>(read: () => readonly T[]): Promise<Outcome<readonly T[]>> => ask(() => ({ ok: true, data: read() }));
  const found = (id: { readonly orderId: string } | { readonly clientOrderId: string }): RawOrder | undefined =>
    "orderId" in id
      ? second.orders.get(Number(id.orderId))
      : [...second.orders.values()].find((order) => order.clientOrderId === id.clientOrderId);
  const known = (order: RawOrder | undefined): RawAnswer<RawOrder> =>
    order ? { ok: true, data: order } : { ok: false, code: -2013, msg: "Order does not exist." };
  const orders = async (keep: (order: RawOrder) => boolean): Promise<Outcome<readonly Order[]>> =>
    mapOutcome(await all(() => [...second.orders.values()].filter(keep)), (rows) =>
      rows.map((row) => orderOf(exchange, row)),
    );
  const isIn =
    (symbol?: string) =>
    (row: { readonly symbol: string }): boolean =>
      symbol === undefined || row.symbol === rawSymbol(symbol);
  const isOpenStop = (row: RawOrder): boolean => isStop(row) && row.status === "NEW";
  const algoKey = (
    key: { readonly algoOrderId: string } | { readonly clientOrderId: string },
  ): Parameters<typeof found>[0] => ("algoOrderId" in key ? { orderId: key.algoOrderId } : key);
  const done = async <T>(asked: Promise<Outcome<T>>): Promise<Outcome<void>> => mapOutcome(await asked, nothing);
  const cancel = (key: OrderKey): Promise<Outcome<void>> => done(ask(() => second.cancel(found(key))));

  return {
    trouble: () => null,
    close: () => Promise.resolve(),
    account: async () =>
      mapOutcome(
        await ask(() => ({ ok: true, data: { wallet: text(second.walletUsdt), open: text(second.unrealized()) } })),
        ({ wallet, open }) => [
          {
            exchange,
            equity: dec(wallet).add(open),
            availableMargin: dec(wallet),
            maintenanceMargin: ZERO,
            unrealizedPnl: dec(open),
            positionMode: "BOTH" as const,
            status: "NORMAL",
          },
        ],
      ),
    assets: () => Promise.resolve({ kind: "done", value: [] }),
    symbolRules: async (symbol) =>
      mapOutcome(
        await all(() => [...second.prices.keys()].map((name) => ({ symbol: name })).filter(isIn(symbol))),
        (rows) => rows.map((row) => rulesOf(canonicalSymbol(exchange, row.symbol))),
      ),
    markPrices: async (symbol) =>
      mapOutcome(
        await all(() =>
          [...second.prices].map(([name, price]) => ({ symbol: name, price: text(price) })).filter(isIn(symbol)),
        ),
        (rows) =>
          rows.map(({ symbol: name, price }) => ({
            symbol: canonicalSymbol(exchange, name),
            markPrice: dec(price),
            atMs: second.nowMs(),
          })),
      ),
    fundingRate: (symbol) =>
      Promise.resolve({
        kind: "done",
        value: { symbol, rate: ZERO, nextFundingAtMs: Math.ceil(second.nowMs() / 28_800_000) * 28_800_000 },
      }),
    ranking: () => Promise.resolve({ kind: "rejected", reason: "other", code: "30016", message: "no ranking here" }),
    leverage: async (symbol) =>
      mapOutcome(
        await all(() =>
          [...second.leverage].map(([name, leverage]) => ({ symbol: name, leverage })).filter(isIn(symbol)),
        ),
        (rows) => rows.map((row) => ({ ...row, symbol: canonicalSymbol(exchange, row.symbol) })),
      ),
    setLeverage: (symbol, leverage) =>
      done(ask(() => ({ ok: true, data: void second.leverage.set(rawSymbol(symbol), leverage) }))),
    setPositionMode: () => Promise.resolve(refusal({ code: -4059, msg: "No need to change position side." })),

    placeOrder: async (order) =>
      mapOutcome(
        await ask(() =>
          second.place({
            clientOrderId: order.clientOrderId,
            symbol: rawSymbol(order.symbol),
            side: order.side,
            positionSide: order.positionSide === "SHORT" ? "SHORT" : "LONG",
            type: order.orderType,
            timeInForce: order.timeInForce ?? "GTC",
            reduceOnly: order.reduceOnly,
            origQty: text(order.qty),
            price: text(order.limitPrice),
            stopPrice: "0",
          }),
        ),
        ({ orderId }) => ({ orderId: String(orderId) }),
      ),
    amendOrder: async (key, { price, qty }) =>
      mapOutcome(
        await ask(() =>
          second.amend(found(key), { ...(price && { price: text(price) }), ...(qty && { origQty: text(qty) }) }),
        ),
        ({ status }) => ({ state: status }),
      ),
    cancelOrder: cancel,
    cancelAll: ({ symbol }) =>
      done(
        all(() =>
          [...second.orders.values()].filter(
            (row) => !isStop(row) && row.status === "NEW" && isIn(symbol)(row) && second.cancel(row).ok,
          ),
        ),
      ),
    order: async (key) => mapOutcome(await ask(() => known(found(key))), (row) => orderOf(exchange, row)),
    openOrders: (symbol) => orders((row) => !isStop(row) && row.status === "NEW" && isIn(symbol)(row)),
    orderHistory: ({ symbol, beginMs = 0 }) =>
      orders((row) => row.status !== "NEW" && row.time >= beginMs && isIn(symbol)(row)),
    executions: async ({ symbol, orderId, beginMs = 0 }) =>
      mapOutcome(
        await all(() =>
          second.trades.filter(
            (row) =>
              isIn(symbol)(row) && row.time >= beginMs && (orderId ?? String(row.orderId)) === String(row.orderId),
          ),
        ),
        (rows) => rows.map((row) => executionOf(exchange, row)),
      ),

    positions: async (symbol) =>
      mapOutcome(await all(() => [...second.positions.values()].filter(isIn(symbol))), (rows) =>
        rows.map((row) => positionOf(exchange, row)),
      ),
    closePosition: async (symbol, side) =>
      mapOutcome(
        await ask(() =>
          second.place({
            clientOrderId: nextId(),
            symbol: rawSymbol(symbol),
            side: side === "LONG" ? "SELL" : "BUY",
            positionSide: side,
            type: "MARKET",
            timeInForce: "IOC",
            reduceOnly: true,
            origQty: "1000000",
            price: "0",
            stopPrice: "0",
          }),
        ),
        ({ orderId }) => ({ orderId: String(orderId) }),
      ),
    closeAllPositions: () => Promise.resolve(refusal({ code: -1000, msg: "There is no such call." })),

    placeAlgo: async (order) =>
      mapOutcome(
        await ask(() =>
          second.place({
            clientOrderId: order.clientOrderId,
            symbol: rawSymbol(order.symbol),
            side: order.side,
            positionSide: order.positionSide === "SHORT" ? "SHORT" : "LONG",
            type: "STOP_MARKET",
            timeInForce: "GTC",
            reduceOnly: true,
            origQty: text(order.qty),
            price: "0",
            stopPrice: text(order.triggerPrice ?? order.stopLossPrice),
          }),
        ),
        ({ orderId }) => ({ algoOrderId: String(orderId) }),
      ),
    amendAlgo: (key, { qty, triggerPrice }) =>
      done(
        ask(() =>
          second.amend(found(algoKey(key)), {
            ...(qty && { origQty: text(qty) }),
            ...(triggerPrice && { stopPrice: text(triggerPrice) }),
          }),
        ),
      ),
    cancelAlgo: (key) => cancel({ orderId: key.algoOrderId }),
    algo: async (key) => mapOutcome(await ask(() => known(found(algoKey(key)))), (row) => algoOf(exchange, row)),
    openAlgos: async (symbol) =>
      mapOutcome(
        await all(() => [...second.orders.values()].filter((row) => isOpenStop(row) && isIn(symbol)(row))),
        (rows) => rows.map((row) => algoOf(exchange, row)),
      ),
  };
}

const rulesOf = (symbol: string): SymbolRules => ({
  symbol,
  state: "live",
  tickSize: dec("0.1"),
  pricePrecision: 1,
  lotSize: dec("0.001"),
  qtyPrecision: 3,
  minSize: dec("0.001"),
  minNotional: dec("5"),
  maxLimitSize: dec("1000"),
  maxMarketSize: dec("200"),
  maxNumOrders: 200,
  contractSize: dec("1"),
  defaultLeverage: 20,
});
