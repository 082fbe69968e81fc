/** A disguise: what it changes in bars, instruments, settings and news, and that nothing else changes. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { ConfigSchema } from "../../src/config/config.ts";
import { agentSettings } from "../../src/control/agent-settings.ts";
import { universeOf } from "../../src/control/universe.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS, isoTime } from "../../src/core/time.ts";
import { PHASE_ONE_BASES } from "../../src/domain/competition.ts";
import { DEFAULT_EXCHANGES, parseSymbol } from "../../src/domain/symbol.ts";
import { basesOf, shownConfig } from "../../src/lab/disguise/disguised-config.ts";
import { shownBars } from "../../src/lab/disguise/disguised-market.ts";
import { shownNews, shownText } from "../../src/lab/disguise/disguised-news.ts";
import { drawDisguise, shownBase, shownSymbol, trueSymbol } from "../../src/lab/disguise/disguise.ts";
import { gapOf, verdictOf } from "../../src/lab/disguise/gap.ts";
import type { TradedRun } from "../../src/lab/figures/run-figures.ts";
import { gapFor } from "../../src/risk/settings.ts";
import { COIN_NAMES, currencyOf, type NewsVO } from "../../src/sim/feed/news-source.ts";
import { basesIn } from "../../src/sim/feed/replayed-news.ts";
import { barsBefore } from "../../src/sim/market/recorded-past.ts";
import { ZERO } from "../../src/core/decimal.ts";
import { configOf, FROM_MS, madeBars } from "./fast-scene.ts";

const CONFIG = configOf("hold", ["BTC", "ETH", "1000SHIB"]);
const DISGUISE = drawDisguise(basesOf(CONFIG), seededEntropy("test:disguise"));
const BTC = "EXCHANGE_A_PERP_BTC_USDT";

test("names are made up, distinct and in the order of the true ones, whatever the seed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (seed) => {
      const { names, shiftMs, factors } = drawDisguise(PHASE_ONE_BASES, seededEntropy(seed));
      const shown = [...names.values()];
      expect(new Set(shown).size).toBe(PHASE_ONE_BASES.length);
      expect(shown.filter((name) => !/^[A-Z]{3,4}$/.test(name) || Object.hasOwn(COIN_NAMES, name))).toEqual([]);
      const order = (bases: readonly string[]) => [...bases].sort((a, b) => (`${a}_` < `${b}_` ? -1 : 1));
      expect(order(shown)).toEqual(order(PHASE_ONE_BASES).map((base) => names.get(base)));
      expect(shiftMs % (7 * DAY_MS)).toBe(0);
      expect(shiftMs).toBeGreaterThan(0);
      for (const factor of factors.values()) expect(Math.abs(Math.log2(factor))).toBeOneOf([2, 3, 4, 5, 6]);
    }),
  );
});

test("equal seeds make equal disguises, and others different ones", () => {
  const draw = (seed: string) => drawDisguise(PHASE_ONE_BASES, seededEntropy(seed));
  expect(draw("a")).toEqual(draw("a"));
  expect(draw("a").names).not.toEqual(draw("b").names);
});

test("a symbol keeps its form, and its true name can be found again", () => {
  const shown = shownSymbol(DISGUISE, BTC);
  expect(parseSymbol(shown)).toMatchObject({
    ok: true,
    value: { exchange: "EXCHANGE_A", type: "PERP", quote: "USDT" },
  });
  expect(shown).not.toBe(BTC);
  expect(trueSymbol(DISGUISE, shown)).toBe(BTC);
});

describe("the market in disguise", () => {
  const bars = madeBars(CONFIG, 4);
  const shown = bars.map((each) => shownBars(DISGUISE, each));

  test("a tick is the same share of the price, and a lot the same value, to the last digit", () => {
    bars.forEach((plain, at) => {
      const [rules, other] = [plain.spec.rules, shown[at]?.spec.rules];
      if (!other) throw new Error("every symbol is shown");
      expect(other.symbol).toBe(shownSymbol(DISGUISE, rules.symbol));
      expect(other.symbol).not.toContain(rules.symbol.split("_")[3]);
      expect(other.tickSize.mul(other.lotSize).eq(rules.tickSize.mul(rules.lotSize))).toBe(true);
      expect(other.tickSize.mul(other.maxLimitSize).eq(rules.tickSize.mul(rules.maxLimitSize))).toBe(true);
      expect(other.tickSize.eq(rules.tickSize)).toBe(false);
      expect([other.contractSize, other.minNotional]).toEqual([rules.contractSize, rules.minNotional]);
      expect(other.pricePrecision).toBe(other.tickSize.decimalPlaces());
    });
  });

  test("bars are as many whole weeks later, at prices with the same returns and values with the same volumes", () => {
    const past = (recorded: (typeof bars)[number], shiftMs: number) =>
      barsBefore(recorded, { fromMs: FROM_MS + shiftMs, untilMs: FROM_MS + shiftMs + 4 * HOUR_MS, stepMs: HOUR_MS });
    bars.forEach((plain, at) => {
      const other = shown[at];
      if (!other) throw new Error("every symbol is shown");
      const [before, after] = [past(plain, 0), past(other, DISGUISE.shiftMs)];
      expect(after.length).toBe(before.length);
      const returns = (candles: typeof before) =>
        candles.map(({ close }, i) => close / (candles[i - 1]?.close ?? close));
      expect(returns(after)).toEqual(returns(before));
      expect(after.map(({ close, volume }) => close * volume)).toEqual(before.map((b) => b.close * b.volume));
      expect(after.map(({ openMs }) => openMs)).toEqual(before.map(({ openMs }) => openMs + DISGUISE.shiftMs));
      expect(after[0]?.close).not.toBe(before[0]?.close);
      expect(other.funding.map(({ rate }) => rate)).toEqual(plain.funding.map(({ rate }) => rate));
    });
  });
});

describe("settings in disguise", () => {
  test("the universe, limits of majors and settings that name a coin follow, and instants are shifted", () => {
    const file = ConfigSchema.parse({
      universe: ["BTC", "DOGE"],
      competition: { phaseTwo: "2026-02-01T00:00:00Z" },
      strategy: { settings: { own: { leader: "BTC", weights: { DOGE: 0.5 }, note: "BTC only" } } },
    });
    const shown = shownConfig(DISGUISE, file);
    const [btc, doge] = [shownBase(DISGUISE, "BTC"), shownBase(DISGUISE, "DOGE")];
    expect(universeOf(shown, "EXCHANGE_A")).toEqual([`EXCHANGE_A_PERP_${btc}_USDT`, `EXCHANGE_A_PERP_${doge}_USDT`]);
    const [plain, settings] = [agentSettings(file, "EXCHANGE_A"), agentSettings(shown, "EXCHANGE_A")];
    for (const base of ["BTC", "ETH", "DOGE"]) {
      const symbol = `EXCHANGE_A_PERP_${base}_USDT`;
      expect(gapFor(settings.risk, shownSymbol(DISGUISE, symbol))).toEqual(gapFor(plain.risk, symbol));
    }
    expect(shown.strategy.settings["own"]).toEqual({ leader: btc, weights: { [doge]: 0.5 }, note: "BTC only" });
    expect(shown.competition.phaseTwo).toBe((file.competition.phaseTwo ?? 0) + DISGUISE.shiftMs);
  });

  test("without a list the fifty of Phase I are shown, and no file can say what a name stands for", () => {
    const shown = shownConfig(DISGUISE, ConfigSchema.parse({}));
    expect(universeOf(shown, DEFAULT_EXCHANGES[0]).length).toBe(PHASE_ONE_BASES.length);
    expect(ConfigSchema.safeParse({ standsFor: { XQA: "BTC" } }).success).toBe(false);
  });
});

describe("news in disguise", () => {
  const [btc, eth, bch, sol] = ["BTC", "ETH", "BCH", "SOL"].map((base) => shownBase(DISGUISE, base));
  const disguise = {
    ...DISGUISE,
    shiftMs: 52 * 7 * DAY_MS,
    factors: new Map([
      ["BTC", 0.25],
      ["ETH", 4],
    ]),
  };
  const atMs = Date.UTC(2025, 5, 14);
  test.each([
    ["Bitcoin and Ethereum slide", `${btc} and ${eth} slide`],
    ["Bitcoin Cash is not bitcoin's heir", `${bch} is not ${btc}'s heir`],
    ["BTC/USDT, $SOL and ETHUSDT lead", `${btc}/USDT, $${sol} and ${eth}USDT lead`],
    ["Solana-based tokens; BTCFi is a word of its own", `${sol}-based tokens; BTCFi is a word of its own`],
    ["Bitcoin falls below $104,000", `${btc} falls below $26,000`],
    ["Ether at $2.5K after a $1.1 billion outflow", `${eth} at $10,000 after a $1.1 billion outflow`],
    ["BTC at $104,000 and ETH at $2,500", `${btc} at a price and ${eth} at a price`],
    ["The Fed held at $75 million", "The Fed held at $75 million"],
    ["Highest since 2025-05-22", "Highest since 2026-05-21"],
    ["Expiry on June 27, 2025", "Expiry on June 26, 2026"],
    ["On 12 June the bill passed", "On 11 June the bill passed"],
    ["Lowest since December 2024, says the Q1 2025 report", "Lowest since December 2025, says the Q1 2026 report"],
    ["Best week since May; it may march on", "Best week since May; it may march on"],
    ["A year like 2021", "A year like 2022"],
  ])("%s", (text, shown) => {
    expect(shownText(disguise, text, atMs)).toBe(shown);
  });

  test("no usual name or ticker of a coin is left, in any form that links an item to it", () => {
    for (const [base, name] of Object.entries(COIN_NAMES)) {
      const text = `${name} (${base}) rises; ${name.toLowerCase()} traders: $${base}, ${name.toUpperCase()}!`;
      expect(basesIn(shownText(DISGUISE, text, atMs))).toEqual([]);
    }
  });

  test("an item names the made-up coin where it named the true one, and links nowhere", () => {
    const item: NewsVO = {
      ...{
        id: 1,
        newsId: "r1",
        newsType: "news",
        category: 1,
        title: "Shiba Inu burns",
        content: null,
        publishTime: null,
      },
      ...{ sourceUrl: null, originalUrl: "https://news.example.com/2025/06/shib", authorName: null },
      ...{ authorDisplayName: "Bitcoin Daily", authorAvatar: null, isBlueVerified: null, viewCount: null },
      ...{ likeCount: null, commentCount: null, retweetCount: null, mediaAttachments: null, quotedContent: null },
      ...{ currencies: [currencyOf("1000SHIB")], createdAt: atMs + DISGUISE.shiftMs },
    };
    const shown = shownNews(DISGUISE, item, DISGUISE.shiftMs);
    const shib = shownBase(DISGUISE, "1000SHIB");
    expect(shown).toMatchObject({ title: `${shib} burns`, originalUrl: null, authorDisplayName: `${btc} Daily` });
    expect(shown.currencies).toMatchObject([{ symbol: shib, fullName: null }]);
    expect(shown.createdAt).toBe(item.createdAt);
  });
});

describe("the gap", () => {
  const run = (fromMs: number, hourly: readonly number[], over: Partial<TradedRun> = {}): TradedRun => {
    let equityUsdt = 1_000;
    const points = hourly.map((gain, at) => ({ atMs: fromMs + (at + 1) * HOUR_MS, equityUsdt: (equityUsdt += gain) }));
    return {
      ...{ strategy: "s", executions: 0, closedPositions: 0, winRate: null, decisions: 0, trades: [], models: [] },
      ...{ feesUsdt: ZERO, fundingUsdt: ZERO, modelUsd: ZERO, eliminated: false, ended: null },
      points: [{ atMs: fromMs, equityUsdt: 1_000 }, ...points],
      ...over,
    };
  };
  const [noise, edge] = [Array.from({ length: 24 }, (_, at) => 3 * Math.sin(at * 2.1)), 1];
  const gap = (plain: TradedRun, ...runs: readonly TradedRun[]) => gapOf(plain, runs, seededEntropy("test:gap"));

  test("is the plain return less the mean of the others, paired by the hour of the run, not by the date", () => {
    const [plain, other] = [
      run(
        0,
        noise.map((gain) => gain + edge),
      ),
      run(52 * 7 * DAY_MS, noise),
    ];
    const found = gap(plain, other, run(60 * 7 * DAY_MS, noise));
    expect(found).toMatchObject({ periodMs: HOUR_MS, periods: 24, problem: null });
    // What both earned drops out: the interval has no width.
    expect(found.gap).toBeCloseTo(0.024, 10);
    expect(found.interval?.low).toBeCloseTo(0.024, 10);
    expect(verdictOf(found)).toBe("memory");
  });

  test("holds zero for a run that differs by chance alone, and is exactly zero for equal ones", () => {
    const other = noise.map((_, at) => 3 * Math.cos(at * 1.3));
    expect(verdictOf(gap(run(0, noise), run(DAY_MS, other)))).toBe("none");
    expect(gap(run(0, noise), run(DAY_MS, noise)).interval).toEqual({ low: 0, high: 0 });
  });

  test("counts an eliminated account as it ended, and none that stopped for another reason", () => {
    const lost = run(DAY_MS, [-100, -150], { eliminated: true, ended: "eliminated at 750.00 USDT" });
    expect(gap(run(0, noise), lost)).toMatchObject({ periods: 24, problem: null });
    const stopped = run(DAY_MS, [1, 2], { ended: "2 of 2 USD are spent" });
    const found = gap(run(0, noise), stopped);
    expect(found).toMatchObject({ gap: null, interval: null, problem: "a run ended early: 2 of 2 USD are spent" });
    expect(verdictOf(found)).toBe("unknown");
  });

  test("has no interval over fewer than four periods", () => {
    expect(gap(run(0, [1, 2, 3]), run(DAY_MS, [1, 1, 1]))).toMatchObject({
      interval: null,
      problem: expect.stringContaining("3 paired periods, four are needed") as string,
    });
  });
});

test("days are shown in whole weeks: weekday and hour stay", () => {
  const days = [FROM_MS, FROM_MS + 31 * HOUR_MS];
  const clock = (atMs: number) => [new Date(atMs).getUTCDay(), isoTime(atMs).slice(11)];
  for (const atMs of days) expect(clock(atMs + DISGUISE.shiftMs)).toEqual(clock(atMs));
});
