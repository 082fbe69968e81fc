/** What goes wrong in a lab: each a clear error, or a stated policy, and nothing is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ConfigSchema } from "../../src/config/config.ts";
import { err, ok, type Result } from "../../src/core/result.ts";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from "../../src/core/time.ts";
import { generateFolder } from "../../src/datasets/generate-folder.ts";
import { DEFAULT_EXCHANGES } from "../../src/domain/symbol.ts";
import { openSqlite } from "../../src/journal/sqlite.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { runFull } from "../../src/lab/runs/full-run.ts";
import { configFor } from "../../src/lab/runs/practice-config.ts";
import { openResultStore } from "../../src/lab/sweep/result-store.ts";
import { runSweep, type SweepPlan } from "../../src/lab/sweep/sweep.ts";
import type { Trial, TrialResult } from "../../src/lab/sweep/trial.ts";
import { defineStrategy } from "../../src/strategy/strategy.ts";
import { configOf, drawn, FROM_MS, run } from "./fast-scene.ts";

vi.setConfig({ testTimeout: 240_000 });
const folder = mkdtempSync(path.join(tmpdir(), "ballast-bad-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a data folder that lacks what is asked for", () => {
  const madeMs = Date.UTC(2026, 0, 1);
  beforeAll(() => {
    const made = { kind: "ranging", symbols: ["BTCUSDT"], fromMs: madeMs, forMs: DAY_MS, seed: 1 } as const;
    if (!generateFolder(folder, made).ok) throw new Error("the folder is empty");
  });
  const problem = (symbols: string, fromMs = madeMs, forMs = HOUR_MS, window?: string): string => {
    const config = configFor(ConfigSchema.parse({}), { data: folder, window, symbols });
    const bars = barsFor(config, DEFAULT_EXCHANGES, { fromMs, forMs, seed: 1 });
    return bars.ok ? "" : bars.error;
  };
  test("what is there plays", () => {
    expect(problem("BTC")).toBe("");
  });
  test("an unknown coin is named, with what may be meant", () => {
    expect(problem("BTCC")).toMatch(/universe: BTCC is not one of the fifty pairs.*did you mean BTC/);
  });
  test("a coin without data is named with its window", () => {
    expect(problem("ETH")).toMatch(/window perp-ranging-1-2026-01 .* has data for none of the symbols/);
  });
  test("an unknown window is refused with those that are there", () => {
    expect(problem("BTC", madeMs, HOUR_MS, "perp-2030-01")).toMatch(
      /no window "perp-2030-01"; there are: 1m\/perp-ranging-1-2026-01/,
    );
  });
  test("a folder without news plays in full as well, with news of the service's own", async () => {
    const config = configFor(ConfigSchema.parse({ strategy: { use: "hold" } }), {
      ...{ data: folder, symbols: "BTC", from: isoTime(madeMs) },
    });
    const run = await runFull({ config, fromMs: madeMs, forMs: 2 * MINUTE_MS, seed: 1, stepMs: 10_000 });
    expect(run).toMatchObject({ ok: true, value: { ended: null } });
  });
  test("a start outside of the window, and an end behind it, are refused with where it lies", () => {
    expect(problem("BTC", madeMs - DAY_MS)).toContain("2026-01-01T00:00:00.000Z");
    expect(problem("BTC", madeMs + 2 * DAY_MS)).toContain("2026-01-02T00:00:00.000Z");
    expect(problem("BTC", madeMs + 23 * HOUR_MS, 2 * HOUR_MS)).toMatch(/--for 2h is too long: .* there are 1h/);
  });
});

test("a strategy that throws late in a run leaves its decisions to the fallback, and the run says so", () => {
  const bars = drawn(Array.from({ length: 130 }, () => [60_000, 60_030, 59_970, 60_000] as const));
  let asked = 0;
  const late = defineStrategy({
    name: "late",
    description: "Breaks after a while.",
    settings: z.strictObject({}),
    needsModel: false,
    decide: () => {
      asked += 1;
      if (asked > 15) throw new Error("bar 10,000 is odd");
      return { kind: "targets", targets: [], note: "nothing" };
    },
  });
  const fallback = { ...late, name: "still", decide: () => ({ kind: "targets", targets: [], note: "" }) as const };
  const armed = { settings: {}, msMax: Infinity };
  const result = run(configOf("hold", ["BTC"]), bars, {
    strategies: { chosen: { ...armed, strategy: late }, fallback: { ...armed, strategy: fallback }, shadows: [] },
    minutes: 130,
  });
  expect(result.failures?.reason).toContain("bar 10,000 is odd");
  expect(result.failures?.firstMs).toBeGreaterThan(FROM_MS + 60 * MINUTE_MS);
  expect(result.decisions).toBeGreaterThan(15);
  expect(result.points.length).toBe(131);
});

test("a sweep whose file takes no more results stops, says why, and keeps what it has", async () => {
  const file = path.join(folder, "results.sqlite");
  const store = openResultStore(file);
  if (!store.ok) throw new Error(store.error);
  const stretch = (label: string) => ({ label, fromMs: 0, forMs: HOUR_MS, seed: 1 });
  const plan: SweepPlan = {
    text: "",
    market: {},
    strategies: ["momentum"],
    candidates: [{}],
    stretches: Array.from({ length: 10 }, (_, at) => stretch(String(at))),
    folds: [],
    codeOf: () => "",
  };
  let ran = 0;
  const spoil = openSqlite(file);
  const pool = {
    run: () => {
      ran += 1;
      // As a full disk does, the file refuses a row in the middle of the sweep.
      if (ran === 4)
        spoil.script(
          "CREATE TRIGGER full BEFORE INSERT ON trials BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
        );
      return Promise.resolve({ ok: false, error: "no bars" } as const);
    },
    close: () => Promise.resolve(),
  };
  const oneByOne = { ...pool, run: inTurn(pool.run) };
  await expect(runSweep(plan, store.value, oneByOne, () => undefined)).rejects.toThrow(
    /results\.sqlite accepts no more results: database or disk is full\. Stored results are kept; free some disk space, and run the same command again/,
  );
  expect(store.value.all().map(({ stretch: label }) => label)).toEqual(["0", "1", "2"]);
  spoil.script("DROP TRIGGER full");
  spoil.close();
  const again = await runSweep(plan, store.value, oneByOne, () => undefined);
  expect(again.trained.length).toBe(10);
  store.value.close();
});

test("a trial that failed is run again by the next start, and one with a result is not", async () => {
  const store = openResultStore(path.join(folder, "again.sqlite"));
  if (!store.ok) throw new Error(store.error);
  const stretches = ["sound", "flaky", "broken"].map((label) => ({ label, fromMs: 0, forMs: HOUR_MS, seed: 1 }));
  const plan = {
    text: "",
    market: {},
    strategies: ["momentum"],
    candidates: [{}],
    stretches,
    folds: [],
    codeOf: () => "",
  };
  const ran: string[] = [];
  const start = async (failing: readonly string[]) => {
    ran.length = 0;
    const pool = {
      run: ({ stretch: { label } }: Trial): Promise<Result<TrialResult, string>> => {
        ran.push(label);
        return Promise.resolve(failing.includes(label) ? err(`${label} threw`) : ok(RESULT));
      },
      close: () => Promise.resolve(),
    };
    const { trained } = await runSweep(plan, store.value, pool, () => undefined);
    return trained.map(({ stretch, result, problem }) => [stretch, result === null ? problem : "result"]);
  };
  const first = await start(["flaky", "broken"]);
  expect(first).toEqual([
    ["sound", "result"],
    ["flaky", "flaky threw"],
    ["broken", "broken threw"],
  ]);
  const second = await start(["broken"]);
  expect(ran).toEqual(["flaky", "broken"]);
  expect(second).toEqual([
    ["sound", "result"],
    ["flaky", "result"],
    ["broken", "broken threw"],
  ]);
  await start([]);
  expect(ran).toEqual(["broken"]);
  await start([]);
  expect(ran).toEqual([]);
  store.value.close();
});

const RESULT: TrialResult = {
  ...{ endUsdt: 1_000, worstUsdt: 1_000, executions: 0, closedPositions: 0, feesUsdt: "0", fundingUsdt: "0" },
  ...{ tradedUsdt: 0, eliminated: false, ended: null },
  hourly: [
    [0, 1_000],
    [HOUR_MS, 1_000],
  ],
};

/** Each call begins when the one before has been answered and kept. */
function inTurn<T>(call: () => Promise<T>): () => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return () => {
    const mine = before.then(() => call());
    before = mine.then(() => undefined);
    return mine;
  };
}
