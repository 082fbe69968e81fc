import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate } from "../../src/context/candles.ts";
import { dec } from "../../src/core/decimal.ts";
import { countTokens } from "../../src/core/tokens.ts";
import { createContext, type Context } from "../../src/context/context.ts";
import type { Row } from "../../src/context/prompt-cells.ts";
import { promptTables } from "../../src/context/prompt-tables.ts";
import type { Snapshot, SymbolView } from "../../src/context/snapshot.ts";
import {
  accountOf,
  AT_MS,
  BTC,
  ETH,
  headroomOf,
  heldOf,
  newsOf,
  rulesOf,
  snapshotOf,
  viewOf,
} from "../strategy/snapshots.ts";

const fresh = (): Context => createContext({ universe: [BTC, ETH], intervals: ["5m"] });

function quoted(context: Context, symbol: string, price: number, atMs: number): void {
  context.sink.received(atMs);
  context.sink.bbo(symbol, price * 0.9999, 1, price * 1.0001, 1, atMs);
  context.sink.mark(symbol, price, atMs);
  context.sink.index(symbol, price, atMs);
}

const snap = (context: Context, atMs: number): Snapshot =>
  context.snapshot({ atMs, account: null, headroom: headroomOf() });
const view = (context: Context, atMs: number): SymbolView => snap(context, atMs).symbols[0] ?? viewOf(BTC);

