import { describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { createContext, type Context } from "../../src/context/context.ts";
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

  test("age is the worse of the venue's time and ours", () => {
    const context = fresh();
    context.sink.received(AT_MS);
    context.sink.bbo(BTC, 99, 1, 101, 1, AT_MS - 4_000);
    context.sink.mark(BTC, 100, AT_MS);
    expect(context.quote(BTC, AT_MS + 1_000)).toMatchObject({ bboAgeMs: 5_000, markAgeMs: 1_000, bookAgeMs: Infinity });
    context.onClockOffset(-4_000);
    expect(context.quote(BTC, AT_MS + 1_000)).toMatchObject({ bboAgeMs: 1_000, markAgeMs: 1_000 });
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

  test("strangers are counted and change nothing", () => {
    const context = fresh();
    context.sink.received(AT_MS);
    context.sink.bookBegin("EXCHANGE_A_PERP_XYZ_USDT", true, 1, AT_MS);
    context.sink.bookLevel(true, 1, 1);
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
    sink.bookLevel(true, 99.99, 30);
    sink.bookLevel(false, 100.01, 10);
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
});

describe("prompt tables", () => {
  const all = { charsMax: 20_000, newsTextMax: 50, offers: () => true };

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
    const tables = promptTables(snapshot, { ...all, charsMax: 2_000 });
    expect(tables.market[0]).toMatchObject({ symbol: held, held: "LONG" });
    expect(tables.market[1]).toMatchObject({ symbol: "EXCHANGE_A_PERP_C29_USDT" });
    expect(tables.missing.join()).toMatch(/\d+ quiet symbols are left out.*news items are left out/);
    expect(JSON.stringify(tables.market).length + JSON.stringify(tables.news).length).toBeLessThan(6_000);
  });
});
