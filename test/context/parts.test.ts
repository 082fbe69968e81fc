import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate, CandleSeries } from "../../src/context/candles.ts";
import { pearson } from "../../src/context/correlation.ts";
import { Flow } from "../../src/context/flow.ts";
import { NewsWindow } from "../../src/context/news-window.ts";
import { Ring } from "../../src/context/ring.ts";
import { Sanity } from "../../src/context/sanity.ts";
import { MARK, SymbolState } from "../../src/context/symbol-state.ts";
import { Seconds } from "../../src/context/seconds.ts";
import { hourlyVolatility, squaresOf } from "../../src/context/volatility.ts";
import { AT_MS, newsOf } from "../strategy/snapshots.ts";

describe("ring", () => {
  test("holds what an array's tail holds", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 50 }), fc.integer({ min: 1, max: 9 }), (values, capacity) => {
        const ring = new Ring(1, capacity);
        for (const value of values) {
          ring.advance();
          ring.set(0, 0, value);
        }
        const tail = values.slice(-capacity).reverse();
        expect(Array.from({ length: ring.size }, (_, age) => ring.at(age, 0))).toEqual(tail);
        expect(ring.at(capacity, 0)).toBeNaN();
      }),
    );
  });
});

describe("candles", () => {
  const series = (): CandleSeries => new CandleSeries(60_000, 4);
  const minute = (n: number): number => AT_MS + n * 60_000;

  test("the running bar is replaced, a new open closes it, the oldest is forgotten", () => {
    const bars = series();
    for (let n = 0; n < 6; n++) bars.bar(minute(n), 10, 12, 9, 10 + n / 10, 1);
    bars.bar(minute(5), 10, 13, 9, 11, 2);
    expect(bars.list(10).map((bar) => bar.openMs)).toEqual([2, 3, 4, 5].map(minute));
    expect(bars.list(1)[0]).toEqual({ openMs: minute(5), open: 10, high: 13, low: 9, close: 11, volume: 2 });
  });

  test.each([
    ["zero low", [minute(9), 1, 1, 0, 1, 1]],
    ["high below low", [minute(9), 2, 1, 2, 2, 1]],
    ["close outside", [minute(9), 2, 3, 1, 4, 1]],
    ["not a number", [minute(9), NaN, 3, 1, 2, 1]],
  ] as const)("%s is refused", (_name, [openMs, open, high, low, close, volume]) => {
    expect(series().bar(openMs, open, high, low, close, volume)).toBe(false);
  });

  test("history is put before what was pushed, and what was pushed wins", () => {
    const bars = series();
    bars.bar(minute(2), 5, 5, 5, 5, 1);
    bars.load([0, 1, 2].map((n) => ({ openMs: minute(n), open: 1, high: 1, low: 1, close: 1, volume: 1 })));
    expect(bars.list(10).map((bar) => bar.close)).toEqual([1, 1, 5]);
  });

  test("minutes become five-minute bars; a first bar that is cut off is left out", () => {
    const minutes = [-2, -1, 0, 1, 2, 3, 4, 5].map((n) => ({
      openMs: minute(n),
      open: n + 10,
      high: n + 12,
      low: n + 8,
      close: n + 11,
      volume: 1,
    }));
    expect(aggregate(minutes, 300_000)).toEqual([
      { openMs: minute(0), open: 10, high: 16, low: 8, close: 15, volume: 5 },
      { openMs: minute(5), open: 15, high: 17, low: 13, close: 16, volume: 1 },
    ]);
  });
});

test("trade flow is the balance of the last five minutes", () => {
  const flow = new Flow();
  expect(flow.balance(AT_MS)).toBeNull();
  flow.trade(false, 1_000, AT_MS - 400_000);
  flow.trade(true, 300, AT_MS - 20_000);
  flow.trade(false, 100, AT_MS);
  expect(flow.balance(AT_MS)).toBeCloseTo(0.5);
});

test("seconds answer for an instant and in even steps", () => {
  const seconds = new Seconds();
  for (let s = 0; s <= 30; s++) seconds.sample(100 + s, AT_MS + s * 1_000);
  seconds.sample(999, AT_MS + 30_500);
  expect(seconds.priceAt(AT_MS + 10_400, 2_000)).toBe(110);
  expect(seconds.priceAt(AT_MS - 1, 2_000)).toBeNull();
  expect(seconds.stepsBack(AT_MS + 30_000, 10_000)).toEqual([100, 110, 120, 130]);
});

test("volatility of even steps is scaled to an hour; a flat or short series has none", () => {
  const prices = Array.from({ length: 61 }, (_, n) => (n % 2 === 0 ? 100 : 100.1));
  const options = { stepMs: 60_000, halfLife: 60, needed: 15 };
  expect(hourlyVolatility(squaresOf(prices), options)).toBeCloseTo(Math.log(1.001) * Math.sqrt(60), 6);
  expect(hourlyVolatility(squaresOf(prices.slice(0, 10)), options)).toBeNull();
  expect(hourlyVolatility(squaresOf(prices.map(() => 5)), options)).toBeNull();
});

test("correlation is 1, -1 or unknown where it must be", () => {
  expect(
    pearson([
      [1, 2],
      [2, 4],
      [3, 6],
    ]),
  ).toBeCloseTo(1);
  expect(
    pearson([
      [1, -2],
      [2, -4],
      [3, -6],
    ]),
  ).toBeCloseTo(-1);
  expect(
    pearson([
      [1, 1],
      [1, 2],
    ]),
  ).toBeNull();
});