describe("context", () => {
  test("knows nothing at first, and says so", () => {
    const { symbols, missing } = snap(fresh(), AT_MS);
    expect(symbols.map((each) => [each.bid, each.ageMs.book, each.volatilityHour])).toEqual([
      [null, Infinity, null],
      [null, Infinity, null],
    ]);
    expect(missing).toContain("no quote: BTC, ETH");
    expect(missing).toContain("the account has not been read");
  });

  test("within half a minute it knows price, short returns and volatility", () => {
    const context = fresh();
    for (let s = 0; s <= 30; s++) quoted(context, BTC, 100 * (1 + s / 10_000 + (s % 2) / 50_000), AT_MS + s * 1_000);
    const btc = view(context, AT_MS + 30_000);
    expect(btc.returns["15s"]).toBeCloseTo(0.0015, 4);
    expect(btc.returns["30s"]).toBeCloseTo(0.003, 4);
    expect(btc.returns["5m"]).toBeUndefined();
    expect(btc.volatilityHour).toBeGreaterThan(0.01);
    expect(btc.basisBps).toBeCloseTo(0);
  });

  test("a snapshot says the same whenever it is read: nothing that happens later changes it", () => {
    const context = createContext({ universe: [BTC, ETH], intervals: ["5m", "1H"] });
    const price = (symbol: string, at: number): number => (symbol === BTC ? 100 : 50) * (1 + Math.sin(at * 1.7) / 50);
    const bars = (fromMinute: number, toMinute: number): void => {
      for (let at = fromMinute; at < toMinute; at++) {
        const atMs = AT_MS + at * 60_000;
        for (const symbol of [BTC, ETH]) {
          const close = price(symbol, at);
          quoted(context, symbol, close, atMs);
          context.sink.kline("KLINE", symbol, "1m", atMs, close, close + 1, close - 1, close, at + 1);
        }
        context.onFunding({ symbol: BTC, rate: dec("0.0001"), nextFundingAtMs: atMs + 60_000 });
      }
    };
    bars(0, 3_000);
    const atMs = AT_MS + 3_000 * 60_000;
    const [early, late] = [snap(context, atMs), snap(context, atMs)];
    const read = JSON.stringify(early);
    expect(early.symbols[1]?.correlationToLeader).not.toBeNull();
    expect(early.symbols[0]?.history.horizons["1d"]).toBeDefined();
    bars(3_000, 3_200);
    expect(JSON.stringify(late)).toBe(read);
  });

  test("age is the worse of the venue's time and ours", () => {
    const context = fresh();
    context.sink.received(AT_MS);
    context.sink.bbo(BTC, 99, 1, 101, 1, AT_MS - 4_000);
    context.sink.mark(BTC, 100, AT_MS);
    expect(context.quote(BTC, AT_MS + 1_000)).toMatchObject({ bboAgeMs: 5_000, markAgeMs: 1_000, bookAgeMs: Infinity });
    context.onClockOffset(-4_000);
    expect(context.quote(BTC, AT_MS + 1_000)).toMatchObject({ bboAgeMs: 1_000, markAgeMs: 1_000 });
  });

  test("a clock of ours that is an hour behind makes nothing old once the venue's is known", () => {
    const context = fresh();
    const behindMs = 3_600_000;
    context.onClockOffset(behindMs);
    context.sink.received(AT_MS - behindMs);
    context.sink.bbo(BTC, 99, 1, 101, 1, AT_MS);
    context.sink.mark(BTC, 100, AT_MS);
    expect(context.quote(BTC, AT_MS - behindMs + 500)).toMatchObject({ bboAgeMs: 500, markAgeMs: 500 });
  });

  test("what a wrong clock of ours let pass from the venue's future does not keep out what follows", () => {
    const context = fresh();
    const aheadMs = 3_600_000;
    context.sink.received(AT_MS + aheadMs);
    context.sink.mark(BTC, 100, AT_MS + 90_000);
    context.onClockOffset(-aheadMs);
    context.sink.received(AT_MS + aheadMs + 1_000);
    context.sink.mark(BTC, 101, AT_MS + 1_000);
    expect(context.quote(BTC, AT_MS + aheadMs + 1_000)).toMatchObject({ mark: 101, markAgeMs: 0 });
  });

  test("a replay of old frames does not look fresh and does not go back in time", () => {
    const context = fresh();
    quoted(context, BTC, 100, AT_MS);
    context.sink.received(AT_MS + 20_000);
    context.sink.mark(BTC, 90, AT_MS - 60_000);
    expect(context.quote(BTC, AT_MS + 20_000)).toMatchObject({ mark: 100, markAgeMs: 20_000 });
    expect(context.counts().reordered).toBe(1);
  });

  test("an impossible price is not taken, and the symbol is held back for a minute", () => {
    const context = fresh();
    context.onRules([rulesOf(BTC)]);
    quoted(context, BTC, 100, AT_MS);
    expect(context.tradable(BTC, AT_MS)).toBe(true);
    context.sink.mark(BTC, 1_000, AT_MS + 1);
    expect(context.quote(BTC, AT_MS + 1)).toMatchObject({ mark: 100, markAgeMs: Infinity, bboAgeMs: Infinity });
    expect(context.tradable(BTC, AT_MS + 1)).toBe(false);
    expect(snap(context, AT_MS + 1).missing.join()).toContain("impossible prices: BTC");
    expect(context.tradable(BTC, AT_MS + 61_000)).toBe(true);
  });

  test("outsiders are counted and change nothing", () => {
    const context = fresh();
    context.sink.received(AT_MS);
    context.sink.bookBegin("EXCHANGE_A_PERP_XYZ_USDT", true, 1, AT_MS);
    context.sink.bookSide(true, Float64Array.of(1, 1), 1);
    context.sink.bookEnd();
    context.sink.mark("EXCHANGE_A_PERP_XYZ_USDT", 1, AT_MS);
    expect(context.counts().unknownSymbol).toBe(2);
    expect(context.quote("EXCHANGE_A_PERP_XYZ_USDT", AT_MS).mark).toBeNull();
  });

  test("warm once half of the universe is quoted and marked", () => {
    const context = fresh();
    expect(context.warm(AT_MS)).toBe(false);
    quoted(context, ETH, 10, AT_MS);
    expect(context.warm(AT_MS)).toBe(true);
    expect(context.warm(AT_MS + 60_000)).toBe(false);
  });

  test("history gives long returns, volatility, correlation and longer bars at once", () => {
    const context = fresh();
    const bars = (phase: number) =>
      Array.from({ length: 300 }, (_, n) => {
        const close = 100 + Math.sin(n / 3 + phase) + n / 100;
        return {
          openMs: AT_MS - (300 - n) * 60_000,
          open: close,
          high: close + 0.1,
          low: close - 0.1,
          close,
          volume: 1,
        };
      });
    context.warmUp(BTC, "1m", bars(0));
    context.warmUp(ETH, "1m", bars(0));
    quoted(context, BTC, 103, AT_MS);
    quoted(context, ETH, 103, AT_MS);
    const [btc, eth] = snap(context, AT_MS).symbols;
    expect(btc?.returns["1h"]).toBeCloseTo(103 / (100 + Math.sin(239 / 3) + 2.39) - 1, 3);
    expect(btc?.returns["4h"]).toBeDefined();
    expect(eth?.correlationToLeader).toBeCloseTo(1);
    expect(btc?.candles["5m"]?.length).toBeGreaterThan(50);
    expect(btc?.volatilityHour).toBeGreaterThan(0);
  });

  test("book, trades, funding and interest reach the view", () => {
    const context = fresh();
    const { sink } = context;
    sink.received(AT_MS);
    sink.bookBegin(BTC, true, 1, AT_MS);
    sink.bookSide(true, Float64Array.of(99.99, 30), 1);
    sink.bookSide(false, Float64Array.of(100.01, 10), 1);
    sink.bookEnd();
    sink.trade(BTC, true, 100, 2, AT_MS);
    sink.openInterest(BTC, 500, AT_MS);
    context.onFunding({ symbol: BTC, rate: dec("0.0001"), nextFundingAtMs: AT_MS + 1 });
    expect(view(context, AT_MS)).toMatchObject({
      bid: 99.99,
      ask: 100.01,
      depthImbalance: 0.5,
      tradeFlow: 1,
      openInterest: 500,
      fundingRate: 0.0001,
      last: 100,
    });
    expect(view(context, AT_MS).depthUsdt).toBeCloseTo(99.99 * 30 + 100.01 * 10);
  });

  test("a trade from before the last ticker counts in the flow and leaves the last price", () => {
    const context = fresh();
    const { sink } = context;
    sink.received(AT_MS);
    sink.trade(BTC, true, 100, 2, AT_MS - 200);
    sink.ticker(BTC, 101, 0, NaN, NaN, NaN, AT_MS);
    sink.trade(BTC, false, 99, 2, AT_MS - 100);
    expect(view(context, AT_MS)).toMatchObject({ last: 101, tradedUsdt: 398 });
  });
});

