/** The figures that keep people from fooling themselves, against the worked examples of their papers and against chance. */
import { describe, expect, test } from "vitest";
import { mean, sampleStandardDeviation, variance } from "simple-statistics";
import { seededEntropy } from "../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { bootstrapInterval } from "../../src/lab/figures/bootstrap.ts";
import { competitionFigures } from "../../src/domain/competition-figures.ts";
import {
  normalBelow,
  normalQuantile,
  deflatedSharpe,
  expectedBestSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
} from "../../src/lab/figures/sharpe.ts";
import { overfittingOf } from "../../src/lab/figures/overfitting.ts";
import { momentsOf } from "../../src/domain/return-moments.ts";

test("the normal distribution and its inverse agree to six digits", () => {
  expect(normalBelow(1.959964)).toBeCloseTo(0.975, 6);
  expect(normalQuantile(0.99)).toBeCloseTo(2.326348, 5);
  for (const share of [0.001, 0.2, 0.5, 0.9, 0.9999]) expect(normalBelow(normalQuantile(share))).toBeCloseTo(share, 7);
});

describe("worked examples", () => {
  const monthly = { count: 24, sharpe: 0.458, skewness: -2.448, kurtosis: 10.164 };

  test("two years of monthly returns: 0.982 if normal, 0.913 as they are (Bailey, Lopez de Prado 2012)", () => {
    expect(probabilisticSharpe({ ...monthly, skewness: 0, kurtosis: 3 })).toBeCloseTo(0.982, 3);
    expect(probabilisticSharpe(monthly)).toBeCloseTo(0.913, 3);
  });

  test("2.73 years of daily returns show an annual ratio of 2 to be above 1 (same paper)", () => {
    const daily = { count: 1, sharpe: 2 / Math.sqrt(252), skewness: 0, kurtosis: 3 };
    expect(minimumTrackRecord(daily, 1 / Math.sqrt(252)) / 252).toBeCloseTo(2.73, 2);
  });

  test("an annual 2.5 out of a hundred trials deflates to 0.9004 (Bailey, Lopez de Prado 2014)", () => {
    const daily = { count: 1_250, sharpe: 2.5 / Math.sqrt(250), skewness: -3, kurtosis: 10 };
    expect(expectedBestSharpe(100, 1 / 2 / 250)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(daily, 100, 1 / 2 / 250)).toBeCloseTo(0.9004, 4);
  });

  test("the organiser's figures of two whole days and a part of a third, by hand", () => {
    const readings: readonly (readonly [day: number, hour: number, equity: number])[] = [
      ...[[0, 0, 1_000] as const, [0, 9, 990] as const, [0, 23, 1_010] as const],
      ...[[1, 0, 1_015] as const, [1, 5, 980] as const, [1, 23, 1_005] as const],
      ...[[2, 0, 1_005] as const, [2, 22, 1_025] as const],
    ];
    const points = readings.map(([day, hour, equityUsdt]) => ({ atMs: day * DAY_MS + hour * HOUR_MS, equityUsdt }));
    const returns = [0.01, 1_005 / 1_015 - 1];
    const { dailyReturns, sharpe, maxDrawdown } = competitionFigures(points);
    expect(dailyReturns).toEqual(returns.map((value) => expect.closeTo(value, 12) as number));
    expect(sharpe).toBeCloseTo((mean(returns) / sampleStandardDeviation(returns)) * Math.sqrt(365), 9);
    expect(maxDrawdown).toBeCloseTo((1_015 - 980) / 1_015, 12);
  });

  test("readings of a daemon, which fall between full hours, give the organiser's figures too", () => {
    const minutes = Array.from({ length: 3 * 1_440 + 1 }, (_, minute) => ({
      atMs: 10 * DAY_MS + minute * 60_000,
      equityUsdt: 1_000 + 40 * Math.sin(minute / 700),
    }));
    const late = minutes.map(({ atMs, equityUsdt }) => ({ atMs: atMs + 137, equityUsdt }));
    expect(competitionFigures(late)).toEqual(competitionFigures(minutes));
    expect(competitionFigures(late).dailyReturns).toHaveLength(3);
  });
});

/** Daily returns of so many strategies that only throw coins; the one named `edge` earns a little on top. */
function trials(seed: number, count: number, edge: number | null): number[][] {
  const entropy = seededEntropy(seed);
  return Array.from({ length: count }, (_, trial) =>
    Array.from({ length: 240 }, () => 0.01 * entropy.normal("return") + (trial === edge ? 0.004 : 0)),
  );
}

const deflatedBest = (all: readonly (readonly number[])[]): number => {
  const moments = all.flatMap((returns) => momentsOf(returns) ?? []);
  const best = [...moments].sort((a, b) => b.sharpe - a.sharpe)[0];
  if (!best) throw new Error("there are trials");
  return deflatedSharpe(best, all.length, variance(moments.map(({ sharpe }) => sharpe)));
};

test("the best of sixty coin-throwers does not pass, whatever the seed", () => {
  for (let seed = 1; seed <= 8; seed++) expect(deflatedBest(trials(seed, 60, null))).toBeLessThan(0.95);
  const overfit = Array.from({ length: 8 }, (_, seed) => overfittingOf(trials(seed, 60, null))?.probability ?? 0);
  expect(mean(overfit)).toBeGreaterThan(0.3);
});

test("a planted edge passes: deflated above 0.95, and seldom overfitted", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const all = trials(seed, 60, 17);
    expect(deflatedBest(all)).toBeGreaterThan(0.95);
    expect(overfittingOf(all)?.probability).toBeLessThan(0.25);
  }
});

test("no probability of overfitting is claimed from one trial, or from too few days", () => {
  expect(overfittingOf(trials(1, 1, null))).toBeNull();
  expect(
    overfittingOf([
      [0.1, 0.2],
      [0.2, 0.1],
    ]),
  ).toBeNull();
});

test("a bootstrap interval holds the true mean about as often as it says", () => {
  let held = 0;
  for (let seed = 0; seed < 60; seed++) {
    const entropy = seededEntropy(`bootstrap:${seed}`);
    const values = Array.from({ length: 200 }, () => 1 + entropy.normal("value"));
    const interval = bootstrapInterval(values, (all) => mean([...all]), { entropy, draws: 200 });
    if (interval && interval.low <= 1 && interval.high >= 1) held += 1;
  }
  expect(held).toBeGreaterThan(46);
  expect(held).toBeLessThan(60);
});
