import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createContext, type Context } from "../../src/context/context.ts";
import { regimeOf, trendOf } from "../../src/context/history-view.ts";
import type { SymbolView } from "../../src/context/snapshot.ts";
import { dec } from "../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import type { Candle } from "../../src/domain/market.ts";
import { AT_MS, BTC, ETH, headroomOf, viewOf } from "../strategy/snapshots.ts";

const fresh = (): Context => createContext({ universe: [BTC, ETH], intervals: ["5m", "1H", "4H", "1D"] });
const btc = (context: Context, atMs = AT_MS): SymbolView =>
  context.snapshot({ atMs, account: null, headroom: headroomOf() }).symbols[0] ?? viewOf(BTC);

const bar = (openMs: number, close: number, volume = 1): Candle => ({
  openMs,
  open: close,
  high: close,
  low: close,
  close,
  volume,
});

/** So many hours that end at `AT_MS`: the last closes at `close(1)`, the one before at `close(2)`, and so on. */
const hours = (
  count: number,
  close: (hoursAgo: number) => number,
  volume: (hoursAgo: number) => number = () => 1,
): Candle[] =>
  Array.from({ length: count }, (_, at) => count - at).map((ago) =>
    bar(AT_MS - ago * HOUR_MS, close(ago), volume(ago)),
  );

describe("the past weeks of a symbol", () => {
  test("a price that rises by the same rate every hour has that rate in every figure", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(600, (ago) => 100 * Math.exp(-0.001 * (ago - 1))),
    );
    const { horizons, endedAtMs, hourlyCloses, path, regime } = btc(context).history;
    expect([endedAtMs, hourlyCloses.length, hourlyCloses.at(-1)]).toEqual([AT_MS, 600, 100]);
    expect(horizons["1d"]?.return).toBeCloseTo(Math.exp(0.024) - 1, 10);
    expect(horizons["21d"]?.return).toBeCloseTo(Math.exp(0.504) - 1, 10);
    expect(horizons["7d"]?.volatilityHour).toBeCloseTo(0.001, 10);
    expect(horizons["3d"]?.trend).toBeCloseTo(Math.sqrt(72), 6);
    expect(horizons["1d"]?.fromHigh).toBe(0);
    expect(horizons["1d"]?.fromLow).toBeCloseTo(Math.exp(0.023) - 1, 10);
    expect([path.hours.length, path.eightHours.length, path.eightHours.at(-1)]).toEqual([24, 63, 100]);
    expect(regime).toBe("rising");
  });

  test("only horizons that the hours cover are known, and the lack is named", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(100, () => 100),
    );
    context.sink.received(AT_MS);
    context.sink.bbo(BTC, 99.99, 1, 100.01, 1, AT_MS);
    const snapshot = context.snapshot({ atMs: AT_MS, account: null, headroom: headroomOf() });
    expect(Object.keys(snapshot.symbols[0]?.history.horizons ?? {})).toEqual(["1d", "3d"]);
    expect(snapshot.missing).toContain("less than three weeks of hourly bars: BTC");
    expect(snapshot.symbols[0]?.history.regime).toBeNull();
  });

  test("the present price moves returns and distances, and the running hour nothing else", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(200, (ago) => 100 + (ago % 2)),
    );
    const before = btc(context).history;
    context.warmUp(BTC, "1H", [bar(AT_MS, 500)]);
    context.sink.received(AT_MS + MINUTE_MS);
    context.sink.bbo(BTC, 109.99, 1, 110.01, 1, AT_MS + MINUTE_MS);
    const after = btc(context, AT_MS + MINUTE_MS).history;
    expect(after.hourlyCloses).toEqual(before.hourlyCloses);
    expect(after.horizons["3d"]?.trend).toBe(before.horizons["3d"]?.trend);
    expect(after.horizons["3d"]?.return).toBeCloseTo(110 / 101 - 1, 10);
    expect([after.horizons["3d"]?.fromHigh, after.horizons["3d"]?.fromLow]).toEqual([0, expect.closeTo(0.1, 10)]);
  });

  test("a missing hour repeats the close before it; after a hole of more than a day it begins again", () => {
    const context = fresh();
    const known = hours(60, (ago) => 100 + ago);
    context.warmUp(BTC, "1H", [...known.slice(0, 10), ...known.slice(40, 50), ...known.slice(52)]);
    const { hourlyCloses, hoursMissing } = btc(context).history;
    expect(hoursMissing).toBe(2);
    expect(hourlyCloses).toEqual([
      120, 119, 118, 117, 116, 115, 114, 113, 112, 111, 111, 111, 108, 107, 106, 105, 104, 103, 102, 101,
    ]);
  });

  test("minutes that are loaded later leave the hours before them, and make those that they cover", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(504 + 30, () => 100),
    );
    const minutes = Array.from({ length: 120 }, (_, at) => bar(AT_MS - (120 - at) * MINUTE_MS, 101));
    context.warmUp(BTC, "1m", minutes);
    const { hourlyCloses, horizons } = btc(context).history;
    expect(hourlyCloses.length).toBe(534);
    expect(hourlyCloses.slice(-3)).toEqual([100, 101, 101]);
    expect(horizons["21d"]).toBeDefined();
    expect(context.bars(BTC, "1D", 100).length).toBeGreaterThan(20);
  });

  test("volume is measured against the usual day of the weeks before", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(
        504,
        () => 100,
        (ago) => (ago <= 24 ? 3 : 2),
      ),
    );
    expect(btc(context).history.volumeAgainstUsual).toBeCloseTo(1.5, 10);
  });

  test("a past that ended days ago answers nothing about the present", () => {
    const context = fresh();
    context.warmUp(
      BTC,
      "1H",
      hours(600, () => 100),
    );
    expect(btc(context, AT_MS + 3 * DAY_MS).history.horizons).toEqual({});
  });
});

