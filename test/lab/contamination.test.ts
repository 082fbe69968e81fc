/** The contamination meter: a disguise changes nothing but names, time and prices, and the gap shows who knew the true ones. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Config, ConfigSchema } from "../../src/config/config.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../src/core/time.ts";
import { generateFolder } from "../../src/datasets/generate-folder.ts";
import { DEFAULT_EXCHANGES } from "../../src/domain/symbol.ts";
import type { BacktestOptions } from "../../src/faces/cli/backtest-command.ts";
import { shownConfig } from "../../src/lab/disguise/disguised-config.ts";
import { shownBars } from "../../src/lab/disguise/disguised-market.ts";
import { type ContaminationGap, verdictOf } from "../../src/lab/disguise/gap.ts";
import type { TradedRun } from "../../src/lab/figures/run-figures.ts";
import type { LabModels } from "../../src/lab/models/lab-models.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { configFor } from "../../src/lab/runs/practice-config.ts";
import { fastRuns, fullRuns, type RunOne } from "../../src/main/lab/backtest-runs.ts";
import {
  contaminationGaps,
  contaminationProblem,
  contaminationText,
  disguiseOf,
} from "../../src/main/lab/contamination.ts";
import type { Recorded } from "../../src/sim/market/recorded.ts";
import { backtestHere } from "../support/backtest-refusal.ts";
import { programArgs } from "../support/bundled-program.ts";
import { isLong, lengthOf } from "../support/lengths.ts";
import { configOf, madeBars, FROM_MS as MADE_FROM_MS } from "./fast-scene.ts";
import { reading, remembering, standIn, wavering } from "./stand-in-models.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });
const folder = mkdtempSync(path.join(tmpdir(), "ballast-contamination-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [FROM_MS, FOR_MS] = [Date.UTC(2026, 0, 5), lengthOf(4, 12) * HOUR_MS];
const DISGUISES = lengthOf(1, 3);
const OPTIONS = {
  ...{ config: "made", for: FOR_MS, beat: 20_000, seed: 1, fidelity: "full", model: "practice" },
  ...{ rivals: 0, contamination: DISGUISES, format: "text" },
} as const satisfies BacktestOptions;
const QUIET = { minute: () => undefined, end: () => undefined };

/** A recorded market of two coins, with a headline an hour that names both, and a model that decides every half hour. */
let config: Config;
let bars: readonly Recorded[];
beforeAll(() => {
  const made = { kind: "ranging", symbols: ["BTCUSDT", "ETHUSDT"], fromMs: FROM_MS, forMs: DAY_MS, seed: 1 } as const;
  if (!generateFolder(folder, made).ok) throw new Error("the folder is empty");
  mkdirSync(path.join(folder, "news"));
  const headlines = Array.from({ length: 12 }, (_, hour) => ({
    ...{ ts_ms: FROM_MS + hour * HOUR_MS, source: "Bitcoin Daily", subject: "Ethereum" },
    title: `Bitcoin and ETH trade quietly on January 5, 2026, hour ${hour} (2026-01-05)`,
  }));
  writeFileSync(path.join(folder, "news", "made.jsonl"), headlines.map((each) => JSON.stringify(each)).join("\n"));
  const settings = { "llm-trader": { minHoldMinutes: 1, maxSize: 1 } };
  config = configFor(
    ConfigSchema.parse({
      strategy: { use: "llm-trader", settings },
      cadence: { every: "30m", minGap: "20m", firstAfter: "60s" },
      risk: { minHolding: "2m" },
    }),
    { symbols: "BTC,ETH", data: folder, from: isoTime(FROM_MS) },
  );
  const read = barsFor(config, DEFAULT_EXCHANGES, { fromMs: FROM_MS, forMs: FOR_MS, seed: 1 });
  if (!read.ok) throw new Error(read.error);
  bars = read.value;
});

/** One plain run and its disguised ones, with a model each. */
async function meter(modelsOf: () => LabModels): Promise<ContaminationGap> {
  const plain = await fullRuns({ options: OPTIONS, fromMs: FROM_MS, modelsOf })(config, QUIET, null);
  if (!plain.ok) throw new Error(plain.error);
  expect(plain.value.executions).toBeGreaterThan(lengthOf(5, 10));
  const gaps = await contaminationGaps([plain.value], {
    config,
    options: OPTIONS,
    fromMs: FROM_MS,
    bars: [],
    modelsOf,
  });
  const [gap] = gaps.ok ? gaps.value : [];
  if (!gap) throw new Error(gaps.ok ? "no run" : gaps.error);
  return gap;
}

