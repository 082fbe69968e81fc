/** A stream that reads pushes from their bytes reports the same as one that parses every frame, whatever the frames are. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { virtualClock } from "../../src/core/virtual-clock.ts";
import type { MarketChannel, MarketSubscription } from "../../src/domain/market.ts";
import type { Network } from "../../src/net/network.ts";
import { createMarketStream } from "../../src/venue/market-stream.ts";
import { recordingSink } from "../protocol/recording-sink.ts";

const BTC = "EXCHANGE_A_PERP_BTC_USDT";
const ETH = "EXCHANGE_A_PERP_ETH_USDT";
const CHANNELS: readonly MarketChannel[] = ["BBO", "ORDER_BOOK", "TRADE", "MARK_PRICE", "TICKER", "KLINE"];
const WANTED = [BTC, ETH].flatMap((symbol) =>
  CHANNELS.map((channel): MarketSubscription => ({
    channel,
    symbol,
    ...(channel === "KLINE" ? { interval: "1m" } : {}),
  })),
);

const never = (): never => {
  throw new Error("a market stream makes no requests");
};

/** A stream whose subscriptions are acknowledged at once; `hear` gives it a frame. */
async function streamed(form: (text: string) => Buffer | string) {
  const clock = virtualClock(1_700_000_000_000);
  const entropy = seededEntropy("market-bytes");
  let listener: (data: Buffer | string) => void = () => undefined;
  const network: Network = {
    http: never,
    gate: never,
    connect: (_url, on) => {
      listener = on.message;
      clock.after(0, () => on.open());
      return {
        send: (text) => {
          const { event, arg } = JSON.parse(text) as { event?: string; arg?: unknown };
          if (event === "subscribe") clock.after(0, () => on.message(JSON.stringify({ event, code: 0, arg })));
          return true;
        },
        abandon: () => undefined,
      };
    },
  };
  const { sink, reported } = recordingSink();
  const logged: string[] = [];
  const stream = createMarketStream({
    env: { clock, entropy, ids: timedIds(clock.nowMs, entropy), network },
    log: { event: (_level, evt, message) => void logged.push(`${evt} ${message}`) },
    url: "ws://here/",
    sink,
    binary: true,
  });
  stream.want(WANTED);
  stream.start();
  await clock.advance(5_000);
  expect(stream.health().acknowledged).toBe(WANTED.length);
  reported.length = 0;
  return { reported, logged, stream, hear: (text: string) => listener(form(text)) };
}

const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(7, 0.5, "0", "-1", "1e3", null, "12345678901234567.5", "x") },
);
const time = fc.constantFrom<unknown>(1_700_000_000_123, "1700000000123", 1_700_000_000_123, -1, "soon");
const level = fc.tuple(price, price);
const seq = fc.integer({ min: 1, max: 12 });
const bookOf = (first: boolean) =>
  fc.record({
    updatetype: fc.constantFrom("update", "update", "update", first ? "snapshot" : "update"),
    seq,
    pre_seq: seq,
    Bids: fc.array(level, { maxLength: 3 }),
    Asks: fc.array(level, { maxLength: 3 }),
    ts: time,
  });
const dataOf: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  BBO: fc.record({ bid: price, bidqty: price, ask: price, askqty: price, ts: time }),
  ORDER_BOOK: fc.oneof(bookOf(true), bookOf(false)),
  TRADE: fc.array(
    fc.record({ tradeid: fc.string(), side: fc.constantFrom("BUY", "SELL", "?"), price, qty: price, ts: time }),
    { maxLength: 3 },
  ),
  MARK_PRICE: fc.record({ markpx: price, ts: time }),
  TICKER: fc.record({ last: price, chg: price, high24h: price, low24h: price, vol24h: price, ts: time }),
  KLINE: fc.array(fc.tuple(time, price, price, price, price, price), { maxLength: 2 }),
};
const push = fc.constantFrom(...CHANNELS).chain((channel) =>
  fc
    .record({
      sym: fc.constantFrom(BTC, ETH, BTC, ETH, "EXCHANGE_A_PERP_DOGE_USDT"),
      data: dataOf[channel] ?? fc.constant(null),
      order: fc.constantFrom("usual", "usual", "usual", "usual", "turned", "more", "spaced"),
    })
    .map(({ sym, data, order }) => {
      const arg = { channel, sym, ...(channel === "KLINE" ? { interval: "1m" } : {}) };
      if (order === "turned") return JSON.stringify({ data, arg });
      if (order === "more") return JSON.stringify({ arg, data, ts: 5 });
      return order === "spaced" ? JSON.stringify({ arg, data }, null, 1) : JSON.stringify({ arg, data });
    }),
);
const frame = fc.oneof(
  { weight: 12, arbitrary: push },
  { weight: 1, arbitrary: push.chain((text) => fc.nat(text.length).map((cut) => text.slice(0, cut))) },
  { weight: 1, arbitrary: fc.constantFrom('{"pong":5}', "pong", "[]", '{"event":"error","code":3}', "{}", "é") },
);

describe("frames as bytes and as text", () => {
  test("report the same, count the same and log the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 60 }), async (frames) => {
        const [text, bytes, zipped] = await Promise.all([
          streamed((written) => written),
          streamed((written) => Buffer.from(written)),
          streamed((written) => gzipSync(written)),
        ]);
        for (const written of frames) for (const { hear } of [text, bytes, zipped]) hear(written);
        for (const other of [bytes, zipped]) {
          expect(other.reported).toEqual(text.reported);
          expect(other.logged).toEqual(text.logged);
          expect(other.stream.health()).toEqual(text.stream.health());
        }
      }),
      { numRuns: 150 },
    );
  });

  test("a frame that is cut, or has a wrong checksum, is refused and the next one read", async () => {
    const { reported, logged, hear } = await streamed((written) => {
      const whole = gzipSync(written.slice(1));
      if (written.startsWith("c")) return whole.subarray(0, whole.length - 3);
      if (written.startsWith("w")) whole.writeUInt8(whole.readUInt8(whole.length - 7) ^ 1, whole.length - 7);
      return whole;
    });
    const bbo = (bid: string) =>
      JSON.stringify({ arg: { channel: "BBO", sym: BTC }, data: { bid, bidqty: "1", ask: "9", askqty: "1", ts: 1 } });
    for (const [how, bid] of ["  1", " 2", "c3", "w4", " 5"].map((word) => [word.at(-2) ?? "", word.at(-1) ?? ""]))
      hear(`${how ?? ""}${bbo(bid ?? "")}`);
    expect(reported.filter(([method]) => method === "bbo").map(([, , bid]) => bid)).toEqual([1, 2, 5]);
    expect(logged.filter((line) => line.startsWith("frame.refused"))).toHaveLength(2);
  });
});
