import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { PlaceAlgoOrder } from "../../src/domain/algo-order.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { FEED_ENDPOINTS, TRADING_ENDPOINTS } from "../../src/protocol/endpoints.ts";
import { describeFault, parseRequest } from "../../src/protocol/parse-request.ts";
import { pageAsked, pageFrom } from "../../src/protocol/page.ts";
import { cancelAllOrders } from "../../src/protocol/trading/cancel-all-orders.ts";
import { closeAllPositions } from "../../src/protocol/trading/close-all-positions.ts";
import { placeAlgo, placeAlgoToWire } from "../../src/protocol/trading/place-algo.ts";
import { placeOrder, placeOrderToWire } from "../../src/protocol/trading/place-order.ts";
import { portfolioAssets } from "../../src/protocol/trading/portfolio-assets.ts";
import { positionBracket } from "../../src/protocol/trading/position-bracket.ts";
import { queryOrder } from "../../src/protocol/trading/query-order.ts";
import { setLeverage } from "../../src/protocol/trading/set-leverage.ts";
import { setPositionMode } from "../../src/protocol/trading/set-position-mode.ts";
import { tradingStats } from "../../src/protocol/trading/trading-stats.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";
const limit = {
  sym: SYM,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  orderQty: "0.001",
  limitPrice: "60000",
};

type Asked = Parameters<typeof parseRequest>[0];
const accepts = (endpoint: Asked, params: Record<string, unknown>): unknown => {
  const parsed = parseRequest(endpoint, params);
  return parsed.ok ? parsed.value : describeFault(parsed.error);
};
const fault = (endpoint: Asked, params: Record<string, unknown>): unknown => {
  const parsed = parseRequest(endpoint, params);
  return parsed.ok ? "accepted" : parsed.error;
};

describe("our own requests pass our own reading unchanged", () => {
  const order: PlaceOrder = {
    symbol: SYM,
    side: "SELL",
    positionSide: "NONE",
    orderType: "LIMIT",
    qty: dec("0.00100"),
    limitPrice: dec("60000.10"),
    timeInForce: "GTX",
    reduceOnly: true,
    clientOrderId: "agent_1-a",
  };

  test("a limit order in one-way mode", () => {
    const wire = placeOrderToWire(order);
    expect(wire).toEqual({
      sym: SYM,
      side: "SELL",
      orderType: "LIMIT",
      orderQty: "0.001",
      limitPrice: "60000.1",
      timeInForce: "GTX",
      clientOrderId: "agent_1-a",
      reduceOnly: "TRUE",
    });
    expect(accepts(placeOrder, wire)).toEqual(wire);
  });

  test("a market order sends neither price nor time in force", () => {
    const wire = placeOrderToWire({ ...order, orderType: "MARKET", positionSide: "SHORT", reduceOnly: false });
    expect(wire).toEqual({
      sym: SYM,
      side: "SELL",
      positionSide: "SHORT",
      orderType: "MARKET",
      orderQty: "0.001",
      clientOrderId: "agent_1-a",
    });
    expect(accepts(placeOrder, wire)).toEqual(wire);
  });

  const algo: PlaceAlgoOrder = {
    symbol: SYM,
    condition: "OCO",
    side: "SELL",
    positionSide: "LONG",
    qty: dec("0.01"),
    reduceOnly: true,
    triggerPrice: null,
    triggerType: "MARK_PRICE",
    takeProfitPrice: dec("63000"),
    stopLossPrice: dec("58500"),
    clientOrderId: "sl-1",
  };

  test("a take-profit / stop-loss pair", () => {
    const wire = placeAlgoToWire(algo);
    expect(wire).toEqual({
      algoOrderType: "TPSL",
      sym: SYM,
      clientOrderId: "sl-1",
      conditionType: "OCO",
      side: "SELL",
      orderQty: "0.01",
      positionSide: "LONG",
      reduceOnly: true,
      tpTriggerPrice: "63000",
      tpTriggerType: "MARK_PRICE",
      tpPrice: "0",
      slTriggerPrice: "58500",
      slTriggerType: "MARK_PRICE",
      slPrice: "0",
    });
    expect(accepts(placeAlgo, wire)).toEqual(wire);
  });

  test("an entire-position close names no side and no quantity", () => {
    const wire = placeAlgoToWire({ ...algo, condition: "ENTIRE_CLOSE_POSITION", takeProfitPrice: null });
    expect(wire).not.toHaveProperty("side");
    expect(wire).not.toHaveProperty("orderQty");
    expect(accepts(placeAlgo, wire)).toEqual(wire);
  });
});

