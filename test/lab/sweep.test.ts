/** Sweeps: what is tried, how folds lie, what is judged, and that a kill loses and repeats nothing. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { foldsOf } from "../../src/lab/sweep/folds.ts";
import { judge } from "../../src/lab/sweep/judgement.ts";
import { judgementText } from "../../src/lab/sweep/judgement-text.ts";
import { openResultStore } from "../../src/lab/sweep/result-store.ts";
import type { StoredTrial } from "../../src/lab/sweep/result-store.ts";
import type { TrialPool } from "../../src/lab/sweep/pool.ts";
import { runSweep } from "../../src/lab/sweep/sweep.ts";
import type { TrialResult, TrialStretch } from "../../src/lab/sweep/trial.ts";
import { drawnFrom, gridOf, parseVariation } from "../../src/lab/sweep/variation.ts";
import { programArgs } from "../support/bundled-program.ts";
import { isLong, lengthOf } from "../support/lengths.ts";

const folder = mkdtempSync(path.join(tmpdir(), "ballast-sweep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VARY = ["risk.maxPositions=1,2,3", "strategy.settings.momentum.entryScore=0.8,1.2"];
const variations = VARY.flatMap((text) => {
  const read = parseVariation(text);
  return read.ok ? [read.value] : [];
});

describe("candidates", () => {
  test("a grid has every combination once, with values as YAML reads them", () => {
    const grid = gridOf(variations);
    expect(grid.ok && grid.value.length).toBe(6);
    expect(grid.ok && grid.value[0]).toEqual({ "risk.maxPositions": 1, "strategy.settings.momentum.entryScore": 0.8 });
  });

  test("a grid of a billion points is refused with what to do", () => {
    const wide = Array.from({ length: 9 }, (_, at) => ({
      path: `a.b${at}`,
      values: Array.from({ length: 10 }, (_, i) => i),
    }));
    const grid = gridOf(wide);
    expect(grid.ok ? "" : grid.error).toMatch(/1000000000 candidates.*--random/);
  });

  test("drawn candidates differ from one another, and a second draw is the same", () => {
    const first = drawnFrom(variations, 4, 1);
    expect(first.ok && new Set(first.value.map((each) => JSON.stringify(each))).size).toBe(4);
    expect(drawnFrom(variations, 4, 1)).toEqual(first);
  });

  test.each(["risk.maxPositions", "risk.maxPositions=", "=1,2", "risk.maxPositions=2,2"])("%j is refused", (text) => {
    expect(parseVariation(text).ok).toBe(false);
  });
});

test("folds: every test lies behind its training and the gap, and within the stretch", () => {
  const plan = fc.record({
    folds: fc.integer({ min: 1, max: 8 }),
    days: fc.integer({ min: 5, max: 60 }),
    purgeMs: fc.integer({ min: 0, max: 6 }).map((hours) => hours * HOUR_MS),
    training: fc.constantFrom("anchored" as const, "rolling" as const),
  });
  fc.assert(
    fc.property(plan, ({ folds, days, purgeMs, training }) => {
      const fromMs = 1_000 * DAY_MS;
      const made = foldsOf({ fromMs, forMs: days * DAY_MS, folds, purgeMs, training, seed: 1 });
      if (!made.ok) return;
      expect(made.value.length).toBe(folds);
      for (const { train, test: tested } of made.value) {
        expect(tested.fromMs - (train.fromMs + train.forMs)).toBe(purgeMs);
        expect(tested.fromMs + tested.forMs).toBeLessThanOrEqual(fromMs + days * DAY_MS);
        expect(train.fromMs).toBeGreaterThanOrEqual(fromMs);
      }
    }),
  );
});

/** A trial of forty days whose hourly equity grows by `edge` a day on a wave of its own. */
const trialOf = (strategy: string, edge: number, wave: number): StoredTrial => ({
  key: `${strategy}:${wave}`,
  strategy,
  candidate: "{}",
  stretch: "all",
  problem: null,
  result: resultOver({ fromMs: 0, forMs: 40 * DAY_MS }, edge, wave),
});

