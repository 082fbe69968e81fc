import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import type { PlaceAlgo } from "../../../src/sim/exchange/requests.ts";
import { ALICE, code, field, good, SOL, T0, type Venue, venue } from "./venue.ts";

const OCO: PlaceAlgo = {
  algoOrderType: "TPSL",
  sym: SOL,
  conditionType: "OCO",
  side: "SELL",
  positionSide: "LONG",
  orderQty: "1",
  reduceOnly: true,
  tpTriggerPrice: "105",
  slTriggerPrice: "95",
  slTriggerType: "MARK_PRICE",
};

const buy = (told: Venue, qty = "1", more: object = {}) =>
  good(
    told.exchange.place(
      ALICE,
      { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: qty, ...more },
      T0,
    ),
  );
const mark = (told: Venue, price: number) => told.exchange.market.setMark(SOL, dec(price), dec(price), T0);
const last = (told: Venue, price: number) => told.exchange.market.print(SOL, price > 100, price * 10, 1, T0);
const state = (told: Venue, algoOrderId: string) =>
  field(good(told.exchange.algo(ALICE, { algoOrderId }, T0)), "orderState");
const held = (told: Venue) => field(good(told.exchange.positions(ALICE, {}, T0))[0], "positionQty");
const placed = (told: Venue, changes: Partial<PlaceAlgo> = {}) =>
  good(told.exchange.placeAlgo(ALICE, { ...OCO, ...changes }, T0)).algoOrderId;

describe("triggers", () => {
  test("a stop on the mark looks at the mark alone, and closes with one market order", () => {
    const told = venue();
    buy(told);
    const id = placed(told);
    last(told, 94);
    expect([state(told, id), held(told)]).toEqual(["NEW", "1"]);
    mark(told, 95.1);
    expect(state(told, id)).toBe("NEW");
    mark(told, 95);
    expect([state(told, id), held(told)]).toEqual(["COMPLETED", "undefined"]);
    const record = good(told.exchange.algo(ALICE, { algoOrderId: id }, T0));
    expect(record).toMatchObject({
      executedQty: "1",
      reduceOnly: "true",
      slTriggerType: "MARK_PRICE",
      tpTriggerType: "LAST_PRICE",
    });
    const [order] = good(told.exchange.orderHistory(ALICE, {}, T0)).list;
    expect(order).toMatchObject({ algoOrderId: id, exchangeOrderType: "MARKET", side: "SELL" });
    expect(good(told.exchange.algoHistory(ALICE, {}, T0)).totalSize).toBe(1);
  });

  test("a take-profit on the last price", () => {
    const told = venue();
    buy(told);
    const id = placed(told);
    mark(told, 106);
    expect(state(told, id)).toBe("NEW");
    last(told, 105);
    expect(state(told, id)).toBe("COMPLETED");
  });

  test("a short is closed by buying, with the directions turned round", () => {
    const told = venue();
    good(
      told.exchange.place(
        ALICE,
        { sym: SOL, side: "SELL", positionSide: "SHORT", orderType: "MARKET", orderQty: "1" },
        T0,
      ),
    );
    const id = placed(told, { side: "BUY", positionSide: "SHORT", tpTriggerPrice: "95", slTriggerPrice: "105" });
    mark(told, 104.9);
    expect(state(told, id)).toBe("NEW");
    mark(told, 105);
    expect([state(told, id), held(told)]).toEqual(["COMPLETED", "undefined"]);
  });

  test("the whole position whatever it has become; a part of it; and never more than there is", () => {
    const told = venue();
    buy(told);
    const entire = placed(told, {
      conditionType: "ENTIRE_CLOSE_POSITION",
      side: undefined,
      orderQty: undefined,
      tpTriggerPrice: "108",
    });
    const part = placed(told, {
      conditionType: "PARTIAL_CLOSE_POSITION",
      orderQty: "0.4",
      slTriggerPrice: "97",
      tpTriggerPrice: undefined,
    });
    buy(told);
    mark(told, 97);
    expect([state(told, part), held(told)]).toEqual(["COMPLETED", "1.6"]);
    mark(told, 95);
    expect([state(told, entire), held(told)]).toEqual(["COMPLETED", "undefined"]);
  });

  test("CONDITIONAL fires on crossing from where the price was, in either form, and may open", () => {
    const told = venue();
    buy(told);
    const conditional = { conditionType: "CONDITIONAL", tpTriggerPrice: undefined, slTriggerPrice: undefined };
    const up = placed(told, {
      ...conditional,
      orderQty: "0.2",
      conditionalTriggerPrice: "103",
      conditionalTriggerType: "MARK_PRICE",
    });
    const down = placed(told, { ...conditional, orderQty: "0.3", slTriggerPrice: "98", slTriggerType: "MARK_PRICE" });
    const opens = placed(told, {
      ...conditional,
      side: "BUY",
      reduceOnly: false,
      conditionalTriggerPrice: "104",
      conditionalTriggerType: "MARK_PRICE",
    });
    mark(told, 103.5);
    expect([state(told, up), state(told, down), held(told)]).toEqual(["COMPLETED", "NEW", "0.8"]);
    mark(told, 98);
    expect([state(told, down), held(told)]).toEqual(["COMPLETED", "0.5"]);
    mark(told, 104);
    expect([state(told, opens), held(told)]).toEqual(["COMPLETED", "1.5"]);
  });

  test("closing orders do not outlive their position", () => {
    const told = venue();
    buy(told);
    const id = placed(told);
    good(told.exchange.closePosition(ALICE, { sym: SOL, positionSide: "LONG" }, T0));
    expect(state(told, id)).toBe("CANCELLED");
    expect(good(told.exchange.openAlgos(ALICE, {}, T0))).toEqual([]);
  });

  test("a trigger that finds nothing to close fails", () => {
    const told = venue();
    const id = placed(told);
    mark(told, 90);
    expect(good(told.exchange.algo(ALICE, { algoOrderId: id }, T0))).toMatchObject({ orderState: "FAILED" });
  });

  test("every state is pushed", () => {
    const told = venue();
    buy(told);
    placed(told);
    mark(told, 90);
    const states = told.pushes.filter(({ channel }) => channel === "ALGO_ORDER").map(({ data }) => data.orderState);
    expect(states).toEqual(["PENDING_NEW", "NEW", "PROCESSING", "COMPLETED"]);
  });
});

