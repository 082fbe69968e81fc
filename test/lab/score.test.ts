/** The competition's score by hand, and a run among made rivals. */
import path from "node:path";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { placeOf, type PlaceOptions } from "../../src/lab/score/place.ts";
import { rivalPool, type RivalMarket } from "../../src/lab/score/rivals.ts";
import { loadScoring } from "../../src/control/scoring-file.ts";
import { drawdownScore, type Scoring, uptimeFactor } from "../../src/domain/scoring.ts";
import { type Entrant, placeField } from "../../src/lab/score/scoring.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { lengthOf } from "../support/lengths.ts";

const FILE = path.join(import.meta.dirname, "../../config/scoring/track-a.yaml");

function scoring(): Scoring {
  const read = loadScoring(FILE);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** Equity at 00:00 and 23:00 of each day. */
const days = (name: string, ...readings: readonly (readonly [open: number, close: number])[]): Entrant => ({
  name,
  uptime: 1,
  points: readings.flatMap(([open, close], day) => [
    { atMs: day * DAY_MS, equityUsdt: open },
    { atMs: day * DAY_MS + 23 * HOUR_MS, equityUsdt: close },
  ]),
});

test("three entrants and one that is out, by hand", () => {
  const field = placeField(
    [
      days("gains", [1_000, 1_010], [1_010, 1_030.2]),
      days("stands", [1_000, 1_000], [1_000, 1_000]),
      days("loses", [1_000, 990], [990, 960.3]),
      days("out", [1_000, 790], [790, 1_200]),
    ],
    scoring(),
  );
  expect(field.map(({ name }) => name)).toEqual(["gains", "stands", "loses", "out"]);
  const [gains, stands, loses, out] = field;
  // Sharpe: daily 1 % and 2 %: mean 1.5 %, deviation 0.7071 %, times the root of 365 is 40.53; the others 0 and -40.53
  // (-1 %, -3 %: mean -2 %, deviation 1.4142 %, -27.02). PnL 30.2, 0 and -39.7.
  expect(gains?.sharpe).toBeCloseTo(40.53, 2);
  expect(loses?.sharpe).toBeCloseTo(-27.02, 2);
  // z of gains: Sharpe (40.53 - 4.50) / 33.99 = 1.060 -> 85.5; PnL and ROI (30.2 + 3.167) / 35.06 = 0.952 -> 82.9;
  // no fall: 100. Together 0.40 x 85.5 + 0.45 x 82.9 + 0.15 x 100 = 86.5.
  expect(gains?.composite).toBeCloseTo(86.5, 1);
  expect(stands?.composite).toBeCloseTo(0.4 * 44.7 + 0.45 * 53.6 + 15, 1);
  expect(loses?.maxDrawdown).toBeCloseTo(0.0397, 4);
  expect(out).toMatchObject({ eliminated: true, composite: 0, rank: 4 });
});

test("uptime: nothing from 95 % on, evenly more down to 90 %, out below", () => {
  const rules = scoring();
  expect(uptimeFactor(rules, 0.97)).toBe(1);
  expect(uptimeFactor(rules, 0.925)).toBeCloseTo(0.9, 9);
  const low = { ...days("low", [1_000, 1_100], [1_100, 1_200]), uptime: 0.89 };
  expect(placeField([low, days("other", [1_000, 990])], rules).at(-1)).toMatchObject({
    name: "low",
    disqualified: true,
  });
  expect(drawdownScore(rules, 0.04)).toBe(60);
  expect(drawdownScore(rules, 0.5)).toBe(0);
});

/** Thirty days of ten symbols that walk by chance. */
function market(seed: number): RivalMarket {
  const entropy = seededEntropy(`score:${seed}`);
  const hours = 30 * 24;
  const closes = Array.from({ length: 10 }, () => {
    let price = 100;
    return Array.from({ length: hours + 1 }, () => (price *= Math.exp(0.006 * entropy.normal("step"))));
  });
  const atMs = Array.from({ length: hours + 1 }, (_, hour) => hour * HOUR_MS);
  return { atMs, closes, funding: closes.map((column) => column.map(() => 0.00001)), takerFee: 0.0005 };
}

const pool = { count: 200, leverageMax: 2, eliminationUsdt: 800 };

test("the same market and seed make the same two hundred rivals; another seed makes others", () => {
  const [first, again, other] = ["a", "a", "b"].map((seed) => rivalPool({ ...pool, market: market(1), seed }));
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  const ends = first?.map(({ points }) => points.at(-1)?.equityUsdt ?? 0) ?? [];
  expect(ends.filter((end) => end < 800).length).toBeGreaterThan(5);
  expect(ends.filter((end) => end > 1_050).length).toBeGreaterThan(5);
});

test("a steady gain comes in far ahead, standing still behind it; another pool, another percentile", () => {
  const rules = scoring();
  const options: PlaceOptions = { ...pool, market: market(1), scoring: rules, pools: lengthOf(1, 4), seed: 1 };
  const path = (a: number) => options.market.atMs.map((atMs, hour) => ({ atMs, equityUsdt: 1_000 * (1 + a * hour) }));
  const steady = placeOf(path(0.0002), options);
  expect(steady.percentile).toBeGreaterThan(85);
  expect(steady.rivalsEliminated).toBeGreaterThan(0.02);
  const still = placeOf(path(0), options);
  expect(still.percentile).toBeGreaterThan(30);
  expect(still.percentile).toBeLessThan(steady.percentile);
  expect(placeOf(path(0), options)).toEqual(still);
  expect(placeOf(path(0), { ...options, seed: 2 }).percentile).not.toBe(still.percentile);
});

test("a scoring file that does not hold is refused with setting and rule", () => {
  const read = loadScoring(path.join(import.meta.dirname, "../../config/backtest.yaml"));
  expect(read.ok ? "" : read.error).toMatch(/backtest\.yaml: weights: /);
});
