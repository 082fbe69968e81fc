/** Each hand-written reader and the zod schema of its channel are one truth: they accept the same data with equal values. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { DECIMAL_PATTERN } from "../../src/core/decimal.ts";
import type { MarketChannel } from "../../src/domain/market.ts";
import { bboData } from "../../src/protocol/market/bbo.ts";
import { indexPriceData } from "../../src/protocol/market/index-price.ts";
import { klineData } from "../../src/protocol/market/kline.ts";
import { markPriceData } from "../../src/protocol/market/mark-price.ts";
import { isCount, isNumber, numberOf, valueOf } from "../../src/protocol/market/numbers.ts";
import { openInterestData } from "../../src/protocol/market/open-interest.ts";
import { orderBookData } from "../../src/protocol/market/order-book.ts";
import { readMarketFrame } from "../../src/protocol/market/read-market-frame.ts";
import { tickerData } from "../../src/protocol/market/ticker.ts";
import { tradeData } from "../../src/protocol/market/trade.ts";
import { byteFormOf } from "../../src/protocol/market-bytes/byte-form.ts";
import { BRACKET, ByteReader, COMMA } from "../../src/protocol/market-bytes/byte-reader.ts";
import { recordingSink, type Reported } from "./recording-sink.ts";

const SYM = "EXCHANGE_A_PERP_BTC_USDT";
const num = (value: unknown): number => Number(value) + 0;

/** Numbers as a venue may write them, well or badly. */
const wireNumber = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: 1e-6, max: 1e7, noNaN: true }).map((value) => value.toFixed(8)) },
  { weight: 4, arbitrary: fc.double({ min: 0, max: 1e6, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom("0", "-0", "0.000", "00012.5", "-3.25", -1, -0, 0) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      "",
      " 1",
      "1 ",
      "1e5",
      "0x10",
      "NaN",
      "Infinity",
      "1_000",
      ".5",
      "5.",
      "+1",
      "1,5",
      null,
      undefined,
      true,
      [],
      {},
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "1".repeat(31),
    ),
  },
);
const wireTime = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 2_000_000_000_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000_000_000_000 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(-1, 1.5, "", "12.5", "-4", null, undefined, "9".repeat(17), 1e300) },
);
const side = fc.constantFrom<unknown>("BUY", "SELL", "buy", "Sell", "BUY", "SELL", "HOLD", "", null, 1);
const omitting = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.record(shape) },
    { weight: 2, arbitrary: fc.record(shape, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, [], "text", 5) },
  );

const trade = omitting({ tradeid: fc.string(), side, price: wireNumber, qty: wireNumber, ts: wireTime });
const level = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(wireNumber, wireNumber) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], ["1"], ["1", "2", "3"], null, {}, "1,2") },
);
const levels = fc.oneof(
  { weight: 9, arbitrary: fc.array(level, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, "x") },
);
const bar = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(wireTime, wireNumber, wireNumber, wireNumber, wireNumber, wireNumber) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>([], null, ["1", "2", "3", "4", "5", "6", "true"], "row") },
);
const bookShape = {
  updatetype: fc.constantFrom<unknown>("snapshot", "update", "all", "snapshot", "update", "partial"),
  seq: wireTime,
  Bids: levels,
  Asks: levels,
  ts: wireTime,
};

interface Case {
  readonly channel: MarketChannel;
  readonly schema: z.ZodType;
  readonly data: fc.Arbitrary<unknown>;
  /** What the sink must be given for data that the schema accepts. */
  readonly expected: (data: never) => Reported[];
}

type Row = readonly unknown[];
const levelsTold = (bid: boolean, rows: readonly Row[] | null | undefined): Reported[] =>
  (rows ?? []).map((row) => ["bookLevel", bid, num(row[0]), num(row[1])]);