describe("a fault names field, value and rule", () => {
  test.each([
    [{ ...limit, sym: "BTCUSDT" }, "sym", '"BTCUSDT"', 400009],
    [{ ...limit, sym: undefined }, "sym", "nothing", 400001],
    [{ ...limit, side: "HOLD" }, "side", '"HOLD"', 400001],
    [{ ...limit, orderQty: "0" }, "orderQty", '"0"', 400001],
    [{ ...limit, orderQty: 0.001 }, "orderQty", "0.001", 400001],
    [{ ...limit, orderQty: "-1" }, "orderQty", '"-1"', 400001],
    [{ ...limit, limitPrice: "6e4" }, "limitPrice", '"6e4"', 400001],
    [{ ...limit, limitPrice: undefined }, "limitPrice", "nothing", 400001],
    [{ ...limit, timeInForce: "DAY" }, "timeInForce", '"DAY"', 400001],
    [{ ...limit, clientOrderId: "x".repeat(41) }, "clientOrderId", JSON.stringify("x".repeat(41)), 400001],
    [{ ...limit, clientOrderId: "a b" }, "clientOrderId", '"a b"', 400001],
    [{ ...limit, orderQty: undefined }, "orderQty", "nothing", 400001],
  ])("%j", (params, field, found, code) => {
    const seen = fault(placeOrder, params);
    expect(seen).toMatchObject({ field, found, code });
    expect(seen).toHaveProperty("rule", expect.stringMatching(/^must be /));
  });

  test("a malformed symbol is named before everything else", () => {
    expect(fault(placeOrder, { sym: "btc", side: "?", orderType: "?" })).toMatchObject({ field: "sym", code: 400009 });
  });

  test("a long value is shortened", () => {
    expect(fault(queryOrder, { orderId: "9".repeat(5000) })).toMatchObject({
      field: "orderId",
      found: expect.stringMatching(/^.{80}$/) as unknown,
    });
  });

  test.each([
    [{ conditionType: "OCO", side: "SELL", orderQty: "1", tpTriggerPrice: "2" }, "slTriggerPrice"],
    [{ conditionType: "CONDITIONAL", side: "SELL", orderQty: "1" }, "conditionalTriggerPrice"],
    [{ conditionType: "CONDITIONAL", conditionalTriggerPrice: "1", orderQty: "1" }, "side"],
    [{ conditionType: "PARTIAL_CLOSE_POSITION", side: "SELL", slTriggerPrice: "1" }, "orderQty"],
    [{ conditionType: "ENTIRE_CLOSE_POSITION" }, "slTriggerPrice"],
    [{ conditionType: "TRAILING" }, "conditionType"],
  ])("algo %j", (params, field) => {
    expect(fault(placeAlgo, { algoOrderType: "TPSL", sym: SYM, ...params })).toMatchObject({ field });
  });

  test("only TPSL is open", () => {
    expect(fault(placeAlgo, { algoOrderType: "TWAP", sym: SYM, conditionType: "OCO" })).toMatchObject({
      field: "algoOrderType",
    });
  });
});

