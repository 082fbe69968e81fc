import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { createExchange } from "../../../../src/sim/exchange/exchange.ts";
import type { RequestOf } from "../../../../src/sim/exchange/contract/requests.ts";
import { symbolSpecs } from "../../../../src/sim/symbol-table.ts";
import { accountOf, ALICE, code, ETH_B, field, good, SOL, SPOT, T0, venue } from "../venue.ts";

const LIMIT: RequestOf<"placeOrder"> = {
  sym: SOL,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  orderQty: "1",
  limitPrice: "99",
  clientOrderId: "mine-1",
};

describe("why an order is refused", () => {
  test.each<[string, number, Partial<Record<keyof RequestOf<"placeOrder">, string | undefined>>]>([
    ["malformed symbol", 400009, { sym: "SOLUSDT" }],
    ["symbol that is not carried", 401011, { sym: "EXCHANGE_A_PERP_NOPE_USDT" }],
    ["malformed symbol before a bad side", 400009, { sym: "sol", side: "UP" }],
    ["unknown symbol before a bad side", 401011, { sym: "EXCHANGE_A_PERP_NOPE_USDT", side: "UP" }],
    ["side", 400001, { side: "UP" }],
    ["order type", 400001, { orderType: "STOP" }],
    ["time in force", 400001, { timeInForce: "DAY" }],
    ["hedge mode without a position side", 400001, { positionSide: undefined }],
    ["hedge mode with NONE", 400001, { positionSide: "NONE" }],
    ["client id too long", 400001, { clientOrderId: "x".repeat(41) }],
    ["client id with a space", 400001, { clientOrderId: "a b" }],
    ["LIMIT without a price", 400001, { limitPrice: undefined }],
    ["quantity missing", 400001, { orderQty: undefined }],
    ["quantity zero", 400001, { orderQty: "0" }],
    ["quantity in exponent form", 400001, { orderQty: "1e2" }],
    ["bad number before a price off the tick", 400001, { orderQty: "x", limitPrice: "99.05" }],
    ["price off the tick", 401015, { limitPrice: "99.05" }],
    ["price off the tick before quantity off the lot", 401015, { limitPrice: "99.05", orderQty: "0.001" }],
    ["quantity off the lot", 401015, { orderQty: "0.015" }],
    ["quantity off the lot before notional", 401015, { orderQty: "0.001" }],
    ["notional below the minimum", 401017, { orderQty: "0.05" }],
    ["quantity above the maximum", 400001, { orderQty: "1001" }],
    ["market quantity above its own maximum", 400001, { orderType: "MARKET", orderQty: "501" }],
    ["price too far from the mark", 400001, { limitPrice: "40" }],
    ["margin", 401023, { orderQty: "50" }],
    ["reducing without a position", 401097, { side: "SELL" }],
    ["reduce-only without a position", 401097, { reduceOnly: "TRUE" }],
    ["attached trigger off the tick", 401015, { slTriggerPrice: "95.01" }],
    ["attached trigger too far", 400001, { slTriggerPrice: "80" }],
  ])("%s: %i", (_case, wanted, changes) => {
    const { exchange } = venue();
    const before = exchange.snapshot();
    expect(code(exchange.place(ALICE, { ...LIMIT, ...changes } as typeof LIMIT, T0))).toBe(wanted);
    expect(exchange.snapshot()).toBe(before);
  });

  test("the order above all of them passes", () => {
    expect(code(venue().exchange.place(ALICE, LIMIT, T0))).toBe(200000);
  });

  test("margin: availableMargin x leverage carries notional x 1.1, not a lot more", () => {
    // Available 999.9 (USDT discount 0.9999) x 5 / 1.1 = 4545; at 100 that is 45.45.
    const order = (orderQty: string) => venue().exchange.place(ALICE, { ...LIMIT, limitPrice: "100", orderQty }, T0);
    expect(code(order("45.45"))).toBe(200000);
    expect(code(order("45.46"))).toBe(401023);
  });

  test("a repeated id: refused while open, after a day accepted, by policy", () => {
    const { exchange } = venue();
    const { orderId } = good(exchange.place(ALICE, LIMIT, T0));
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(406010);
    good(exchange.cancel(ALICE, { orderId }, T0));
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(406010);
    exchange.setDuplicatePolicy("refuse-while-open");
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(200000);
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(406010);
    exchange.setDuplicatePolicy("accept");
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(200000);
    good(exchange.cancelAll(ALICE, {}, T0));
    exchange.setDuplicatePolicy("refuse-recent");
    expect(code(exchange.place(ALICE, LIMIT, T0 + 86_400_001))).toBe(200000);
    good(exchange.cancelAll(ALICE, {}, T0 + 86_400_001));
    exchange.setDuplicatePolicy("refuse-always");
    expect(code(exchange.place(ALICE, LIMIT, T0 + 900_000_000))).toBe(406010);
  });

  test("at most as many open orders per symbol as the rules say", () => {
    const { exchange } = venue();
    const rest = (id: string) => exchange.place(ALICE, { ...LIMIT, clientOrderId: id }, T0);
    for (const id of ["a", "b", "c", "d", "e"]) good(rest(id));
    expect(code(rest("f"))).toBe(400001);
  });

  test("without an id the service takes the order id", () => {
    const placed = good(venue().exchange.place(ALICE, { ...LIMIT, clientOrderId: undefined }, T0));
    expect(placed.orderId).toMatch(/^\d{16}$/);
    expect(placed.clientOrderId).toBe(placed.orderId);
  });

  test("the opening cap of the phase, and its universe", () => {
    const exchange = createExchange({
      symbols: symbolSpecs({ exchanges: ["X_ONE", "X_TWO"], phase: 1 }),
      phase: 1,
      startMs: T0,
    });
    exchange.openAccount({ accountId: ALICE, exchanges: ["X_ONE", "X_TWO"], initialUsdt: dec(1000), mode: "BOTH" }, T0);
    const sym = "X_ONE_PERP_BTC_USDT";
    exchange.market.setMark(sym, dec(60000), dec(60000), T0);
    const order = { ...LIMIT, sym, orderQty: "0.001", limitPrice: "60000" } as const;
    expect(code(exchange.place(ALICE, order, T0))).toBe(400001);
    exchange.setEnforceLeverageCap(false);
    expect(code(exchange.place(ALICE, order, T0))).toBe(200000);
    exchange.setEnforceLeverageCap(true);
    good(exchange.setLeverage(ALICE, { sym, leverage: 2 }, T0));
    expect(code(exchange.place(ALICE, { ...order, clientOrderId: "b" }, T0))).toBe(200000);
    for (const other of ["X_TWO_PERP_BTC_USDT", "X_ONE_SPOT_BTC_USDT"]) {
      expect(code(exchange.place(ALICE, { ...order, sym: other }, T0))).toBe(401011);
    }
    exchange.market.setState(sym, "halted");
    expect(code(exchange.place(ALICE, { ...order, clientOrderId: "c" }, T0))).toBe(401011);
  });

  test("a frozen key and an unknown one", () => {
    const { exchange } = venue();
    exchange.setFrozen(ALICE, true);
    expect(code(exchange.place(ALICE, LIMIT, T0))).toBe(100041);
    expect(code(exchange.account(ALICE, {}, T0))).toBe(200000);
    expect(code(exchange.place("2188000000000099", LIMIT, T0))).toBe(100018);
  });
});

