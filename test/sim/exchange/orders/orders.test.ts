import { describe, expect, test } from "vitest";
import { story } from "../story.ts";
import { ALICE, BOB, code, field, good, ledgerIsZero, SOL, T0, venue } from "../venue.ts";

describe("the life of orders", () => {
  test("a market buy walks the asks, best price first", () =>
    story(`
      take A1 BUY 0.3 LONG               -> FILLED 0.3 of 0.3 at 100.7
      position A                         -> LONG 0.3 at 100.7
      book                               -> 0.1 @ 99.9 | 999.8 @ 101
    `));

  test("price before time: the better price first, then who came first", () =>
    story(`
      rest A1 SELL 1 @ 100 SHORT         -> OPEN 0 of 1
      rest B1 SELL 1 @ 100 SHORT         -> OPEN 0 of 1
      take C1 BUY 1.5 LONG               -> FILLED 1.5 of 1.5 at 100
      show A1                            -> FILLED 1 of 1 at 100
      show B1                            -> PARTIALLY_FILLED 0.5 of 1 at 100
      cancel A1                          -> refused 401117
      cancel B1                          -> CANCELLED 0.5 of 1 at 100
      cancel B1                          -> refused 401117
      amend B1 2                         -> refused 401058
      amend A1 2                         -> refused 401117
      cancel B9                          -> refused 401018
    `));

  test("a resting order waits for the queue ahead of it", () =>
    story(`
      rest A1 BUY 1 @ 99.9 LONG          -> OPEN 0 of 1
      print SELL 0.1 @ 99.9              -> ok
      show A1                            -> OPEN 0 of 1
      print SELL 0.4 @ 99.9              -> ok
      show A1                            -> PARTIALLY_FILLED 0.4 of 1 at 99.9
      print SELL 5 @ 99.5                -> ok
      show A1                            -> FILLED 1 of 1 at 99.9
    `));

  test("IOC takes what is there, FOK all or nothing, GTX never takes", () =>
    story(`
      rest A1 BUY 0.3 @ 100.1 LONG IOC   -> CANCELLED 0.1 of 0.3 at 100.1
      rest A2 BUY 1 @ 100.5 LONG FOK     -> CANCELLED 0 of 1
      rest A3 BUY 1 @ 101 LONG FOK       -> FILLED 1 of 1 at 101
      rest A4 BUY 1 @ 101 LONG GTX       -> REJECTED 0 of 1
      rest A5 BUY 1 @ 100.9 LONG GTX     -> OPEN 0 of 1
      amend A5 @ 101                     -> CANCELLED 0 of 1
    `));

  test("a smaller quantity keeps its place, a new price loses it", () =>
    story(`
      rest A1 SELL 1 @ 100 SHORT         -> OPEN 0 of 1
      rest B1 SELL 1 @ 100 SHORT         -> OPEN 0 of 1
      amend A1 0.4                       -> OPEN 0 of 0.4
      take C1 BUY 0.4 LONG               -> FILLED 0.4 of 0.4 at 100
      show A1                            -> FILLED 0.4 of 0.4 at 100
      rest A2 SELL 1 @ 100 SHORT         -> OPEN 0 of 1
      amend B1 2                         -> OPEN 0 of 2
      take C2 BUY 0.5 LONG               -> FILLED 0.5 of 0.5 at 100
      show A2                            -> PARTIALLY_FILLED 0.5 of 1 at 100
      amend B1 @ 100.1                   -> OPEN 0 of 2
      amend B1 @ 99                      -> FILLED 2 of 2 at 99.045
    `));

  test("self-trade prevention ends the newer order, a closing order takes the older out of the way", () => {
    const reported = venue();
    story(
      `
      take A1 BUY 0.1 LONG               -> FILLED 0.1 of 0.1 at 100.1
      rest A2 BUY 1 @ 100 LONG           -> OPEN 0 of 1
      rest A3 SELL 1 @ 99.9 SHORT        -> CANCELLED 0 of 1
      show A2                            -> OPEN 0 of 1
    `,
      reported,
    );
    good(reported.exchange.closePosition(ALICE, { sym: SOL, positionSide: "LONG" }, T0));
    story(
      `
      show A2                            -> CANCELLED 0 of 1
      position A                         -> flat
    `,
      reported,
    );
  });

  test("reducing orders are never larger than what they reduce", () =>
    story(`
      rest A1 SELL 1 @ 105 LONG          -> refused 401097
      take A2 BUY 1 LONG                 -> FILLED 1 of 1 at 100.91
      rest A3 SELL 2 @ 105 LONG          -> refused 400001
      rest A4 SELL 1 @ 105 LONG          -> OPEN 0 of 1
      rest A5 SELL 0.8 @ 106 LONG        -> OPEN 0 of 0.8
      take A6 SELL 0.4 LONG              -> FILLED 0.4 of 0.4 at 99.225
      show A4                            -> OPEN 0 of 0.6
      show A5                            -> OPEN 0 of 0.6
      print BUY 0.5 @ 105                -> ok
      print BUY 1100 @ 105               -> ok
      show A4                            -> FILLED 0.6 of 0.6 at 105
      show A5                            -> CANCELLED 0 of 0.6
      position A                         -> flat
    `));

  test("in one-way mode an order may cross zero: it closes one way and opens the other", () => {
    const reported = venue({ mode: "NET" });
    story(
      `
      take A1 BUY 0.1                    -> FILLED 0.1 of 0.1 at 100.1
      position A                         -> NONE 0.1 at 100.1
      rest A2 SELL 0.3 @ 99 reduce       -> refused 400001
      rest A3 SELL 0.3 @ 99              -> FILLED 0.3 of 0.3 at 99.3
      position A                         -> NONE -0.2 at 99
      take A4 BUY 0.2 SHORT              -> FILLED 0.2 of 0.2 at 101
      position A                         -> flat
    `,
      reported,
    );
    const closed = good(reported.exchange.positionHistory(ALICE, {}, T0)).list;
    expect(closed.map((row) => [row.positionHistorySide, row.closedPnl])).toEqual([
      // (99 - 101) x 0.2, negative for a short that is bought back higher.
      ["SHORT", "-0.4"],
      // (99.9 - 100.1) x 0.1.
      ["LONG", "-0.02"],
    ]);
    expect(ledgerIsZero(reported.exchange)).toBe(true);
  });
});