const CASES: readonly Case[] = [
  {
    channel: "TICKER",
    schema: tickerData,
    data: omitting({
      last: wireNumber,
      chg: wireNumber,
      high24h: wireNumber,
      low24h: wireNumber,
      vol24h: wireNumber,
      ts: wireTime,
    }),
    expected: (d: Record<string, unknown>) => [
      ["ticker", SYM, num(d.last), num(d.chg), num(d.high24h), num(d.low24h), num(d.vol24h), num(d.ts)],
    ],
  },
  {
    channel: "BBO",
    schema: bboData,
    data: omitting({ bid: wireNumber, bidqty: wireNumber, ask: wireNumber, askqty: wireNumber, ts: wireTime }),
    expected: (d: Record<string, unknown>) => [
      ["bbo", SYM, num(d.bid), num(d.bidqty), num(d.ask), num(d.askqty), num(d.ts)],
    ],
  },
  {
    channel: "TRADE",
    schema: tradeData,
    data: fc.oneof(trade, fc.array(trade, { maxLength: 3 })),
    expected: (d: Record<string, unknown> | Record<string, unknown>[]) =>
      (Array.isArray(d) ? d : [d]).map((one) => [
        "trade",
        SYM,
        String(one.side).toUpperCase() === "BUY",
        num(one.price),
        num(one.qty),
        num(one.ts),
      ]),
  },
  ...(
    [
      ["MARK_PRICE", markPriceData, "markpx", "mark"],
      ["INDEX_PRICE", indexPriceData, "indexpx", "index"],
      ["OPEN_INTEREST", openInterestData, "open_interest", "openInterest"],
    ] as const
  ).map(([channel, schema, field, method]) => ({
    channel,
    schema,
    data: omitting({ [field]: wireNumber, ts: wireTime }),
    expected: (d: Record<string, unknown>): Reported[] => [[method, SYM, num(d[field]), num(d.ts)]],
  })),
  {
    channel: "ORDER_BOOK",
    schema: orderBookData.refine((data) => (data.updatetype ?? null) !== null),
    data: fc.oneof(
      omitting(bookShape),
      fc.record({ ...bookShape, pre_seq: wireTime }),
      fc.record({ updatetype: bookShape.updatetype, seq: wireTime, bids: levels, asks: levels, ts: wireTime }),
    ),
    expected: (d: Record<string, unknown>) => [
      ["bookBegin", SYM, d.updatetype !== "update", num(d.seq), num(d.ts)],
      ...levelsTold(true, (d.Bids ?? d.bids) as Row[] | null | undefined),
      ...levelsTold(false, (d.Asks ?? d.asks) as Row[] | null | undefined),
      ["bookEnd"],
    ],
  },
  ...(["KLINE", "INDEX_KLINE", "MARK_PRICE_KLINE"] as const).map((channel) => ({
    channel,
    schema: klineData,
    data: fc.oneof(
      { weight: 9, arbitrary: fc.array(bar, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant<unknown>(null) },
    ),
    expected: (d: Row[]): Reported[] =>
      d.map((row) => [
        "kline",
        channel,
        SYM,
        "1m",
        num(row[0]),
        num(row[1]),
        num(row[2]),
        num(row[3]),
        num(row[4]),
        num(row[5]),
      ]),
  })),
];

test("text is read as the pattern and Number() read it, digit by digit or not", () => {
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.stringMatching(/^-?\d{1,12}(\.\d{1,12})?$/) },
    { weight: 2, arbitrary: fc.stringMatching(/^-?\d{0,31}\.?\d{0,31}$/) },
    { weight: 2, arbitrary: fc.stringMatching(/^[-+. \de]{0,6}$/) },
  );
  const read = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(text, (value) => {
      const expected = DECIMAL_PATTERN.test(value) ? Number(value) : NaN;
      expect(Object.is(valueOf(value), expected), value).toBe(true);
      read[Number.isNaN(expected) ? "refused" : "accepted"] += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(read.accepted, read.refused)).toBeGreaterThan(300);
});

describe("market readers agree with their schemas", () => {
  test.each(CASES.map((one) => [one.channel, one] as const))("%s", (channel, one) => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(one.data, (data) => {
        const { sink, reported } = recordingSink();
        const verdict = readMarketFrame({ arg: { channel, sym: SYM, interval: "1m" }, data }, sink);
        const parsed = one.schema.safeParse(data);
        if (parsed.success) {
          accepted++;
          expect(verdict).toBe("push");
          expect(reported).toEqual(one.expected(data as never));
        } else {
          refused++;
          expect(verdict).toMatchObject({ refused: expect.stringContaining(channel) as unknown });
          expect(reported).toEqual([]);
        }
      }),
      { numRuns: 1500 },
    );
    // A generator that only ever makes one kind would prove nothing.
    expect(accepted).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });
});