describe("sanity (M9)", () => {
  test.each([[0], [-1], [NaN], [Infinity], [1_000], [100_000], [50]])(
    "%d beside a reference of 100 is refused and holds the symbol",
    (price) => {
      const sanity = new Sanity();
      expect(sanity.accepts(price, 100, AT_MS)).toBe(false);
      expect(sanity.held(AT_MS + 59_000)).toBe(true);
      expect(sanity.held(AT_MS + 61_000)).toBe(false);
    },
  );

  test.each([[71], [75], [129]])("%d beside a reference of 100 is a hard move and no nonsense", (price) => {
    const sanity = new Sanity();
    expect(sanity.accepts(price, 100, AT_MS)).toBe(true);
    expect(sanity.held(AT_MS)).toBe(false);
  });

  test("a level that is reported again and again, with nothing against it, is taken as true", () => {
    const sanity = new Sanity();
    const answers = Array.from({ length: 21 }, () => sanity.accepts(150, 100, AT_MS));
    expect(answers.indexOf(true)).toBe(20);
  });

  test("one figure gone wrong for good is never taken while others are well", () => {
    const sanity = new Sanity();
    for (let n = 0; n < 100; n++) {
      expect(sanity.accepts(1_000, 100, AT_MS)).toBe(false);
      expect(sanity.accepts(100, 100, AT_MS)).toBe(true);
    }
  });
});

describe("a price that the venue vouches for by the position it values (M9)", () => {
  const stateAt = (price: number): SymbolState => {
    const state = new SymbolState("EXCHANGE_A_PERP_BTC_USDT", new Map([["1m", 60_000]]), {
      minuteBars: 5,
      hourBars: 5,
      bars: 5,
    });
    state.price(MARK, price, AT_MS, AT_MS);
    return state;
  };

  test("drops what a stream said from the start that cannot be beside it", () => {
    const state = stateAt(100_000);
    state.vouch(100, 98, AT_MS);
    expect(state.value(MARK)).toBeNaN();
    expect(state.ageMs(MARK, AT_MS)).toBe(Infinity);
    expect(state.sanity.held(AT_MS)).toBe(true);
    expect(state.price(MARK, 101, AT_MS + 1, AT_MS + 1)).toBe(true);
  });

  test("cannot be outvoted by a stream that repeats the same nonsense while it is young", () => {
    const state = stateAt(100);
    state.vouch(100, 98, AT_MS);
    const reported = (fromMs: number): boolean[] =>
      Array.from({ length: 40 }, (_, n) => state.price(MARK, 1_000, fromMs + n, fromMs + n));
    expect(reported(AT_MS)).not.toContain(true);
    expect(state.value(MARK)).toBe(100);
    expect(reported(AT_MS + 20_000)).toContain(true);
  });

  test("follows the market: a fall that each reading shows in turn is taken in at once", () => {
    const state = stateAt(100);
    state.vouch(100, 98, AT_MS);
    expect(state.price(MARK, 75, AT_MS + 1, AT_MS + 1)).toBe(true);
    state.vouch(75, 98, AT_MS + 2);
    expect(state.price(MARK, 55, AT_MS + 3, AT_MS + 3)).toBe(true);
    expect(state.sanity.held(AT_MS + 3)).toBe(false);
  });

  test("counts for nothing itself where it is further from the entry than what the stream says", () => {
    const state = stateAt(100);
    for (const nonsense of [0, NaN, 1_000, 1]) state.vouch(nonsense, 98, AT_MS);
    expect(state.value(MARK)).toBe(100);
    expect(state.price(MARK, 101, AT_MS + 1, AT_MS + 1)).toBe(true);
    expect(state.sanity.held(AT_MS)).toBe(true);
  });
});

describe("news window", () => {
  const window = (): NewsWindow => new NewsWindow({ kept: 20, shown: 5, maxAgeMs: 3_600_000 }, new Set(["BTC", "ETH"]));
  const keys = (news: NewsWindow, held: string[] = []): string[] =>
    news.ranked(AT_MS, new Set(held)).map((item) => item.key);

  test("held before listed before the rest", () => {
    const news = window();
    news.add(newsOf("other", { currencies: ["ZZZ"] }));
    news.add(newsOf("listed", { currencies: ["BTC"] }));
    news.add(newsOf("held", { currencies: ["ETH"] }));
    expect(keys(news, ["ETH"])).toEqual(["news:held", "news:listed", "news:other"]);
  });

  test("one story once; an edit keeps the first sight; published long ago ranks as old", () => {
    const news = window();
    news.add(newsOf("1", { firstSeenMs: AT_MS - 1_000 }));
    news.add(newsOf("1", { key: "hot:1", kind: "hot" }));
    news.add(newsOf("1", { title: "Title 1", text: "Edited.", firstSeenMs: AT_MS }));
    news.add(newsOf("2", { publishedAtMs: AT_MS - 40_000_000, firstSeenMs: AT_MS }));
    expect(keys(news)).toEqual(["hot:1", "news:2"]);
  });

  test("a flood leaves the window bounded and the important in it", () => {
    const news = window();
    news.add(newsOf("gem", { currencies: ["BTC"], kind: "hot" }));
    for (let n = 0; n < 10_000; n++) news.add(newsOf(`f${n}`, { currencies: ["ZZZ"] }));
    expect(news.size).toBeLessThanOrEqual(25);
    expect(keys(news)[0]).toBe("news:gem");
    expect(news.dropped).toBeGreaterThan(9_900);
  });

  test("what is too old is not shown", () => {
    const news = window();
    news.add(newsOf("old", { firstSeenMs: AT_MS - 3_700_000 }));
    expect(keys(news)).toEqual([]);
  });
});
