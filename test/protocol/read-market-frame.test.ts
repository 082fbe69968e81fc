import { describe, expect, test } from "vitest";
import { bboPush } from "../../src/protocol/market/bbo.ts";
import { klinePush, readInterval } from "../../src/protocol/market/kline.ts";
import { markPricePush } from "../../src/protocol/market/mark-price.ts";
import { openInterestPush } from "../../src/protocol/market/open-interest.ts";
import { orderBookPush } from "../../src/protocol/market/order-book.ts";
import { readMarketFrame } from "../../src/protocol/market/read-market-frame.ts";
import { tickerPush } from "../../src/protocol/market/ticker.ts";
import { tradePush } from "../../src/protocol/market/trade.ts";
import { indexPricePush } from "../../src/protocol/market/index-price.ts";
import {
  errorMessage,
  loginAck,
  readMarketAck,
  subscriptionAck,
  subscriptionError,
} from "../../src/protocol/market/messages.ts";
import { recordingSink } from "./recording-sink.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";

function read(frame: unknown): { verdict: unknown; told: unknown[] } {
  const { sink, told } = recordingSink();
  return { verdict: readMarketFrame(JSON.parse(JSON.stringify(frame)), sink), told };
}

describe("what our server writes, our client reads", () => {
  test.each([
    [
      "TICKER",
      tickerPush(SYM, { last: "60500.1", chg: "-1.25", high24h: "61000", low24h: "59200", vol24h: "151234.5", ts: 5 }),
      ["ticker", SYM, 60500.1, -1.25, 61000, 59200, 151234.5, 5],
    ],
    [
      "BBO",
      bboPush(SYM, { bid: "60500", bidqty: "3.2", ask: "60500.1", askqty: "1.1", ts: 6 }),
      ["bbo", SYM, 60500, 3.2, 60500.1, 1.1, 6],
    ],
    [
      "TRADE",
      tradePush(SYM, [{ tradeid: "991", side: "SELL", price: "60500.1", qty: "0.02", ts: 7 }]),
      ["trade", SYM, false, 60500.1, 0.02, 7],
    ],
    ["MARK_PRICE", markPricePush(SYM, "60499.8", 8), ["mark", SYM, 60499.8, 8]],
    ["INDEX_PRICE", indexPricePush(SYM, "60512.3", 9), ["index", SYM, 60512.3, 9]],
    ["OPEN_INTEREST", openInterestPush(SYM, "81234.7", 10), ["openInterest", SYM, 81234.7, 10]],
    [
      "KLINE",
      klinePush(
        "KLINE",
        { sym: SYM, interval: "1H" },
        { openMs: 11, open: "1", high: "3", low: "0.5", close: "2", volume: "31.77" },
      ),
      ["kline", "KLINE", SYM, "1H", 11, 1, 3, 0.5, 2, 31.77],
    ],
  ])("%s", (_channel, push, told) => {
    expect(read(push)).toEqual({ verdict: "push", told: [told] });
  });

  test("ORDER_BOOK, snapshot and change", () => {
    const push = orderBookPush(SYM, {
      updatetype: "snapshot",
      seq: 1001,
      pre_seq: 1000,
      Bids: [["60500", "3.2"]],
      Asks: [["60500.1", "0"]],
      ts: 12,
    });
    expect(read(push).told).toEqual([
      ["bookBegin", SYM, true, 1001, 12],
      ["bookLevel", true, 60500, 3.2],
      ["bookLevel", false, 60500.1, 0],
      ["bookEnd"],
    ]);
  });
});