describe("stand-in models over hours of a recorded market", () => {
  /** The questions of the plain run and of each disguised one, as they are asked. */
  const heard = (asked: string[][], answer: Parameters<typeof standIn>[0]) => () => {
    const questions: string[] = [];
    asked.push(questions);
    return standIn(answer, ({ system, user }) => questions.push(`${system}\n${user}`));
  };

  /** No question of a disguised run names a coin or a day of the true market. */
  function expectDisguised([plain, ...disguised]: readonly (readonly string[])[]): void {
    const telling = /\bBTC|\bETH\b|Bitcoin|Ethereum|2026-01|January|5 Jan/;
    expect(plain?.filter((question) => telling.test(question)).length).toBe(plain?.length);
    expect(disguised.length).toBe(DISGUISES);
    for (const questions of disguised) {
      expect(questions.length).toBe(plain?.length);
      expect(questions.filter((question) => telling.test(question))).toEqual([]);
      expect(questions.at(-1)).toMatch(/[A-Z]{3,4} and [A-Z]{3,4} trade quietly on \w+ \d+, 20[23]\d/);
    }
  }

  test("one that remembers names, dates and closes shows a gap with an interval above zero", async () => {
    const asked: string[][] = [];
    const gap = await meter(heard(asked, remembering(bars)));
    expectDisguised(asked);
    expect(gap.disguisedReturns.length).toBe(DISGUISES);
    expect(gap.gap).toBeGreaterThan(isLong ? 0.01 : 0.005);
    expect(gap.interval?.low).toBeGreaterThan(0);
    expect(verdictOf(gap)).toBe("memory");
    expect(contaminationText([gap])).toMatch(/llm-trader[^]*this much may be memory/);
  });

  // In short `gapOf` alone proves it and the following, in disguise.test.ts.
  test.runIf(isLong)("one that reads figures alone shows none", async () => {
    const asked: string[][] = [];
    const gap = await meter(heard(asked, reading));
    expect(gap.interval).toEqual({ low: 0, high: 0 });
    expect(new Set(gap.disguisedReturns)).toEqual(new Set([gap.plainReturn]));
    expectDisguised(asked);
  });

  test.runIf(isLong)("one that reads figures and wavers by chance shows an interval that holds zero", async () => {
    let run = 0;
    const gap = await meter(() => {
      const entropy = seededEntropy(`stand-in:${run++}`);
      return standIn(wavering(reading, () => entropy.next("stand-in")));
    });
    expect(new Set([gap.plainReturn, ...gap.disguisedReturns]).size).toBe(DISGUISES + 1);
    expect(gap.interval?.low).toBeLessThan(0);
    expect(gap.interval?.high).toBeGreaterThan(0);
    expect(verdictOf(gap)).toBe("none");
  });
});

describe.each(isLong ? ["momentum", "ensemble"] : ["momentum"])("the rule %s", (use) => {
  const made = configOf(use, ["BTC", "ETH", "SOL"]);
  const options = { ...OPTIONS, fidelity: "fast", for: 12 * HOUR_MS } as const;
  const madeMarket = madeBars(made, 12);
  const plainRun: RunOne = fastRuns(madeMarket, { fromMs: MADE_FROM_MS, forMs: options.for });
  let plain: TradedRun;
  beforeAll(async () => {
    const run = await plainRun(made, QUIET, null);
    if (!run.ok) throw new Error(run.error);
    plain = run.value;
  });

  test("earns the same in every disguise, to the cent of every minute", async () => {
    const disguise = disguiseOf(made, options.seed, 1);
    const stretch = { fromMs: MADE_FROM_MS + disguise.shiftMs, forMs: options.for };
    const shown = madeMarket.map((each) => shownBars(disguise, each));
    const other = await fastRuns(shown, stretch)(shownConfig(disguise, made), QUIET, null);
    if (!other.ok) throw new Error(other.error);
    expect(plain.executions).toBeGreaterThan(use === "momentum" ? 10 : 0);
    const minutes = ({ points }: TradedRun) =>
      points.map(({ atMs, equityUsdt }) => [(atMs - (points[0]?.atMs ?? 0)) / MINUTE_MS, equityUsdt.toFixed(6)]);
    expect(minutes(other.value)).toEqual(minutes(plain));
    expect(other.value.feesUsdt.eq(plain.feesUsdt)).toBe(true);
    expect(other.value.trades.length).toBe(plain.trades.length);
  });

  test("shows a gap of zero", async () => {
    const given = { config: made, options, fromMs: MADE_FROM_MS, bars: madeMarket, modelsOf: () => null };
    const gaps = await contaminationGaps([plain], given);
    expect(gaps).toMatchObject({ ok: true, value: [{ gap: 0, interval: { low: 0, high: 0 }, problem: null }] });
  });
});

test("sources of the owner's own are refused, since they would show true names and dates", () => {
  const sources = { flows: { kind: "file", path: "own/flows.csv" } } as unknown as Config["sources"];
  const problem = contaminationProblem({ ...config, sources }, OPTIONS);
  expect(problem).toMatch(/made names sources, .* remove them for this run/);
});

describe("as people call it", () => {
  const backtest = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [...programArgs("ballast"), "backtest", "--config", "config/backtest.yaml", "--symbols", "BTC", ...args],
      { encoding: "utf8" },
    );

  test("the same command has the same result, with the gap of each strategy beside the table", () => {
    const ask = () =>
      backtest("--strategies", "hold,momentum", "--for", "5h", "--contamination", "2", "--format", "json");
    const first = ask();
    expect(first.status, first.stderr).toBe(0);
    const { contamination } = JSON.parse(first.stdout) as { contamination: unknown };
    expect(contamination).toMatchObject([
      { strategy: "hold", gap: 0, disguisedReturns: [0, 0] },
      { strategy: "momentum", gap: 0, periods: 5 },
    ]);
    expect(ask().stdout).toBe(first.stdout);
  });

  test.each([
    ["no run", "0"],
    ["too many runs", "21"],
    ["no number", "some"],
  ])("%s is refused with what to do", (_what, count) => {
    const { status, stderr } = backtest("--contamination", count);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/Write how many disguised runs to make, from 1 to 20/);
  });

  test.each([
    [
      "too short a run",
      ["--contamination", "2", "--for", "3h"],
      /compares hours, and --for 3h has too few: make it 4h/,
    ],
    [
      "a generated market",
      ["--contamination", "2", "--fidelity", "full"],
      /a generated market has no past that a model could remember\. Add --data and --from/,
    ],
    [
      "recorded replies",
      ["--contamination", "2", "--fidelity", "full", "--model", "replay", "--replies", "somewhere"],
      /recorded replies answer the questions of the true market, .* Use --model live/,
    ],
  ])("%s is refused with what to do", async (_what, args, said) => {
    const { status, stderr } = await backtestHere("--config", "config/backtest.yaml", "--symbols", "BTC", ...args);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(said);
  });
});