describe("longer bars and gauges", () => {
  const minute = (context: Context, n: number, close: number): void => {
    context.sink.received(AT_MS + n * 60_000);
    context.sink.kline("KLINE", BTC, "1m", AT_MS + n * 60_000, close, close + 1, close - 1, close, 2);
  };

  test("five-minute bars grow with every push of the running minute; one that was joined midway is left out", () => {
    const context = fresh();
    for (const n of [-2, -1, 0, 1, 2]) minute(context, n, 100 + n);
    minute(context, 2, 110);
    expect(view(context, AT_MS + 180_000).candles["5m"]).toEqual([
      { openMs: AT_MS, open: 100, high: 111, low: 99, close: 110, volume: 6 },
    ]);
    for (const n of [3, 4, 5]) minute(context, n, 100 + n);
    expect(view(context, AT_MS + 360_000).candles["5m"]).toMatchObject([
      { openMs: AT_MS, high: 111, low: 99, close: 104, volume: 10 },
      { openMs: AT_MS + 300_000, open: 105, volume: 2 },
    ]);
  });

  test("bars that the venue pushes itself are not made from minutes", () => {
    const context = fresh();
    context.sink.received(AT_MS);
    context.sink.kline("KLINE", BTC, "5m", AT_MS, 50, 60, 40, 55, 9);
    minute(context, 0, 100);
    expect(view(context, AT_MS).candles["5m"]).toMatchObject([{ open: 50, volume: 9 }]);
  });

  test("a bar that begins in the future is left out, and blocks none of those that follow", () => {
    const context = fresh();
    minute(context, 0, 100);
    context.sink.kline("KLINE", BTC, "1m", AT_MS * 1_000, 100, 101, 99, 100, 2);
    context.sink.kline("KLINE", BTC, "5m", AT_MS + 3_600_000, 100, 101, 99, 100, 2);
    for (const n of [1, 2]) minute(context, n, 100 + n);
    const { candles, ageMs } = view(context, AT_MS + 120_000);
    expect(candles["1m"]?.map(({ close }) => close)).toEqual([100, 101, 102]);
    expect(candles["5m"]).toMatchObject([{ openMs: AT_MS, close: 102, volume: 6 }]);
    expect(ageMs.candle).toBe(0);
    expect(context.counts().badBars).toBe(2);
  });

  test("a bar is as far ahead of us as the venue's clock", () => {
    const context = fresh();
    context.onClockOffset(3_600_000);
    context.sink.received(AT_MS);
    context.sink.kline("KLINE", BTC, "1m", AT_MS + 3_600_000, 100, 101, 99, 100, 2);
    expect(view(context, AT_MS).candles["1m"]).toHaveLength(1);
  });

  test("rolled-up bars agree with bars put together afterwards, holes and all", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 50, max: 150 })), { maxLength: 60 }),
        (steps) => {
          const context = fresh();
          let n = -7;
          const minutes = steps.map(([ahead, close]) => {
            n += ahead;
            minute(context, n, close - 1);
            minute(context, n, close);
            return { openMs: AT_MS + n * 60_000, open: close, high: close + 1, low: close - 1, close, volume: 2 };
          });
          expect(view(context, AT_MS + 10).candles["5m"]).toEqual(aggregate(minutes, 300_000));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("holes in the minutes are said; every collection stays under its cap under a flood", () => {
    const context = createContext({
      universe: [BTC],
      intervals: ["5m"],
      caps: { minuteBars: 50, bars: 10, newsKept: 20 },
    });
    for (let n = 0; n < 500; n++) minute(context, n * (n > 400 ? 2 : 1), 100);
    for (let n = 0; n < 500; n++) context.onNews(newsOf(String(n), { firstSeenMs: AT_MS + n }));
    for (let n = 0; n < 2_000; n++) {
      context.sink.bookBegin(BTC, n === 0, n, AT_MS + n);
      context.sink.bookSide(true, Float64Array.of(100 - n / 100, 1), 1);
      context.sink.bookSide(false, Float64Array.of(101 + n / 100, 1), 1);
      context.sink.bookEnd();
      context.sink.trade(BTC, true, 100, 1, AT_MS + n * 10_000);
      context.sink.openInterest(BTC, 5, AT_MS + n * 60_000);
    }
    const gauges = context.gauges();
    expect(gauges.map(({ name }) => name)).toEqual([
      "context.bars.1m",
      "context.bars.5m",
      "context.bookLevels",
      "context.tradeBuckets",
      "context.priceSamples",
      "context.openInterest",
      "context.news",
    ]);
    for (const { name, size, highWater, cap } of gauges) {
      expect([name, size <= highWater, highWater <= cap]).toEqual([name, true, true]);
    }
    expect(view(context, AT_MS).minutesMissing).toBeGreaterThan(0);
    expect(snap(context, AT_MS).missing.join()).toContain("holes in the minute bars");
  });

  test("indicators stand beside the candles once there are enough of them", () => {
    const context = fresh();
    expect(view(context, AT_MS).indicators["5m"]).toEqual({ rsi14: null, atr14: null, emaGap: null, zscore20: null });
    for (let n = 0; n < 200; n++) minute(context, n, 100 + n);
    const { rsi14, atr14, emaGap, zscore20 } = view(context, AT_MS + 12_000_000).indicators["5m"] ?? {};
    expect(rsi14).toBeGreaterThan(95);
    expect(atr14).toBeGreaterThan(0);
    expect(emaGap).toBeGreaterThan(0);
    expect(zscore20).toBeGreaterThan(1);
  });
});