/** What the bytes of `data` report, followed by the bracket that ends a frame; null where they are not of the plain form. */
function fromBytes(channel: string, text: string): Reported[] | null {
  const { sink, reported } = recordingSink();
  const form = byteFormOf(channel, "1m");
  const bytes = Buffer.from(`${text}}`);
  const reader = new ByteReader();
  reader.open(bytes, 0, bytes.length);
  if (!form || !form.read(reader) || !reader.takes(BRACKET.objectEnd) || !reader.isDone) return null;
  form.report(SYM, sink);
  return reported;
}

/** The same text with a character changed, added or removed. */
const marred = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom("", '"', ",", "}", "]", "0", ".", "-", "e", " ", "\\", "é", "null"),
      fc.nat(1),
    )
    .map(([whole, place, put, taken]) => {
      const at = whole.length === 0 ? 0 : place % whole.length;
      return whole.slice(0, at) + put + whole.slice(at + taken);
    });

describe("what is read from bytes", () => {
  test.each(CASES.map((one) => [one.channel, one] as const))("%s is what the parsed frame reports", (channel, one) => {
    const text = one.data.map((data) => JSON.stringify(data ?? null));
    const count = { read: 0, left: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: marred(text) }), (written) => {
        const read = fromBytes(channel, written);
        count[read ? "read" : "left"] += 1;
        if (!read) return;
        const { sink, reported } = recordingSink();
        const arg = { channel, sym: SYM, interval: "1m" };
        expect(readMarketFrame({ arg, data: JSON.parse(written) as unknown }, sink), written).toBe("push");
        expect(read, written).toEqual(reported);
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(count.read, count.left)).toBeGreaterThan(50);
  });

  test("a number is that of the text or the JSON number, or is left", () => {
    const texts = fc.oneof(
      fc.stringMatching(/^-?\d{1,9}(\.\d{1,8})?$/),
      fc.stringMatching(/^-?\d{0,18}\.?\d{0,18}$/),
      fc.stringMatching(/^[-+. \de]{0,6}$/),
    );
    const count = { read: 0, left: 0 };
    fc.assert(
      fc.property(texts, fc.boolean(), fc.boolean(), (digits, quoted, whole) => {
        const written = quoted ? `"${digits}"` : digits;
        const bytes = Buffer.from(`${written},`);
        const reader = new ByteReader();
        reader.open(bytes, 0, bytes.length);
        const into = new Float64Array(1);
        const read = whole ? reader.count(into, 0) : reader.number(into, 0);
        if (!read || !reader.takes(COMMA) || !reader.isDone) return void (count.left += 1);
        count.read += 1;
        const value = JSON.parse(written) as unknown;
        expect(whole ? isCount(value) : isNumber(value), written).toBe(true);
        expect(Object.is(into[0], numberOf(value as string)), written).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(count.read, count.left)).toBeGreaterThan(300);
  });

  const ts = 1_700_000_000_000;
  test.each([
    ["BBO", { bid: "60000.1", bidqty: "3.2", ask: "60000.2", askqty: "0", ts }],
    ["BBO", { ts: String(ts), ask: 60000.2, askqty: 1, bid: 60000.1, bidqty: 0 }],
    ["TICKER", { last: "1", chg: "-1.25", high24h: "2", low24h: "0.5", vol24h: "1512.5", ts }],
    ["TRADE", [{ tradeid: "77", side: "BUY", price: "1.5", qty: "0.02", ts }]],
    ["TRADE", []],
    ["MARK_PRICE", { markpx: "1.5", ts }],
    ["OPEN_INTEREST", { open_interest: "67684.63", ts }],
    ["KLINE", [[String(ts), "1", "2", "0.5", "1.5", "31.77"]]],
    ["ORDER_BOOK", { updatetype: "update", seq: 2, pre_seq: 1, Bids: [["1", "2"]], Asks: [], ts }],
    ["ORDER_BOOK", { updatetype: "snapshot", seq: 2, pre_seq: -1, bids: [], asks: [["3", "0"]], ts }],
    ["ORDER_BOOK", { seq: 2, ts, Asks: [], Bids: [], updatetype: "all", pre_seq: null }],
  ] as const)("%s of the plain form takes the short way", (channel, data) => {
    expect(fromBytes(channel, JSON.stringify(data))).not.toBeNull();
  });
});