describe("the trend of a horizon", () => {
  test("is the weighted mean over its standard error", () => {
    // Weights 1 and 1/3 (2 returns): mean (0.03 - 0.01/3)/(4/3) = 0.02, mean square (9 + 1/3)/(4/3) e-4 = 7e-4.
    expect(trendOf([-0.01, 0.03])).toBeCloseTo((0.02 / Math.sqrt(7e-4)) * Math.SQRT2, 10);
    expect(trendOf([0, 0, 0])).toBe(0);
  });

  test("does not depend on the unit of the price, and turns with its direction", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 2, maxLength: 200 }),
        (moves) => {
          const turned = trendOf(moves.map((move) => -move));
          expect(turned).toBeCloseTo(-trendOf(moves), 8);
        },
      ),
    );
  });
});

describe("the label of the regime", () => {
  const of = (day: number, trends: readonly [number, number]) =>
    regimeOf({
      "1d": { trend: 0, volatilityHour: day },
      "7d": { trend: trends[0], volatilityHour: 0.01 },
      "21d": { trend: trends[1], volatilityHour: 0.01 },
    });

  test("follows its documented order", () => {
    expect(of(0.0175, [3, 3])).toBe("turbulent");
    expect(of(0.01, [1, 0.1])).toBe("rising");
    expect(of(0.01, [-1, -0.1])).toBe("falling");
    expect(of(0.01, [2, -0.1])).toBe("ranging");
    expect(of(0.005, [0, 0])).toBe("quiet");
    expect(regimeOf({ "1d": { trend: 0, volatilityHour: 1 } })).toBeNull();
  });
});

describe("funding as it was settled", () => {
  const read = (context: Context, rate: string, nextFundingAtMs: number): void =>
    context.onFunding({ symbol: BTC, rate: dec(rate), nextFundingAtMs });

  test("the rate last read before a settlement counts, and a day's sum is known when covered", () => {
    const context = fresh();
    read(context, "0.0001", AT_MS - 16 * HOUR_MS);
    read(context, "0.0002", AT_MS - 16 * HOUR_MS);
    read(context, "0.0003", AT_MS - 8 * HOUR_MS);
    read(context, "0.0004", AT_MS);
    expect(btc(context, AT_MS - 1).history.fundingSettled).toEqual([
      { atMs: AT_MS - 16 * HOUR_MS, rate: 0.0002 },
      { atMs: AT_MS - 8 * HOUR_MS, rate: 0.0003 },
    ]);
    expect(btc(context, AT_MS - 1).history.fundingPerDay["1d"]).toBeCloseTo(0.0005, 12);
    expect(btc(context, AT_MS - 1).history.fundingPerDay["3d"]).toBeUndefined();
  });

  test("settlements of an earlier time complete it, and one that was seen stays", () => {
    const context = fresh();
    read(context, "0.0004", AT_MS);
    read(context, "0.0001", AT_MS + 8 * HOUR_MS);
    context.warmUpFunding(
      BTC,
      Array.from({ length: 64 }, (_, at) => ({ atMs: AT_MS - at * 8 * HOUR_MS, rate: 0.0001 })),
    );
    const { fundingPerDay, fundingSettled } = btc(context, AT_MS + 1).history;
    expect(fundingSettled.at(-1)?.rate).toBe(0.0004);
    expect(fundingPerDay["21d"]).toBeCloseTo(0.0003 + 0.0003 / 21, 10);
  });
});

test("a coin on two exchanges has a basis between them", () => {
  const twin = "EXCHANGE_B_PERP_BTC_USDT";
  const context = createContext({ universe: [BTC, twin] });
  context.sink.received(AT_MS);
  context.sink.bbo(BTC, 100, 1, 102, 1, AT_MS);
  context.sink.bbo(twin, 99, 1, 101, 1, AT_MS);
  expect(btc(context).crossBasisBps).toBeCloseTo(100, 8);
});