describe("attached protection", () => {
  test("is made at the first fill, grows with the next, and closes what it covers", () => {
    const told = venue();
    const rest = {
      orderType: "LIMIT",
      limitPrice: "100",
      tpTriggerPrice: "108",
      slTriggerPrice: "92",
      slTriggerType: "MARK_PRICE",
    };
    const { orderId } = buy(told, "1", rest);
    expect(good(told.exchange.openAlgos(ALICE, {}, T0))).toEqual([]);
    told.exchange.market.print(SOL, false, 1000, 40, T0);
    expect(good(told.exchange.openAlgos(ALICE, {}, T0))).toMatchObject([
      { attachedOrderId: orderId, conditionType: "OCO", orderQty: "0.4", side: "SELL", orderState: "NEW" },
    ]);
    told.exchange.market.print(SOL, false, 1000, 60, T0);
    const [algo] = good(told.exchange.openAlgos(ALICE, {}, T0));
    expect(algo).toMatchObject({ orderQty: "1" });
    expect(good(told.exchange.positions(ALICE, {}, T0))[0]?.tpslOrder).toEqual([algo]);
    expect(good(told.exchange.algo(ALICE, { attachedOrderId: orderId }, T0))).toEqual(algo);
    mark(told, 92);
    expect(held(told)).toBe("undefined");
  });
});