describe("asynchronous steps", () => {
  test("an order is NEW until it reaches the book; a cancel may lose against a fill", () => {
    const { exchange, pushes } = venue({ settings: { placeDelayMs: 100, cancelDelayMs: 100 } });
    const request = {
      sym: SOL,
      side: "SELL",
      positionSide: "SHORT",
      orderType: "LIMIT",
      orderQty: "1",
      limitPrice: "100",
    } as const;
    const { orderId } = good(exchange.place(ALICE, request, T0));
    const state = (at: number) => field(good(exchange.order(ALICE, { orderId }, at)), "orderState");
    expect(state(T0 + 99)).toBe("NEW");
    expect(exchange.nextDueMs()).toBe(T0 + 100);
    expect(state(T0 + 100)).toBe("OPEN");
    expect(good(exchange.cancel(ALICE, { orderId }, T0 + 200))).toMatchObject({
      orderState: "OPEN",
      action: "CANCEL_PENDING",
    });
    exchange.market.print(SOL, true, 1000, 100, T0 + 299);
    expect(state(T0 + 300)).toBe("FILLED");
    const reported = pushes
      .filter((push) => push.channel === "Orders")
      .map((push) => [push.data.orderState, push.data.action]);
    expect(reported).toEqual([
      ["NEW", ""],
      ["OPEN", ""],
      ["OPEN", "CANCEL_PENDING"],
      ["FILLED", ""],
    ]);
  });

  test("an amendment under way never makes a reducing order larger than what its position has left", () => {
    const { exchange } = venue({ settings: { amendDelayMs: 100 } });
    const long = { sym: SOL, positionSide: "LONG" } as const;
    const sale = { ...long, side: "SELL", orderType: "LIMIT", orderQty: "0.2", limitPrice: "110" } as const;
    good(exchange.place(ALICE, { ...long, side: "BUY", orderType: "MARKET", orderQty: "0.2" }, T0));
    const { orderId } = good(exchange.place(ALICE, sale, T0));
    good(exchange.amend(ALICE, { orderId, replacePrice: "109" }, T0));
    good(exchange.place(ALICE, { ...long, side: "SELL", orderType: "MARKET", orderQty: "0.1" }, T0 + 50));
    const order = good(exchange.order(ALICE, { orderId }, T0 + 100));
    expect([order.limitPrice, order.orderQty]).toEqual(["109", "0.1"]);
    exchange.market.setLiquidity(SOL, true, [[1090, 100]], T0 + 200);
    expect(good(exchange.positions(ALICE, {}, T0 + 200))).toEqual([]);
  });

  test("a second amendment is refused while one is under way, and never taken and forgotten", () => {
    const { exchange } = venue({ settings: { amendDelayMs: 100 } });
    const bid = {
      sym: SOL,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      orderQty: "1",
      limitPrice: "99",
    } as const;
    const { orderId } = good(exchange.place(ALICE, bid, T0));
    const amend = (replacePrice: string, at: number) => code(exchange.amend(ALICE, { orderId, replacePrice }, at));
    expect([amend("98", T0), amend("97", T0 + 50)]).toEqual([200000, 400001]);
    expect(field(good(exchange.order(ALICE, { orderId }, T0 + 200)), "limitPrice")).toBe("98");
    expect(amend("97", T0 + 200)).toBe(200000);
    expect(field(good(exchange.order(ALICE, { orderId }, T0 + 300)), "limitPrice")).toBe("97");
  });

  test("one fill is reported as Orders, Trades, Positions, Assets, and reads show it already", () => {
    const { exchange, pushes } = venue();
    const seen: string[] = [];
    exchange.onUserPush(() => seen.push(String(good(exchange.positions(BOB, {}, T0)).length)));
    good(
      exchange.place(BOB, { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "0.1" }, T0),
    );
    expect(pushes.map(({ channel }) => channel)).toEqual(["Orders", "Orders", "Trades", "Positions", "Assets"]);
    expect(new Set(seen)).toEqual(new Set(["1"]));
  });

  test("cancel all ends every open order of the filter and is content with none", () => {
    const { exchange } = venue();
    const rest = (price: string) =>
      exchange.place(
        ALICE,
        { sym: SOL, side: "BUY", positionSide: "LONG", orderType: "LIMIT", orderQty: "0.1", limitPrice: price },
        T0,
      );
    good(rest("99"));
    good(rest("98"));
    expect(code(exchange.cancelAll(ALICE, { exchangeType: "EXCHANGE_B" }, T0))).toBe(200000);
    expect(good(exchange.openOrders(ALICE, {}, T0)).totalSize).toBe(2);
    expect(code(exchange.cancelAll(ALICE, { sym: SOL }, T0))).toBe(200000);
    expect(good(exchange.openOrders(ALICE, {}, T0)).totalSize).toBe(0);
    expect(good(exchange.orderHistory(ALICE, { pageSize: "1", page: "2" }, T0))).toMatchObject({
      totalSize: 2,
      pageNum: 2,
    });
  });
});