function resultOver(
  { fromMs, forMs }: Pick<TrialStretch, "fromMs" | "forMs">,
  edge: number,
  wave: number,
): TrialResult {
  const hourly = Array.from({ length: forMs / HOUR_MS + 1 }, (_, at): [number, number] => {
    const hour = fromMs / HOUR_MS + at;
    return [hour * HOUR_MS, 1_000 + edge * hour + 4 * Math.sin(hour * wave) + 2 * Math.sin(hour * wave * 2.7)];
  });
  const [first, last] = [hourly[0]?.[1] ?? 0, hourly.at(-1)?.[1] ?? 0];
  return {
    endUsdt: last,
    worstUsdt: Math.min(...hourly.map(([, equity]) => equity)),
    executions: 10,
    closedPositions: 5,
    feesUsdt: "1.5",
    fundingUsdt: "0",
    tradedUsdt: 3_000,
    eliminated: first < 0,
    ended: null,
    hourly,
  };
}

test("anchored training, which begins anew in every fold, is judged on each of its days once", async () => {
  const folds = foldsOf({ fromMs: 0, forMs: 48 * DAY_MS, folds: 5, training: "anchored", purgeMs: 0, seed: 1 });
  const store = openResultStore(path.join(folder, "anchored.sqlite"));
  if (!folds.ok || !store.ok) throw new Error("the folds fit, and the file can be written");
  const stretches = folds.value.map(({ train }) => train);
  const plan = {
    ...{ text: "", market: {}, strategies: ["wave"], candidates: [{}], codeOf: () => "" },
    ...{ stretches, folds: folds.value },
  };
  const pool: TrialPool = {
    run: ({ stretch }) => Promise.resolve(ok(resultOver(stretch, 0.02, 0.05))),
    close: () => Promise.resolve(),
  };
  const { trained, tested } = await runSweep(plan, store.value, pool, () => undefined);
  store.value.close();
  const [judged] = judge(trained).candidates;
  const [once] = judge([trialOf("wave", 0.02, 0.05)]).candidates;
  expect(judged?.returns.length).toBe(40);
  expect(judged).toEqual(once);
  expect(tested.length).toBe(5);
});

describe("a judgement", () => {
  const useless = Array.from({ length: 12 }, (_, at) => trialOf(`wave ${at}`, 0, 0.031 + 0.0071 * at));

  test("lets nothing pass that only goes up and down", () => {
    const { deflated, trials } = judge(useless);
    expect(trials).toBe(12);
    expect(deflated).toBeLessThan(0.95);
    expect(judgementText(judge(useless), null, 5).words.join(" ")).toContain("does not pass");
  });

  test("compares candidates over the same stretches: failing in a bad one is no advantage", () => {
    const over = (strategy: string, stretch: string, edge: number) => ({ ...trialOf(strategy, edge, 0.05), stretch });
    const failed = { ...over("flaky", "seed 2", 0), result: null, problem: "flaky failed" };
    const sound = [over("sound", "seed 1", 0.3), over("sound", "seed 2", -0.3)];
    const { candidates, problems } = judge([...sound, over("flaky", "seed 1", 0.2), failed]);
    expect(candidates.map(({ strategy, runs }) => [strategy, runs])).toEqual([
      ["sound", 1],
      ["flaky", 1],
    ]);
    expect(problems).toEqual(["flaky failed"]);
  });

  test("lets a steady gain pass, puts it first, and names what could not run", () => {
    const broken = { ...trialOf("broken", 0, 0.1), result: null, problem: "no bars" };
    const found = judge([...useless, trialOf("steady", 0.35, 0.05), broken]);
    expect(found.candidates[0]?.strategy).toBe("steady");
    expect(found.deflated).toBeGreaterThan(0.95);
    expect(found.overfitting?.probability).toBeLessThan(0.1);
    expect(found.problems).toEqual(["no bars"]);
    const { rows, words } = judgementText(found, null, 3);
    expect(rows.length).toBe(3);
    const steady = found.candidates[0];
    const net = (steady?.returnFraction ?? 0) * 1_000;
    expect(steady?.turnover).toBeCloseTo(3_000 / 1_000 / 40, 10);
    expect(steady?.costShare).toBeCloseTo(1.5 / (net + 1.5), 10);
    expect(steady?.breakEvenBps).toBeCloseTo(((net + 1.5) / 3_000) * 1e4, 8);
    expect(found.correlations.length).toBe(6);
    expect(words.join(" ")).toMatch(/The returns of steady and wave \d+ correlate -?0\.\d\d\./);
    expect(words.join(" ")).toContain("it passes");
  });
});