describe("spellings of real clients (records §18)", () => {
  test.each([
    [setPositionMode, { exchangeType: "EXCHANGE_A", positionMode: "net" }, { exchange: "EXCHANGE_A", mode: "NET" }],
    [
      setPositionMode,
      { exchange: "EXCHANGE_A", mode: "BOTH", exchangeType: "EXCHANGE_B" },
      { exchange: "EXCHANGE_A", mode: "BOTH" },
    ],
    [setLeverage, { sym: SYM, leverage: "5" }, { sym: SYM, leverage: 5 }],
    [placeOrder, { ...limit, side: "buy", reduceOnly: true }, { ...limit, reduceOnly: "TRUE" }],
    [
      placeOrder,
      { ...limit, reduceOnly: "false", slTriggerPrice: "1", slTriggerType: "MarkPrice" },
      { ...limit, reduceOnly: "FALSE", slTriggerPrice: "1", slTriggerType: "MARK_PRICE" },
    ],
    [
      placeOrder,
      { ...limit, orderType: "MARKET", limitPrice: "junk" },
      { sym: SYM, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "0.001" },
    ],
    [placeOrder, { ...limit, clientOrderId: "", timeInForce: null, surprise: 1 }, limit],
    [cancelAllOrders, { exchange: "exchange_a" }, { exchangeType: "EXCHANGE_A" }],
    [
      closeAllPositions,
      { exchangeType: "EXCHANGE_A", closeAllPos: true },
      { exchangeType: "EXCHANGE_A", closeAllPos: "true" },
    ],
    [closeAllPositions, { closeAllPos: "TRUE" }, { closeAllPos: "true" }],
    [portfolioAssets, { pageNum: 2, pageSize: "50" }, { page: "2", pageSize: "50" }],
    [tradingStats, { begin: "1784400000", endTime: "1784486400" }, { begin: "1784400000", end: "1784486400" }],
    [queryOrder, { orderId: "2190000000590001", symbol: SYM }, { orderId: "2190000000590001" }],
    [
      placeAlgo,
      {
        algoOrderType: "tpsl",
        sym: SYM,
        conditionType: "OCO",
        side: "sell",
        orderQty: "1",
        reduceOnly: "TRUE",
        tpTriggerPrice: "3",
        slTriggerPrice: "1",
        orderType: "MARKET",
      },
      {
        algoOrderType: "TPSL",
        sym: SYM,
        conditionType: "OCO",
        side: "SELL",
        orderQty: "1",
        reduceOnly: true,
        tpTriggerPrice: "3",
        slTriggerPrice: "1",
      },
    ],
  ])("%#", (endpoint, params, request) => expect(accepts(endpoint, params)).toEqual(request));

  test("what a spelling step does not understand is refused by the schema", () => {
    expect(fault(setLeverage, { sym: SYM, leverage: "5.5" })).toMatchObject({ field: "leverage" });
    expect(fault(closeAllPositions, { closeAllPos: "false" })).toMatchObject({ field: "closeAllPos" });
    expect(fault(closeAllPositions, {})).toMatchObject({ field: "closeAllPos", found: "nothing" });
  });

  test("a comma list of symbols", () => {
    expect(accepts(positionBracket, { sym: `${SYM},EXCHANGE_A_PERP_ETH_USDT` })).toEqual({
      sym: `${SYM},EXCHANGE_A_PERP_ETH_USDT`,
    });
    expect(fault(positionBracket, { sym: `${SYM},nonsense` })).toMatchObject({ field: "sym", code: 400009 });
  });

  test("parameters named like members of Object do no harm", () => {
    const params = JSON.parse('{"__proto__":{"orderId":"1"},"constructor":"x","orderId":"2190000000590001"}') as Record<
      string,
      unknown
    >;
    expect(accepts(queryOrder, params)).toEqual({ orderId: "2190000000590001" });
  });
});

describe("the list of endpoints", () => {
  const all = Object.entries({ ...TRADING_ENDPOINTS, ...FEED_ENDPOINTS });

  test("40 trading and 3 feed endpoints, each with its own method and path", () => {
    expect(Object.keys(TRADING_ENDPOINTS)).toHaveLength(40);
    expect(Object.keys(FEED_ENDPOINTS)).toHaveLength(3);
    expect(new Set(all.map(([, one]) => `${one.method} ${one.path}`)).size).toBe(all.length);
  });

  test.each(all)("%s is written as the documents ask", (_name, one) => {
    expect(one.path).toMatch(/^\/api\/v1\/[A-Za-z/]+$/);
    expect(one.section).toMatch(/^[12] §/);
    expect(one.limit.requests).toBeGreaterThan(0);
    expect(one.permission).toBe(one.method === "GET" ? "read" : "trade");
  });

  test("the competition's rates of 1 §8.1", () => {
    const rate = (name: keyof typeof TRADING_ENDPOINTS): number =>
      TRADING_ENDPOINTS[name].limit.perMs / TRADING_ENDPOINTS[name].limit.requests;
    expect([rate("placeOrder"), rate("amendOrder"), rate("cancelOrder")]).toEqual([5000, 5000, 5000]);
    expect(TRADING_ENDPOINTS.fundingRate.limit).toEqual({ requests: 3, perMs: 10_000 });
    expect(TRADING_ENDPOINTS.markPrice.limit).toEqual({ requests: 3, perMs: 10_000 });
    expect(TRADING_ENDPOINTS.symbolInfo.limit).toEqual({ requests: 3, perMs: 10_000 });
    expect(TRADING_ENDPOINTS.closeAllPositions.limit).toEqual({ requests: 1, perMs: 10_000 });
  });
});

describe("pages", () => {
  test("defaults, maxima, and a page past the end", () => {
    expect(pageAsked(TRADING_ENDPOINTS.openOrders, {})).toEqual({ page: 1, pageSize: 20, tooLarge: false });
    expect(pageAsked(FEED_ENDPOINTS.queryNews, { pageSize: "31" })).toEqual({ page: 1, pageSize: 31, tooLarge: true });
    expect(pageFrom([1, 2, 3, 4, 5], 2, 2)).toEqual({ page: 2, pageSize: 2, pageNum: 3, totalSize: 5, list: [3, 4] });
    expect(pageFrom([1], 9, 2)).toEqual({ page: 9, pageSize: 2, pageNum: 1, totalSize: 1, list: [] });
  });
});
