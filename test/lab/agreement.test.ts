/** Fast and full runs of the same made market end close together. On recorded windows: `npm run agreement`. */
import { expect, test } from "vitest";
import { apart, gapOf, gapText } from "../../src/lab/runs/agreement.ts";
import { runFull } from "../../src/lab/runs/full-run.ts";
import { barsFor } from "../../src/lab/runs/bars-for.ts";
import { DEFAULT_EXCHANGES } from "../../src/domain/symbol.ts";
import { dec } from "../../src/core/decimal.ts";
import { HOUR_MS } from "../../src/core/time.ts";
import type { TradedRun } from "../../src/lab/figures/run-figures.ts";
import type { ClosedTradeRow } from "../../src/rows/trade.ts";
import { lengthOf } from "../support/lengths.ts";
import { configOf, FROM_MS, run, strategiesOf } from "./fast-scene.ts";

const HOURS = lengthOf(1, 3);
const STEP_MS = lengthOf(8_000, 2_000);

test("a strategy trades and ends alike in both", { timeout: 120_000 }, async () => {
  const config = configOf("momentum", ["BTC", "SOL"]);
  const stretch = { fromMs: FROM_MS, forMs: HOURS * HOUR_MS, seed: 3, stepMs: STEP_MS };
  const bars = barsFor(config, DEFAULT_EXCHANGES, stretch);
  if (!bars.ok) throw new Error(bars.error);
  const fast = run(config, bars.value, { strategies: await strategiesOf(config), minutes: HOURS * 60 });
  const full = await runFull({ config, ...stretch });
  if (!full.ok) throw new Error(full.error);
  expect(full.value.executions).toBeGreaterThan(3);
  expect(full.value.points.length).toBe(fast.points.length);
  expect(apart(fast, [full.value])).toBe(false);
  const trades = [fast.executions, full.value.executions];
  expect(Math.max(...trades)).toBeLessThan(2 * Math.min(...trades));
  const { sameTrades, fastAlone, fullAlone, rest } = gapOf(fast, full.value);
  const ends = [fast, full.value].map(({ points }) => points.at(-1)?.equityUsdt ?? 0);
  expect(sameTrades + fastAlone + fullAlone + rest).toBeCloseTo((ends[0] ?? 0) - (ends[1] ?? 0), 6);
});

const trade = (symbol: string, openedAtMs: number, net: string) =>
  ({ symbol, side: "LONG", openedAtMs, netUsdt: dec(net) }) as unknown as ClosedTradeRow;
const ending = (equityUsdt: number, ...trades: readonly ClosedTradeRow[]) =>
  ({ points: [{ atMs: 0, equityUsdt }], trades }) as unknown as TradedRun;

test("a gap is split into trades that both made, trades of one alone, and what was still open", () => {
  const fast = ending(1010, trade("A", 0, "2"), trade("B", 0, "3"), trade("A", HOUR_MS, "4"));
  const full = ending(1004, trade("A", 60_000, "1.5"), trade("B", HOUR_MS, "-1"));
  const gap = gapOf(fast, full);
  expect(gap).toEqual({ sameTrades: 0.5, fastAlone: 7, fullAlone: 1, rest: -2.5 });
  expect(gapText(gap)).toBe(
    "same trades +0.50, trades of the fast run alone +7.00, of the full run alone +1.00, still open -2.50 USDT",
  );
});

test.each([
  [1_003.9, [1_000], false],
  [1_004.1, [1_000], true],
  [995, [1_000], true],
  [998, [1_000, 994], false],
  [1_003, [1_000, 994], false],
  [989.9, [1_000, 994], true],
])("an end of %d is compared with all that full runs to %j span", (end, ends, expected) => {
  const ranTo = (equityUsdt: number) => ({ ...ending(equityUsdt), executions: 5 });
  expect(apart(ranTo(end), ends.map(ranTo))).toBe(expected);
});