describe("amending, leverage, mode and closing", () => {
  test("what an amendment may not do", () => {
    const { exchange } = venue();
    const { orderId } = good(exchange.place(ALICE, LIMIT, T0));
    const amend = (request: object) => code(exchange.amend(ALICE, { orderId, ...request }, T0));
    expect(amend({})).toBe(400001);
    expect(amend({ replacePrice: "99.01" })).toBe(401015);
    expect(amend({ replaceQty: "0.005" })).toBe(401015);
    expect(amend({ replaceQty: "0.02" })).toBe(401017);
    expect(amend({ replacePrice: "10" })).toBe(400001);
    expect(amend({ replaceQty: "60" })).toBe(401023);
    expect(amend({ replaceQty: "2", replacePrice: "98" })).toBe(200000);
    expect(code(exchange.amend(ALICE, { replaceQty: "2" }, T0))).toBe(400001);
    expect(code(exchange.amend(ALICE, { orderId: "2190000000009999", replaceQty: "2" }, T0))).toBe(401018);
  });

  test("an amendment on spot: a sale needs the coin and no money, a buy its own money and what comes on top", () => {
    const { exchange } = venue();
    const spot = { sym: SPOT, orderType: "LIMIT", orderQty: "1" } as const;
    good(exchange.place(ALICE, { ...spot, side: "BUY", limitPrice: "101.5" }, T0));
    const placed = (order: object) => good(exchange.place(ALICE, { ...spot, side: "SELL", ...order }, T0)).orderId;
    const amend = (orderId: string, request: object) => code(exchange.amend(ALICE, { orderId, ...request }, T0));
    const sale = placed({ orderQty: "0.5", limitPrice: "120" });
    expect(amend(sale, { replaceQty: "2" })).toBe(401023);
    const bid = placed({ side: "BUY", orderQty: "8.6", limitPrice: "95" });
    expect(amend(sale, { replaceQty: "0.9", replacePrice: "130" })).toBe(200000);
    expect(amend(bid, { replacePrice: "94" })).toBe(200000);
    expect(amend(bid, { replaceQty: "20" })).toBe(401023);
  });

  test("leverage is a whole number up to the symbol's maximum, with margin for it", () => {
    const { exchange } = venue();
    const set = (leverage: number) => code(exchange.setLeverage(ALICE, { sym: SOL, leverage }, T0));
    expect([set(0), set(21), set(2.5), set(20), set(2)]).toEqual([400001, 400001, 400001, 200000, 200000]);
    good(exchange.place(ALICE, { ...LIMIT, orderQty: "15" }, T0));
    expect(set(1)).toBe(401023);
    expect(field(good(exchange.leverage(ALICE, { sym: SOL }, T0))[0], "leverage")).toBe("2");
  });

  test("the position mode changes only while nothing is open", () => {
    const { exchange } = venue();
    const set = (mode: "BOTH" | "NET") => code(exchange.setPositionMode(ALICE, { exchange: "EXCHANGE_A", mode }, T0));
    const { orderId } = good(exchange.place(ALICE, LIMIT, T0));
    expect(set("NET")).toBe(406012);
    expect(set("BOTH")).toBe(200000);
    good(exchange.cancel(ALICE, { orderId }, T0));
    expect(set("NET")).toBe(200000);
    expect(field(accountOf(exchange, ALICE), "positionMode")).toBe("NET");
  });

  test("closing: 401097 when flat, positionSide by mode, one row per position when closing all", () => {
    const { exchange } = venue();
    const close = (positionSide?: "LONG" | "SHORT") =>
      code(exchange.closePosition(ALICE, { sym: SOL, positionSide }, T0));
    expect([close(), close("LONG")]).toEqual([400001, 401097]);
    good(exchange.place(ALICE, { ...LIMIT, orderType: "MARKET" }, T0));
    expect(code(exchange.closeAllPositions(ALICE, {}, T0))).toBe(400001);
    const closed = good(exchange.closeAllPositions(ALICE, { closeAllPos: "true" }, T0));
    expect(closed).toMatchObject([{ sym: SOL, positionSide: "LONG", success: "true", errorMsg: "" }]);
    expect(good(exchange.positions(ALICE, {}, T0))).toEqual([]);
    const net = venue({ mode: "NET" }).exchange;
    expect(code(net.closePosition(ALICE, { sym: SOL, positionSide: "LONG" }, T0))).toBe(400001);
    expect(code(net.closePosition(ALICE, { sym: SOL }, T0))).toBe(401097);
  });

  test("reads: windows, page sizes, ranking phase, spot funding", () => {
    const { exchange } = venue();
    const at = T0 + 30 * 86_400_000;
    expect(code(exchange.executions(ALICE, { begin: String(T0) }, at))).toBe(400001);
    expect(code(exchange.openOrders(ALICE, { begin: "1784500000001", end: "1784500000000" }, at))).toBe(400001);
    expect(code(exchange.openOrders(ALICE, { pageSize: "1001" }, at))).toBe(400001);
    expect(code(exchange.order(ALICE, {}, at))).toBe(400001);
    expect(code(exchange.order(ALICE, { orderId: "2190000000009999" }, at))).toBe(401018);
    expect(code(exchange.trackARanking(ALICE, { phase: "PHASE_X" }, at))).toBe(30015);
    expect(code(exchange.trackARanking(ALICE, { phase: "PHASE_I" }, at))).toBe(30016);
    expect(code(exchange.trackARanking(ALICE, { phase: "PHASE_II" }, at))).toBe(200000);
    expect(code(exchange.fundingRate(ALICE, { sym: SPOT }, at))).toBe(400001);
    expect(code(exchange.symbolInfo(ALICE, { sym: "nope" }, at))).toBe(400009);
    expect(code(exchange.symbolInfo(ALICE, { sym: ETH_B }, at))).toBe(200000);
  });
});