const sweepArgs = (out: string, ...more: readonly string[]) => [
  ...programArgs("ballast"),
  "lab",
  "sweep",
  ...[
    "--strategies",
    "momentum",
    "--config",
    "config/backtest.yaml",
    "--symbols",
    "BTC",
    "--for",
    "6h",
    "--seeds",
    isLong ? "1,2" : "1",
    "--format",
    "json",
  ],
  ...["--vary", "strategy.settings.momentum.entryScore=0.6,0.9", "--vary", "risk.maxPositions=1,2"],
  ...["--out", path.join(folder, out), ...more],
];

test(
  "killed with SIGKILL it goes on where it was, and any number of threads gives the same",
  { timeout: 120_000 },
  async () => {
    const whole = spawnSync(process.execPath, sweepArgs("whole.sqlite", "--workers", "1"), { encoding: "utf8" });
    expect(whole.status, whole.stderr).toBe(0);
    const killed = spawn(process.execPath, sweepArgs("cut.sqlite", "--workers", "2"), { stdio: "ignore" });
    const ended = new Promise((resolve) => killed.once("exit", resolve));
    const file = path.join(folder, "cut.sqlite");
    const keptNow = (): readonly StoredTrial[] => {
      const store = openResultStore(file);
      const kept = store.ok ? store.value.all() : [];
      if (store.ok) store.value.close();
      return kept;
    };
    await expect.poll(() => keptNow().length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    killed.kill("SIGKILL");
    await ended;
    const before = keptNow();
    const again = spawnSync(process.execPath, sweepArgs("cut.sqlite", "--workers", "2"), { encoding: "utf8" });
    expect(again.stdout).toBe(whole.stdout);
    expect(keptNow().slice(0, before.length)).toEqual(before);
    expect(keptNow().length).toBe(lengthOf(4, 8));
  },
);

test("an edited strategy is tried again, and results of its old text count no more", { timeout: 120_000 }, () => {
  const own = path.join(folder, "own");
  mkdirSync(path.join(own, "strategies"), { recursive: true });
  const fillsOf = (size: number): number => {
    writeFileSync(path.join(own, "strategies/buyer.mjs"), BUYER.replace("SIZE", String(size)));
    const args = ["--config", "config/backtest.yaml", "--symbols", "BTC", "--for", "2h", "--format", "json"];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        ...programArgs("ballast"),
        "lab",
        "sweep",
        "--strategies",
        "buyer",
        ...args,
        "--out",
        path.join(folder, "own.sqlite"),
      ],
      { encoding: "utf8", env: { ...process.env, BALLAST_OWN_DIR: own } },
    );
    expect(stdout, stderr).toContain("executions");
    return (JSON.parse(stdout) as { candidates: { executions: number }[] }).candidates[0]?.executions ?? NaN;
  };
  expect(fillsOf(0)).toBe(0);
  expect(fillsOf(1)).toBeGreaterThan(0);
});

const BUYER = `export default {
  name: "buyer", description: "", needsModel: false, settings: { safeParse: (data) => ({ success: true, data }) },
  decide: ({ symbols }) => ({ kind: "targets", note: "", targets: symbols.map(({ symbol }) => ({
    symbol, leg: "LONG", size: SIZE, stopDistance: 0.02, targetDistance: null, urgency: "take", reason: "", evidence: [],
  })) }),
};`;

test.each([
  [["--vary", "risk.maxPosition=2,3"], /risk.maxPosition.*did you mean maxPositions/],
  [["--vary", "strategy.settings.momentum.entryScore=0.6,-5"], /momentum.*entryScore/],
  [["--strategies", "momentun"], /momentun/],
  [["--strategies", "llm-trader"], /llm-trader asks a model.*name a rule/],
  [["--random", "0"], /a whole number from 1 to 20000/],
  [["--folds", "3"], /--folds needs recorded data/],
  [["--seeds", "one"], /--seeds one: write 1,2,3/],
])("%j is refused before the first trial, with what to do", (more, said) => {
  const args = sweepArgs("refused.sqlite", ...more);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([2, 3]).toContain(status);
  // With --format json a wrong option is answered on standard output.
  expect(`${stdout}${stderr}`).toMatch(said);
  expect(stderr).not.toContain("results in");
});