describe("prompt tables", () => {
  const all = { tokensMax: 10_000, newsTextMax: 50, offers: () => true };

  test("rows are rounded for reading; unknown is null", () => {
    const snapshot = snapshotOf({
      symbols: [viewOf(BTC, { last: 64_250.55, returns: { "5m": 0.0005, "1h": -0.0031 }, fundingRate: null })],
    });
    expect(promptTables(snapshot, all).market[0]).toMatchObject({
      symbol: BTC,
      price: "64250.6",
      ret5m: "+0.05",
      ret1h: "-0.31",
      ret4h: null,
      vol1h: "0.60",
      fundingPct: null,
      held: null,
    });
  });

  test("a small budget drops quiet symbols and late news, never what is held, and says so", () => {
    const symbols = Array.from({ length: 30 }, (_, n) =>
      viewOf(`EXCHANGE_A_PERP_C${n}_USDT`, { returns: { "1h": n / 1_000 } }),
    );
    const held = symbols[0]?.symbol ?? "";
    const snapshot = snapshotOf({
      symbols,
      account: accountOf([heldOf(held, "LONG", 5)]),
      news: Array.from({ length: 20 }, (_, n) => newsOf(`${n}`)),
    });
    const tables = promptTables(snapshot, { ...all, tokensMax: 700 });
    expect(tables.market[0]).toMatchObject({ symbol: held, held: "LONG" });
    expect(tables.market[1]).toMatchObject({ symbol: "EXCHANGE_A_PERP_C29_USDT" });
    expect(tables.missing.join()).toMatch(/\d+ quiet symbols are left out.*news items are left out/);
    const print = (rows: readonly Row[]): string => rows.map((row) => Object.values(row).join(" | ")).join("\n");
    const spent = countTokens(print([...tables.positions, ...tables.market, ...tables.news]));
    expect(spent).toBeGreaterThan(500);
    expect(spent).toBeLessThanOrEqual(700);
  });

  test("news gives up its texts before its headlines, and a token bomb gives up itself", () => {
    const snapshot = snapshotOf({
      symbols: [],
      account: null,
      news: [
        newsOf("0", { title: "\u{1F300}".repeat(100), text: "A".repeat(50) }),
        ...Array.from({ length: 10 }, (_, n) => newsOf(`${n + 1}`, { text: "words and more words ".repeat(20) })),
      ],
    });
    const { news, missing } = promptTables(snapshot, { ...all, tokensMax: 700, newsTextMax: 400 });
    expect(news.filter((row) => row["text"] !== "").length).toBeLessThan(news.length);
    expect(missing.join()).toMatch(/the texts of \d+ less relevant news items are left out/);
    const bombed = promptTables(snapshot, { ...all, tokensMax: 120, newsTextMax: 400 });
    expect(bombed.missing.join()).toMatch(/\d+ less relevant news items are left out/);
  });
});
