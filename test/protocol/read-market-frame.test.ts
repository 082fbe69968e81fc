import { describe, expect, test } from "vitest";
import { readInterval } from "../../src/protocol/market/kline.ts";
import { readMarketFrame } from "../../src/protocol/market/read-market-frame.ts";
import { readMarketAck } from "../../src/protocol/market/messages.ts";
import { recordingSink } from "./recording-sink.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";
const push = (channel: string, data: unknown, more = {}) => ({ arg: { channel, sym: SYM, ...more }, data });

function read(frame: unknown): { verdict: unknown; reported: unknown[] } {
  const { sink, reported } = recordingSink();
  return { verdict: readMarketFrame(JSON.parse(JSON.stringify(frame)), sink), reported };
}

describe("pushes as the documents write them", () => {
  test.each([
    [
      "TICKER",
      push("TICKER", { last: "60500.1", chg: "-1.25", high24h: "61000", low24h: "59200", vol24h: "151234.5", ts: 5 }),
      ["ticker", SYM, 60500.1, -1.25, 61000, 59200, 151234.5, 5],
    ],
    [
      "BBO",
      push("BBO", { bid: "60500", bidqty: "3.2", ask: "60500.1", askqty: "1.1", ts: 6 }),
      ["bbo", SYM, 60500, 3.2, 60500.1, 1.1, 6],
    ],
    [
      "TRADE",
      push("TRADE", [{ tradeid: "991", side: "SELL", price: "60500.1", qty: "0.02", ts: 7 }]),
      ["trade", SYM, false, 60500.1, 0.02, 7],
    ],
    ["MARK_PRICE", push("MARK_PRICE", { markpx: "60499.8", ts: 8 }), ["mark", SYM, 60499.8, 8]],
    ["INDEX_PRICE", push("INDEX_PRICE", { indexpx: "60512.3", ts: 9 }), ["index", SYM, 60512.3, 9]],
    ["OPEN_INTEREST", push("OPEN_INTEREST", { open_interest: "81234.7", ts: 10 }), ["openInterest", SYM, 81234.7, 10]],
    [
      "KLINE",
      push("KLINE", [["11", "1", "3", "0.5", "2", "31.77"]], { interval: "1H" }),
      ["kline", "KLINE", SYM, "1H", 11, 1, 3, 0.5, 2, 31.77],
    ],
  ])("%s", (_channel, frame, reported) => {
    expect(read(frame)).toEqual({ verdict: "push", reported: [reported] });
  });

  test("ORDER_BOOK, snapshot and change", () => {
    const frame = push("ORDER_BOOK", {
      updatetype: "snapshot",
      seq: 1001,
      pre_seq: 1000,
      Bids: [["60500", "3.2"]],
      Asks: [["60500.1", "0"]],
      ts: 12,
    });
    expect(read(frame).reported).toEqual([
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
      reported: [["bookBegin", SYM, true, 7, 13], ["bookLevel", true, 2, 1], ["bookEnd"]],
    });
  });

  test.each([-1, "-1", null])(
    "a snapshot is read though its pre_seq is %j: there is no message before it",
    (pre_seq) => {
      const frame = push("ORDER_BOOK", {
        updatetype: "snapshot",
        seq: 7,
        pre_seq,
        Bids: [["2", "1"]],
        Asks: [],
        ts: 13,
      });
      expect(read(frame).reported).toEqual([["bookBegin", SYM, true, 7, 13], ["bookLevel", true, 2, 1], ["bookEnd"]]);
    },
  );

  test("a side in which nothing has changed may be null", () => {
    const frame = push("ORDER_BOOK", { updatetype: "update", seq: 8, Bids: null, Asks: [["3", "0"]], ts: 13 });
    expect(read(frame).reported).toEqual([["bookBegin", SYM, false, 8, 13], ["bookLevel", false, 3, 0], ["bookEnd"]]);
  });

  test("TRADE as a single object with a lower-case side", () => {
    const frame = { arg: { channel: "TRADE", sym: SYM }, data: { side: "buy", price: "2", qty: "1", ts: "14" } };
    expect(read(frame).reported).toEqual([["trade", SYM, true, 2, 1, 14]]);
  });

  test("a seventh kline element is ignored, and the earlier interval spelling is read", () => {
    const frame = {
      arg: { channel: "KLINE", sym: SYM, interval: "1h" },
      data: [["15", "1", "1", "1", "1", "0", true]],
    };
    expect(read(frame).reported).toEqual([["kline", "KLINE", SYM, "1H", 15, 1, 1, 1, 1, 0]]);
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
  ])("%j", (frame, verdict) => expect(read(frame)).toEqual({ verdict, reported: [] }));

  test("one bad trade refuses the whole frame, so that nothing is half reported", () => {
    const good = { side: "BUY", price: "2", qty: "1", ts: 1 };
    const frame = { arg: { channel: "TRADE", sym: SYM }, data: [good, { ...good, price: "1e3" }] };
    expect(read(frame)).toEqual({ verdict: { refused: `TRADE ${SYM}: price` }, reported: [] });
  });
});

describe("acks", () => {
  test.each([
    [
      { event: "login", code: "200000", msg: "success" },
      { event: "login", code: "200000", ok: true },
    ],
    [
      { event: "login", code: "11107", msg: "invalid signature" },
      { event: "login", code: "11107", ok: false },
    ],
    [
      { event: "subscribe", arg: [{ channel: "BBO", sym: SYM }], code: 0 },
      { event: "subscribe", code: "0", ok: true, items: [{ channel: "BBO", sym: SYM }] },
    ],
    [
      { event: "subscribe", arg: [{ channel: "X", sym: SYM }], code: 11101, msg: "invalid channel" },
      { code: "11101", ok: false, message: "invalid channel" },
    ],
    [
      { event: "error", code: 11103, msg: "invalid request" },
      { event: "error", code: "11103", ok: false },
    ],
    [
      { event: "SUBSCRIBE", arg: [{ channel: "BBO", instId: SYM }], message: "old" },
      { event: "subscribe", ok: true, message: "old" },
    ],
  ])("%j", (frame, expected) => expect(readMarketAck(frame)).toMatchObject(expected));

  test("a push is no ack", () => expect(readMarketAck({ arg: { channel: "BBO" }, data: {} })).toBeNull());
});