describe("documented variants", () => {
  test("updatetype in arg, text numbers and lower-case sides (general documents)", () => {
    const frame = {
      arg: { channel: "ORDER_BOOK", instId: SYM, updatetype: "all" },
      data: { seq: "7", pre_seq: "6", bids: [["2", "1"]], asks: [], ts: "13" },
    };
    expect(read(frame)).toEqual({
      verdict: "push",
      told: [["bookBegin", SYM, true, 7, 13], ["bookLevel", true, 2, 1], ["bookEnd"]],
    });
  });

  test("TRADE as a single object with a lower-case side", () => {
    const frame = { arg: { channel: "TRADE", sym: SYM }, data: { side: "buy", price: "2", qty: "1", ts: "14" } };
    expect(read(frame).told).toEqual([["trade", SYM, true, 2, 1, 14]]);
  });

  test("a seventh kline element is ignored, and the earlier interval spelling is read", () => {
    const frame = {
      arg: { channel: "KLINE", sym: SYM, interval: "1h" },
      data: [["15", "1", "1", "1", "1", "0", true]],
    };
    expect(read(frame).told).toEqual([["kline", "KLINE", SYM, "1H", 15, 1, 1, 1, 1, 0]]);
  });

  test.each([
    ["1m", "1m"],
    ["1M", "1M"],
    ["5M", "5m"],
    ["12h", "12H"],
    ["1w", "1W"],
    ["6h", null],
    ["constructor", null],
    ["", null],
    [60, null],
  ])("interval %s reads as %s", (text, interval) => expect(readInterval(text)).toBe(interval));
});

describe("what is no push", () => {
  test.each([
    [{ event: "subscribe", code: 0, arg: [] }, "ack"],
    [{ event: "error", code: 11103, msg: "bad" }, "ack"],
    [{ pong: 5 }, "pong"],
    [null, { refused: "frame is not an object" }],
    [[1], { refused: "frame is not an object" }],
    [{}, { refused: "frame has neither event, pong nor arg" }],
    [{ arg: { channel: "BBO" }, data: {} }, { refused: "arg.sym must be a symbol" }],
    [{ arg: { channel: "bbo", sym: SYM }, data: {} }, { refused: "unknown channel bbo" }],
    [{ arg: { channel: "BBO", sym: SYM } }, { refused: `BBO ${SYM}: data` }],
    [{ arg: { channel: "KLINE", sym: SYM }, data: [] }, { refused: `KLINE ${SYM}: interval` }],
    [
      { arg: { channel: "MARK_PRICE", sym: SYM }, data: { markpx: "0", ts: 1 } },
      { refused: `MARK_PRICE ${SYM}: markpx` },
    ],
  ])("%j", (frame, verdict) => expect(read(frame)).toEqual({ verdict, told: [] }));

  test("one bad trade refuses the whole frame, so that nothing is half told", () => {
    const good = { side: "BUY", price: "2", qty: "1", ts: 1 };
    const frame = { arg: { channel: "TRADE", sym: SYM }, data: [good, { ...good, price: "1e3" }] };
    expect(read(frame)).toEqual({ verdict: { refused: `TRADE ${SYM}: price` }, told: [] });
  });
});

describe("acks", () => {
  test.each([
    [loginAck("200000", "success"), { event: "login", code: "200000", ok: true }],
    [loginAck("11107", "invalid signature"), { event: "login", code: "11107", ok: false }],
    [
      subscriptionAck("subscribe", [{ channel: "BBO", sym: SYM }]),
      { event: "subscribe", code: "0", ok: true, items: [{ channel: "BBO", sym: SYM }] },
    ],
    [
      subscriptionError("subscribe", [{ channel: "X", sym: SYM }], { code: 11101, msg: "invalid channel" }),
      { code: "11101", ok: false, message: "invalid channel" },
    ],
    [errorMessage(11103, "invalid request"), { event: "error", code: "11103", ok: false }],
    [
      { event: "SUBSCRIBE", arg: [{ channel: "BBO", instId: SYM }], message: "old" },
      { event: "subscribe", ok: true, message: "old" },
    ],
  ])("%j", (frame, expected) => expect(readMarketAck(frame)).toMatchObject(expected));

  test("a push is no ack", () => expect(readMarketAck({ arg: { channel: "BBO" }, data: {} })).toBeNull());
});
