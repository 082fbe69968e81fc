import { describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import type { RequestOf } from "../../../../src/sim/exchange/contract/requests.ts";
import { ALICE, code, field, good, SOL, T0, type Venue, venue } from "../venue.ts";

const OCO: RequestOf<"placeAlgo"> = {
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

const buy = (reported: Venue, qty = "1", more: object = {}) =>
  good(
    reported.exchange.place(
      ALICE,
      { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: qty, ...more },
      T0,
    ),
  );
const mark = (reported: Venue, price: number) => reported.exchange.market.setMark(SOL, dec(price), dec(price), T0);
const last = (reported: Venue, price: number) => reported.exchange.market.print(SOL, price > 100, price * 10, 1, T0);
const state = (reported: Venue, algoOrderId: string) =>
  field(good(reported.exchange.algo(ALICE, { algoOrderId }, T0)), "orderState");
const held = (reported: Venue) => field(good(reported.exchange.positions(ALICE, {}, T0))[0], "positionQty");
const placed = (reported: Venue, changes: Partial<RequestOf<"placeAlgo">> = {}) =>
  good(reported.exchange.placeAlgo(ALICE, { ...OCO, ...changes } as typeof OCO, T0)).algoOrderId;

describe("triggers", () => {
  test("a stop on the mark looks at the mark alone, and closes with one market order", () => {
    const reported = venue();
    buy(reported);
    const id = placed(reported);
    last(reported, 94);
    expect([state(reported, id), held(reported)]).toEqual(["NEW", "1"]);
    mark(reported, 95.1);
    expect(state(reported, id)).toBe("NEW");
    mark(reported, 95);
    expect([state(reported, id), held(reported)]).toEqual(["COMPLETED", "undefined"]);
    const record = good(reported.exchange.algo(ALICE, { algoOrderId: id }, T0));
    expect(record).toMatchObject({
      executedQty: "1",
      reduceOnly: "true",
      slTriggerType: "MARK_PRICE",
      tpTriggerType: "LAST_PRICE",
    });
    const [order] = good(reported.exchange.orderHistory(ALICE, {}, T0)).list;
    expect(order).toMatchObject({ algoOrderId: id, exchangeOrderType: "MARKET", side: "SELL" });
    expect(good(reported.exchange.algoHistory(ALICE, {}, T0)).totalSize).toBe(1);
  });

  test("a take-profit on the last price", () => {
    const reported = venue();
    buy(reported);
    const id = placed(reported);
    mark(reported, 106);
    expect(state(reported, id)).toBe("NEW");
    last(reported, 105);
    expect(state(reported, id)).toBe("COMPLETED");
  });

  test("a short is closed by buying, with the directions turned round", () => {
    const reported = venue();
    good(
      reported.exchange.place(
        ALICE,
        { sym: SOL, side: "SELL", positionSide: "SHORT", orderType: "MARKET", orderQty: "1" },
        T0,
      ),
    );
    const id = placed(reported, { side: "BUY", positionSide: "SHORT", tpTriggerPrice: "95", slTriggerPrice: "105" });
    mark(reported, 104.9);
    expect(state(reported, id)).toBe("NEW");
    mark(reported, 105);
    expect([state(reported, id), held(reported)]).toEqual(["COMPLETED", "undefined"]);
  });

  test("the whole position whatever it has become; a part of it; and never more than there is", () => {
    const reported = venue();
    buy(reported);
    const entire = placed(reported, {
      conditionType: "ENTIRE_CLOSE_POSITION",
      side: undefined,
      orderQty: undefined,
      tpTriggerPrice: "108",
    });
    const part = placed(reported, {
      conditionType: "PARTIAL_CLOSE_POSITION",
      orderQty: "0.4",
      slTriggerPrice: "97",
      tpTriggerPrice: undefined,
    });
    buy(reported);
    mark(reported, 97);
    expect([state(reported, part), held(reported)]).toEqual(["COMPLETED", "1.6"]);
    mark(reported, 95);
    expect([state(reported, entire), held(reported)]).toEqual(["COMPLETED", "undefined"]);
  });

  test("CONDITIONAL fires on crossing from where the price was, in either form, and may open", () => {
    const reported = venue();
    buy(reported);
    const conditional = { conditionType: "CONDITIONAL", tpTriggerPrice: undefined, slTriggerPrice: undefined } as const;
    const up = placed(reported, {
      ...conditional,
      orderQty: "0.2",
      conditionalTriggerPrice: "103",
      conditionalTriggerType: "MARK_PRICE",
    });
    const down = placed(reported, {
      ...conditional,
      orderQty: "0.3",
      slTriggerPrice: "98",
      slTriggerType: "MARK_PRICE",
    });
    const opens = placed(reported, {
      ...conditional,
      side: "BUY",
      reduceOnly: false,
      conditionalTriggerPrice: "104",
      conditionalTriggerType: "MARK_PRICE",
    });
    mark(reported, 103.5);
    expect([state(reported, up), state(reported, down), held(reported)]).toEqual(["COMPLETED", "NEW", "0.8"]);
    mark(reported, 98);
    expect([state(reported, down), held(reported)]).toEqual(["COMPLETED", "0.5"]);
    mark(reported, 104);
    expect([state(reported, opens), held(reported)]).toEqual(["COMPLETED", "1.5"]);
  });

  test("closing orders do not outlive their position", () => {
    const reported = venue();
    buy(reported);
    const id = placed(reported);
    good(reported.exchange.closePosition(ALICE, { sym: SOL, positionSide: "LONG" }, T0));
    expect(state(reported, id)).toBe("CANCELLED");
    expect(good(reported.exchange.openAlgos(ALICE, {}, T0))).toEqual([]);
  });

  test("a trigger that finds nothing to close fails", () => {
    const reported = venue();
    const id = placed(reported);
    mark(reported, 90);
    expect(good(reported.exchange.algo(ALICE, { algoOrderId: id }, T0))).toMatchObject({ orderState: "FAILED" });
  });

  test("every state is pushed", () => {
    const reported = venue();
    buy(reported);
    placed(reported);
    mark(reported, 90);
    const states = reported.pushes.filter(({ channel }) => channel === "ALGO_ORDER").map(({ data }) => data.orderState);
    expect(states).toEqual(["PENDING_NEW", "NEW", "PROCESSING", "COMPLETED"]);
  });
});

describe("attached protection", () => {
  test("is made at the first fill, grows with the next, and closes what it covers", () => {
    const reported = venue();
    const rest = {
      orderType: "LIMIT",
      limitPrice: "100",
      tpTriggerPrice: "108",
      slTriggerPrice: "92",
      slTriggerType: "MARK_PRICE",
    };
    const { orderId } = buy(reported, "1", rest);
    expect(good(reported.exchange.openAlgos(ALICE, {}, T0))).toEqual([]);
    reported.exchange.market.print(SOL, false, 1000, 40, T0);
    expect(good(reported.exchange.openAlgos(ALICE, {}, T0))).toMatchObject([
      { attachedOrderId: orderId, conditionType: "OCO", orderQty: "0.4", side: "SELL", orderState: "NEW" },
    ]);
    reported.exchange.market.print(SOL, false, 1000, 60, T0);
    const [algo] = good(reported.exchange.openAlgos(ALICE, {}, T0));
    expect(algo).toMatchObject({ orderQty: "1" });
    expect(good(reported.exchange.positions(ALICE, {}, T0))[0]?.tpslOrder).toEqual([algo]);
    expect(good(reported.exchange.algo(ALICE, { attachedOrderId: orderId }, T0))).toEqual(algo);
    mark(reported, 92);
    expect(held(reported)).toBe("undefined");
  });
});

describe("what is refused, amended and cancelled", () => {
  test.each<[string, number, Partial<Record<keyof RequestOf<"placeAlgo">, string | undefined>>]>([
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
    expect(code(venue().exchange.placeAlgo(ALICE, { ...OCO, ...changes } as typeof OCO, T0))).toBe(wanted);
  });

  test("the side must be the closing one", () => {
    const reported = venue();
    buy(reported);
    expect(
      code(reported.exchange.placeAlgo(ALICE, { ...OCO, conditionType: "PARTIAL_CLOSE_POSITION", side: "BUY" }, T0)),
    ).toBe(400001);
  });

  test("an amendment keeps what it does not name", () => {
    const reported = venue();
    buy(reported);
    const algoOrderId = placed(reported);
    good(reported.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "97" }, T0));
    expect(good(reported.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({
      slTriggerPrice: "97",
      slTriggerType: "MARK_PRICE",
      tpTriggerPrice: "105",
      orderQty: "1",
    });
    expect(code(reported.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "106" }, T0))).toBe(400001);
    mark(reported, 97);
    expect(code(reported.exchange.amendAlgo(ALICE, { algoOrderId, slTriggerPrice: "96" }, T0))).toBe(401058);
    expect(code(reported.exchange.cancelAlgo(ALICE, { algoOrderId }, T0))).toBe(401117);
    expect(code(reported.exchange.cancelAlgo(ALICE, { algoOrderId: "2190000000009999" }, T0))).toBe(401018);
  });

  test("an amendment may name an order price alone, wherever the market is by then", () => {
    const reported = venue();
    buy(reported);
    const algoOrderId = placed(reported);
    mark(reported, 120);
    good(reported.exchange.amendAlgo(ALICE, { algoOrderId, tpPrice: "104" }, T0));
    good(reported.exchange.amendAlgo(ALICE, { algoOrderId, slPrice: "94" }, T0));
    const kept = { tpTriggerPrice: "105", slTriggerPrice: "95", slTriggerType: "MARK_PRICE" };
    expect(good(reported.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({
      ...kept,
      tpPrice: "104",
      slPrice: "94",
    });
    good(reported.exchange.amendAlgo(ALICE, { algoOrderId, slPrice: "0" }, T0));
    const crossing = { conditionType: "CONDITIONAL", tpTriggerPrice: undefined, slTriggerPrice: undefined } as const;
    const other = placed(reported, { ...crossing, conditionalTriggerPrice: "125" });
    good(reported.exchange.amendAlgo(ALICE, { algoOrderId: other, conditionalPrice: "124" }, T0));
    expect(good(reported.exchange.algo(ALICE, { algoOrderId: other }, T0))).toMatchObject({
      conditionalTriggerPrice: "125",
      conditionalPrice: "124",
    });
    expect(good(reported.exchange.algo(ALICE, { algoOrderId }, T0))).toMatchObject({ ...kept, slPrice: "0" });
  });

  test("cancelling takes its time, and a trigger may win the race", () => {
    const reported = venue({ settings: { cancelDelayMs: 100 } });
    buy(reported);
    const first = placed(reported, { clientOrderId: "same" });
    const second = placed(reported, { clientOrderId: "same", slTriggerPrice: "90", orderQty: "0.5" });
    expect(good(reported.exchange.cancelAllAlgos(ALICE, { sym: SOL }, T0)).length).toBe(2);
    expect(state(reported, first)).toBe("PENDING_CANCEL");
    mark(reported, 95);
    expect(state(reported, first)).toBe("COMPLETED");
    reported.exchange.advance(T0 + 100);
    expect(state(reported, second)).toBe("CANCELLED");
  });
});

describe("one instant", () => {
  test("a stop on the last price meets the book as it is when all prices of the instant are there", () => {
    const reported = venue();
    buy(reported);
    placed(reported, { slTriggerType: "LAST_PRICE" });
    let pushes = 0;
    reported.exchange.onUserPush(() => void (pushes += 1));
    reported.exchange.together(T0, () => {
      last(reported, 94);
      mark(reported, 94);
      expect(pushes).toBe(0);
    });
    expect(pushes).toBeGreaterThan(0);
    expect(held(reported)).not.toBe("1");
  });
});
