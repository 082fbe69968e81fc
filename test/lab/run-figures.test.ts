import { describe, expect, test } from "vitest";
import type { EquityPoint } from "../../src/domain/competition-figures.ts";
import { figuresOf, type BacktestRun } from "../../src/lab/figures/run-figures.ts";
import { resultTable } from "../../src/faces/cli/result-table.ts";
import { cellsOf, HEADINGS, resultRows } from "../../src/lab/figures/table.ts";
import { dec, ZERO } from "../../src/core/decimal.ts";
import { DAY_MS } from "../../src/core/time.ts";

const MIDNIGHT = Date.UTC(2026, 0, 5);
const daily = (...equities: readonly number[]): readonly EquityPoint[] =>
  equities.map((equityUsdt, day) => ({ atMs: MIDNIGHT + day * DAY_MS, equityUsdt }));

const run = (strategy: string, points: readonly EquityPoint[]): BacktestRun => ({
  strategy,
  points,
  executions: 4,
  closedPositions: 2,
  winRate: 0.5,
  decisions: 10,
  feesUsdt: dec("1.5"),
  fundingUsdt: ZERO,
  modelUsd: dec("0.0123"),
  models: ["model-1"],
  eliminated: false,
  ended: null,
});

describe("figures of a run", () => {
  test("return, worst point and fall from the peak", () => {
    const figures = figuresOf(daily(1000, 1100, 880, 990));
    expect(figures.returnFraction).toBeCloseTo(-0.01, 10);
    expect(figures.worstEquityUsdt).toBe(880);
    expect(figures.maxDrawdown).toBeCloseTo(0.2, 10);
  });

  test("Sharpe is of daily returns, annualised over 365 days", () => {
    // Returns 10 %, -20 %: mean -5 %, sample deviation 21.2 %.
    expect(figuresOf(daily(1000, 1100, 880)).sharpe).toBeCloseTo((-0.05 / 0.2121320343559643) * Math.sqrt(365), 6);
  });

  test("fewer than two days have none, a flat row of days has zero", () => {
    expect(figuresOf(daily(1000, 1100)).sharpe).toBeNull();
    expect(figuresOf(daily(1000, 1000, 1000)).sharpe).toBe(0);
  });

  test("a first day that began after midnight does not count as a day", () => {
    const points = [{ atMs: MIDNIGHT + 3_600_000, equityUsdt: 1 }, ...daily(0, 1000, 1100, 880).slice(1)];
    expect(figuresOf(points).sharpe).toBeCloseTo((-0.05 / 0.2121320343559643) * Math.sqrt(365), 6);
  });
});

describe("the table", () => {
  test("rows stand best first, each beside hold", () => {
    const rows = resultRows([
      run("hold", daily(1000, 1000)),
      run("wild", daily(1000, 900)),
      run("good", daily(1000, 1010)),
    ]);
    expect(rows.map(({ strategy }) => strategy)).toEqual(["good", "hold", "wild"]);
    expect(rows.map(({ overHold }) => overHold?.toFixed(2))).toEqual(["0.01", "0.00", "-0.10"]);
  });

  test("without hold nothing is said of it", () => {
    expect(resultRows([run("good", daily(1000, 1010))])[0]?.overHold).toBeNull();
  });

  test("the organiser's Sharpe and drawdown stand beside the usual ones, and the model is named", () => {
    const hour = 3_600_000;
    const points = [0, 1, 23, 24, 47].map((at) => ({ atMs: Date.UTC(2026, 0, 5) + at * hour, equityUsdt: 1_000 + at }));
    const dipped = [...points, { atMs: Date.UTC(2026, 0, 6, 23, 30), equityUsdt: 900 }];
    const [row] = resultRows([run("good", dipped)]);
    expect(row?.organiserDrawdown).toBe(0);
    expect(row?.maxDrawdown).toBeGreaterThan(0.1);
    expect(row?.organiserSharpe).not.toBe(row?.sharpe);
    expect(row && cellsOf(row)).toContain("model-1");
  });

  test("each row has a cell for every heading", () => {
    const [row] = resultRows([run("good", daily(1000, 1010))]);
    expect(row && cellsOf(row)).toHaveLength(HEADINGS.length);
  });

  test("why a run ended early has a named column, printed only when a run did", () => {
    const rows = resultRows([run("good", daily(1000, 1010)), { ...run("bad", daily(1000, 790)), eliminated: true }]);
    const shown = (all: typeof rows): string => resultTable(HEADINGS, all.map(cellsOf), 500);
    expect(shown(rows)).toMatch(/ended early[^]*eliminated/);
    expect(shown(rows.slice(0, 1))).not.toContain("ended early");
  });

  test("a table that is too wide has a line for each figure, unless that is wider still", () => {
    const rows = [
      ["hold", "0.00 %", "1000.00", "0.00"],
      ["momentum", "-1.97 %", "980.34", "40.18"],
    ];
    const lines = (width: number, of = rows): readonly string[] =>
      resultTable(["strategy", "return of the whole run", "end USDT", "fees"], of, width).split("\n");
    expect(lines(60)[1]).toMatch(/strategy .* return of the whole run .* end USDT .* fees/);
    const folded = lines(50);
    expect(folded.filter((line) => /\w/.test(line)).map((line) => line.split("│").map((cell) => cell.trim()))).toEqual([
      ["", "strategy", "hold", "momentum", ""],
      ["", "return of the whole run", "0.00 %", "-1.97 %", ""],
      ["", "end USDT", "1000.00", "980.34", ""],
      ["", "fees", "0.00", "40.18", ""],
    ]);
    expect(
      lines(
        50,
        Array.from({ length: 9 }, () => rows[1] ?? []),
      )[1],
    ).toMatch(/end USDT/);
  });
});