describe("what is refused, amended and cancelled", () => {
  test.each<[string, number, Partial<PlaceAlgo>]>([
    ["another algo type", 400001, { algoOrderType: "TWAP" }],
    ["another condition", 400001, { conditionType: "TRAILING" }],
    ["malformed symbol", 400009, { sym: "x" }],
    ["no side", 400001, { side: undefined }],
    ["no position side in hedge mode", 400001, { positionSide: undefined }],
    ["no quantity", 400001, { orderQty: undefined }],
    ["quantity off the lot", 401015, { orderQty: "0.001" }],
    ["OCO with one trigger", 400001, { tpTriggerPrice: undefined }],
    ["trigger off the tick", 401015, { tpTriggerPrice: "105.01" }],
    ["trigger more than 15 % away", 400001, { tpTriggerPrice: "115.1" }],
    ["both triggers on the wrong side", 400001, { tpTriggerPrice: "95", slTriggerPrice: "105" }],
    ["closing without a position", 401097, { conditionType: "PARTIAL_CLOSE_POSITION" }],
    [
      "no trigger at all",
      400001,
      { conditionType: "CONDITIONAL", tpTriggerPrice: undefined, slTriggerPrice: undefined },
    ],
    ["at the border of 15 %", 200000, { tpTriggerPrice: "115" }],
  ])("%s: %i", (_case, wanted, changes) => {
    expect(code(venue().exchange.placeAlgo(ALICE, { ...OCO, ...changes }, T0))).toBe(wanted);
  });

  test("the side must be the closing one", () => {
    const told = venue();
    buy(told);
    expect(
      code(told.exchange.placeAlgo(ALICE, { ...OCO, conditionType: "PARTIAL_CLOSE_POSITION", side: "BUY" }, T0)),
    ).toBe(400001);
  });

  test("an amendment keeps what it does not name", () => {
    const told = venue();
    buy(told);
    const algoOrderId = placed(told);
    good(told.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "97" }, T0));
    expect(good(told.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({
      slTriggerPrice: "97",
      slTriggerType: "MARK_PRICE",
      tpTriggerPrice: "105",
      orderQty: "1",
    });
    expect(code(told.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "106" }, T0))).toBe(400001);
    mark(told, 97);
    expect(code(told.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "96" }, T0))).toBe(401058);
    expect(code(told.exchange.cancelAlgo(ALICE, { algoOrderId }, T0))).toBe(401117);
    expect(code(told.exchange.cancelAlgo(ALICE, { algoOrderId: "2190000000009999" }, T0))).toBe(401018);
  });

  test("an amendment may name an order price alone, wherever the market is by then", () => {
    const told = venue();
    buy(told);
    const algoOrderId = placed(told);
    mark(told, 120);
    good(told.exchange.amendAlgo(ALICE, { algoOrderId, tpPrice: "104" }, T0));
    good(told.exchange.amendAlgo(ALICE, { algoOrderId, slPrice: "94" }, T0));
    const kept = { tpTriggerPrice: "105", slTriggerPrice: "95", slTriggerType: "MARK_PRICE" };
    expect(good(told.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({
      ...kept,
      tpPrice: "104",
      slPrice: "94",
    });
    good(told.exchange.amendAlgo(ALICE, { algoOrderId, slPrice: "0" }, T0));
    const crossing = { conditionType: "CONDITIONAL", tpTriggerPrice: undefined, slTriggerPrice: undefined };
    const other = placed(told, { ...crossing, conditionalTriggerPrice: "125" });
    good(told.exchange.amendAlgo(ALICE, { algoOrderId: other, conditionalPrice: "124" }, T0));
    expect(good(told.exchange.algo(ALICE, { algoOrderId: other }, T0))).toMatchObject({
      conditionalTriggerPrice: "125",
      conditionalPrice: "124",
    });
    expect(good(told.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({ ...kept, slPrice: "0" });
  });

  test("cancelling takes its time, and a trigger may win the race", () => {
    const told = venue({ settings: { cancelDelayMs: 100 } });
    buy(told);
    const first = placed(told, { clientOrderId: "same" });
    const second = placed(told, { clientOrderId: "same", slTriggerPrice: "90", orderQty: "0.5" });
    expect(good(told.exchange.cancelAllAlgos(ALICE, { sym: SOL }, T0)).length).toBe(2);
    expect(state(told, first)).toBe("PENDING_CANCEL");
    mark(told, 95);
    expect(state(told, first)).toBe("COMPLETED");
    told.exchange.advance(T0 + 100);
    expect(state(told, second)).toBe("CANCELLED");
  });
});
