import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_HISTORY } from "../../src/context/history-view.ts";
import type { HeldPosition, Snapshot, SymbolView } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import { carryForecast, ewma, recentVolatility, relative, trendForecast } from "../../src/strategy/forecasts.ts";
import { buffered, shrunkCorrelations, targetWeights, yearlyVolatility } from "../../src/strategy/portfolio.ts";
import { accountOf, headroomOf, heldOf, snapshotOf, viewOf } from "../strategy/snapshots.ts";
import { decided, targetsOf } from "./asking.ts";

/** Thirteen hours past midnight, an hour after a multiple of six: a rebalance begins. */
const REBALANCE_MS = Date.UTC(2026, 0, 5, 13);

describe("the forecasts", () => {
  test("an average weighs the newest value most, by the usual rule of a span", () => {
    // Span 3: weights 1, 1/2, 1/4 for 4, 2, 1.
    expect(ewma([1, 2, 4], 3)).toBeCloseTo((4 + 1 + 0.25) / 1.75, 12);
    expect(ewma([7], 16)).toBe(7);
  });

  test("volatility is the root mean square of the log returns, and needs a full set", () => {
    const closes = [100, 100 * Math.exp(0.03), 100 * Math.exp(-0.01)];
    expect(recentVolatility(closes, 2)).toBeCloseTo(Math.sqrt((0.0009 + 0.0016) / 2), 12);
    expect(recentVolatility(closes, 3)).toBeNull();
    expect(recentVolatility([5, 5, 5], 2)).toBeNull();
  });

  test("a trend is the mean of its three scaled and capped differences", () => {
    const closes = Array.from({ length: 300 }, (_, at) => 100 + (at === 299 ? 1 : 0));
    const weight = (span: number): number => {
      const decay = 1 - 2 / (span + 1);
      return (1 - decay) / (1 - decay ** 300);
    };
    const volatility = 0.01;
    const unit = 1 / (101 * volatility);
    const by = (fast: number, slow: number, scalar: number): number =>
      (scalar * (weight(fast) - weight(slow)) * unit) / 20;
    const expected = (by(16, 64, 3.75) + by(32, 128, 2.65) + by(64, 256, 1.87)) / 3;
    expect(trendForecast(closes, volatility)).toBeCloseTo(expected, 10);
    expect(trendForecast(closes, 1e-9)).toBe(1);
    expect(trendForecast(closes.slice(-63), volatility)).toBeNull();
  });

  test("carry is a Sharpe ratio a year, thirty times it over the cap of twenty", () => {
    const volatility = 0.8 / Math.sqrt(8_760);
    // Shorts receive 0.03 % a day, 10.95 % a year: a ratio of 0.136875 against longs.
    expect(carryForecast(0.0003, volatility)).toBeCloseTo((-30 * 0.136875) / 20, 10);
    expect(carryForecast(-0.01, volatility)).toBe(1);
  });

  test("the leader is found from the mean of all, and among too few there is none", () => {
    expect(relative([0.5, 0.1, 0.1, 0.1, 0.2])).toEqual(
      [0.3, -0.1, -0.1, -0.1, 0].map((one) => expect.closeTo(one, 12)),
    );
    expect(relative([1, -1])).toEqual([0, 0]);
  });

  test("no forecast depends on the unit of the price, or on later prices", () => {
    // Whole basis points: below the rounding of a price, a move is no property of the path but of its unit.
    const move = fc.integer({ min: -500, max: 500 }).map((points) => points / 10_000);
    const moves = fc.array(move, { minLength: 260, maxLength: 320 });
    fc.assert(
      fc.property(moves, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (steps, unit) => {
        const closes = steps.reduce<number[]>((path, step) => [...path, (path.at(-1) ?? 1) * Math.exp(step)], []);
        const volatility = recentVolatility(closes, 168);
        fc.pre(volatility !== null);
        const scaled = closes.map((close) => close * unit);
        expect(recentVolatility(scaled, 168)).toBeCloseTo(volatility, 8);
        expect(trendForecast(scaled, volatility)).toBeCloseTo(trendForecast(closes, volatility) ?? NaN, 8);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the weights", () => {
  test("correlations move half way to their mean", () => {
    const up = [1, 2, 3, 4];
    const found = shrunkCorrelations([up, up.map((one) => 2 * one), up.map((one) => -one)]);
    // Raw: 1, -1, -1 with the mean -1/3.
    expect(found).toEqual([
      [1, expect.closeTo(1 / 3, 12), expect.closeTo(-2 / 3, 12)],
      [expect.closeTo(1 / 3, 12), 1, expect.closeTo(-2 / 3, 12)],
      [expect.closeTo(-2 / 3, 12), expect.closeTo(-2 / 3, 12), 1],
    ]);
  });

  test("at average strength the portfolio has the target volatility, at full strength twice that", () => {
    const correlations = [
      [1, 0.5],
      [0.5, 1],
    ];
    const volatilities = [0.01, 0.02];
    const at = (forecast: number) =>
      targetWeights({ forecasts: [forecast, forecast], volatilities, correlations }, 0.2);
    expect(yearlyVolatility(at(0.5), volatilities, correlations)).toBeCloseTo(0.2, 10);
    expect(yearlyVolatility(at(1), volatilities, correlations)).toBeCloseTo(0.4, 10);
    const [first = 0, second = 0] = at(0.5);
    expect(first / second).toBeCloseTo(2, 10);
    // Risks of 1 each with a correlation of a half make the square root of 3.
    expect(first).toBeCloseTo(0.2 / (Math.sqrt(3) * 0.01 * Math.sqrt(8_760)), 10);
  });

  test("two sides that hedge each other perfectly still take no more than as if they were independent", () => {
    const correlations = [
      [1, 1],
      [1, 1],
    ];
    const [long = 0, short = 0] = targetWeights(
      { forecasts: [0.5, -0.5], volatilities: [0.01, 0.01], correlations },
      0.2,
    );
    expect(long).toBeCloseTo(0.2 / (Math.SQRT2 * 0.01 * Math.sqrt(8_760)), 10);
    expect(short).toBe(-long);
  });

  test("within the band nothing is traded, beyond it up to its nearer edge", () => {
    expect(buffered(0.3, 0.25, 0.06)).toBe(0.25);
    expect(buffered(0.3, 0.1, 0.05)).toBeCloseTo(0.25, 12);
    expect(buffered(0.1, 0.3, 0.05)).toBeCloseTo(0.15, 12);
    expect(buffered(-0.3, 0, 0.05)).toBeCloseTo(-0.25, 12);
  });
});

describe("trend-carry", () => {
  /** Hours of a price that has grown by `drift` an hour around a swing, and is quoted at 100 now. */
  const coin = (
    base: string,
    drift: number,
    change: Partial<SymbolView> = {},
    endedAtMs = REBALANCE_MS,
  ): SymbolView => {
    const raw = Array.from({ length: 600 }, (_, at) => Math.exp(drift * at + 0.004 * (at % 2)));
    const last = raw.at(-1) ?? 1;
    const hourlyCloses = raw.map((close) => (100 * close) / last);
    const history = { ...NO_HISTORY, hourlyCloses, endedAtMs, ...change.history };
    return viewOf(`EXCHANGE_A_PERP_${base}_USDT`, { ...change, history });
  };
  const coins = [coin("UP", 0.002), coin("DOWN", -0.002), coin("A", 0), coin("B", 0), coin("C", 0)];
  const market = (change: Partial<Snapshot> = {}): Snapshot =>
    snapshotOf({ atMs: REBALANCE_MS + 60_000, symbols: coins, ...change });
  const held = (base: string, side: "LONG" | "SHORT", usdt: string): HeldPosition => ({
    ...heldOf(`EXCHANGE_A_PERP_${base}_USDT`, side, 600),
    notionalUsdt: dec(usdt),
  });

  test("buys what rises, sells what falls, as maker, within the settings' stops", async () => {
    const targets = targetsOf(await decided("trend-carry", market()));
    expect(targets.map(({ symbol, leg, urgency }) => [symbol.split("_")[3], leg, urgency])).toEqual([
      ["DOWN", "SHORT", "rest"],
      ["UP", "LONG", "rest"],
    ]);
    for (const { size, stopDistance } of targets) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(1);
      expect(stopDistance).toBeGreaterThanOrEqual(0.03);
      expect(stopDistance).toBeLessThanOrEqual(0.12);
    }
    expect(targetsOf(await decided("trend-carry", market(), { allowShort: false }))).toMatchObject([{ leg: "LONG" }]);
  });

  test("a target of twice the volatility is twice as large where the limits leave room", async () => {
    const sizes = async (volatilityTarget: number) =>
      targetsOf(await decided("trend-carry", market(), { volatilityTarget, band: 0 })).map(({ size }) => size);
    const [one = NaN] = await sizes(0.02);
    const [two = NaN] = await sizes(0.04);
    expect(two / one).toBeCloseTo(2, 6);
  });

  test("between rebalances a portfolio is left alone, an empty one is not", async () => {
    const later = { atMs: REBALANCE_MS + 3 * HOUR_MS };
    const aged = coins.map((view) => ({ ...view, history: { ...view.history, endedAtMs: later.atMs } }));
    const account = accountOf([held("UP", "LONG", "10")]);
    const waiting = await decided("trend-carry", market({ ...later, symbols: aged, account }));
    expect(waiting).toMatchObject({ targets: [], note: "waits for the rebalance at 19:00 UTC" });
    expect(targetsOf(await decided("trend-carry", market({ ...later, symbols: aged })))).toHaveLength(2);
  });

  test("what is near its target stays, what is far goes to the edge of the band, what has turned is closed", async () => {
    const [down] = targetsOf(await decided("trend-carry", market(), { band: 0 }));
    const full = (down?.size ?? 0) * 0.4 * 1_000;
    const near = accountOf([held("DOWN", "SHORT", String(full * 0.95))]);
    const targets = async (account = near) => targetsOf(await decided("trend-carry", market({ account })));
    expect((await targets()).map(({ symbol }) => symbol.split("_")[3])).toEqual(["UP"]);
    const turned = await targets(accountOf([held("DOWN", "LONG", "100")]));
    expect(turned.find(({ symbol }) => symbol.includes("DOWN"))).toMatchObject({ leg: "SHORT" });
    const flat = await targets(accountOf([held("A", "LONG", "100")]));
    expect(flat.find(({ symbol }) => symbol.includes("_A_USDT"))).toMatchObject({ size: 0 });
  });

  test("funding that is paid for days tips the side", async () => {
    const paying = coins.map((view) => ({ ...view, history: { ...view.history, fundingPerDay: { "3d": 0.004 } } }));
    const sides = targetsOf(await decided("trend-carry", market({ symbols: paying })));
    expect(sides.length).toBeGreaterThan(2);
    expect(sides.filter(({ symbol }) => !symbol.includes("UP")).every(({ leg }) => leg === "SHORT")).toBe(true);
  });

  test.each<[string, readonly SymbolView[]]>([
    [
      "there is less than three days of hours",
      coins.map((view) => ({
        ...view,
        history: { ...view.history, hourlyCloses: view.history.hourlyCloses.slice(-60) },
      })),
    ],
    [
      "the hours ended long ago",
      coins.map((view) => ({ ...view, history: { ...view.history, endedAtMs: REBALANCE_MS - 5 * HOUR_MS } })),
    ],
    [
      "prices hardly move",
      [
        viewOf("EXCHANGE_A_PERP_S_USDT", {
          history: {
            ...NO_HISTORY,
            endedAtMs: REBALANCE_MS,
            hourlyCloses: Array.from({ length: 600 }, (_, at) => 1 + 0.0001 * (at % 2)),
          },
        }),
      ],
    ],
  ])("abstains where %s", async (_why, symbols) => {
    expect((await decided("trend-carry", market({ symbols }))).kind).toBe("abstain");
  });

  test("no more positions than the settings say, and none with an old quote or a wide spread", async () => {
    const many = ["A", "B", "C", "D", "E", "F"].map((base) => coin(base, 0.002));
    expect(targetsOf(await decided("trend-carry", market({ symbols: many })))).toHaveLength(4);
    const wide = many.map((view) => ({ ...view, spreadBps: 30 }));
    expect(targetsOf(await decided("trend-carry", market({ symbols: wide })))).toEqual([]);
  });

  test("nothing beyond what one symbol may take, and nothing while that is not known", async () => {
    const [first] = targetsOf(await decided("trend-carry", market(), { volatilityTarget: 1 }));
    expect(first?.size).toBeLessThanOrEqual(1);
    const unknown = headroomOf({ perSymbolEquityShare: 0 });
    expect(targetsOf(await decided("trend-carry", market({ headroom: unknown })))).toEqual([]);
  });
});
