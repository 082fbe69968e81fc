import { describe, expect, test } from "vitest";
import { isMultipleOf } from "../../../src/core/decimal.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { PHASE_ONE_BASES } from "../../../src/domain/competition.ts";
import { createGenerator } from "../../../src/sim/market/generator.ts";
import { referenceBases, referenceFor } from "../../../src/sim/market/reference-prices.ts";
import { GRID_MS, SUB_STEPS_MAX, subSteps } from "../../../src/sim/market/tape.ts";
import { type Recorder, recorder, specFor } from "./recorder.ts";

const START_MS = Date.UTC(2026, 6, 20, 7, 59, 0);
const BTC = "EXCHANGE_A_PERP_BTC_USDT";

function run(bases: readonly string[], seed: number, spanMs: number, keepLines = false): Recorder {
  const into = recorder(keepLines);
  const tape = createGenerator({ symbols: bases.map((base) => specFor(base)), entropy: seededEntropy(seed) });
  tape.start(into, START_MS);
  for (let atMs = START_MS; atMs <= START_MS + spanMs; atMs += GRID_MS) tape.step(atMs);
  return into;
}

const marksOf = (into: Recorder, symbol: string): number[] =>
  into.marks.filter((mark) => mark.symbol === symbol).map((mark) => mark.mark.toNumber());

test("every Phase I base has a row of its own", () => {
  for (const base of PHASE_ONE_BASES) expect(referenceBases()).toContain(base);
  expect(referenceFor("NEWCOIN")).toMatchObject({ price: 1, liquidity: "small" });
});

describe("sub-steps", () => {
  test("lie on the grid and end at the last grid point", () => {
    expect(subSteps(1_000, 1_600)).toEqual([1_250, 1_500]);
    expect(subSteps(1_000, 1_200)).toEqual([]);
  });
  test("are bounded over a long gap", () => {
    const steps = subSteps(0, DAY_MS);
    expect(steps).toHaveLength(SUB_STEPS_MAX);
    expect(steps.at(-1)).toBe(DAY_MS);
  });
});

describe("a generated market", () => {
  test("is the same for the same seed and another for another", () => {
    const lines = (seed: number): string[] => run(["BTC", "DOGE"], seed, MINUTE_MS, true).lines;
    const first = lines(7);
    expect(first.length).toBeGreaterThan(500);
    expect(lines(7)).toEqual(first);
    expect(lines(8)).not.toEqual(first);
  });

  test("does not depend on how often it is stepped, while gaps stay short", () => {
    const often = recorder(true);
    const seldom = recorder(true);
    for (const [into, everyMs] of [
      [often, 100],
      [seldom, 5_000],
    ] as const) {
      const tape = createGenerator({ symbols: [specFor("ETH")], entropy: seededEntropy(3) });
      tape.start(into, START_MS);
      for (let atMs = START_MS; atMs <= START_MS + MINUTE_MS; atMs += everyMs) tape.step(atMs);
    }
    expect(seldom.lines).toEqual(often.lines);
  });

  test("never crosses its book, keeps levels sorted, whole and positive", () => {
    const into = recorder();
    const bases = PHASE_ONE_BASES;
    const tape = createGenerator({ symbols: bases.map((base) => specFor(base)), entropy: seededEntropy(11) });
    tape.start(into, START_MS);
    for (let i = 0; i < 200; i++) {
      tape.step(START_MS + i * GRID_MS);
      for (const { bids, asks } of into.books.values()) {
        expect(bids.length).toBeGreaterThanOrEqual(20);
        expect(asks.length).toBeGreaterThanOrEqual(20);
        expect(bids[0]?.[0]).toBeLessThan(asks[0]?.[0] ?? 0);
      }
    }
    for (const { bids, asks } of into.books.values()) {
      const prices = [...asks]
        .reverse()
        .concat(bids)
        .map(([ticks]) => ticks);
      expect(prices).toEqual([...new Set(prices)].sort((a, b) => b - a));
      for (const [ticks, lots] of [...bids, ...asks]) {
        expect(Number.isInteger(ticks) && ticks > 0 && Number.isInteger(lots) && lots > 0).toBe(true);
      }
    }
    for (const print of into.prints) {
      expect(Number.isInteger(print.ticks) && print.ticks > 0 && Number.isInteger(print.lots) && print.lots > 0).toBe(
        true,
      );
    }
  });

  test("keeps marks and open interest on tick and lot, and funding on its grid", () => {
    const into = run(["BTC", "JST"], 2, 2 * MINUTE_MS);
    const { tickSize, lotSize } = specFor("BTC").rules;
    for (const { symbol, mark, index } of into.marks) {
      if (symbol === BTC) expect(isMultipleOf(mark, tickSize) && isMultipleOf(index, tickSize)).toBe(true);
    }
    for (const { openInterest } of into.interests) expect(isMultipleOf(openInterest, lotSize)).toBe(true);
    const nexts = [...new Set(into.fundings.map((funding) => funding.nextFundingAtMs))];
    expect(nexts).toEqual([Date.UTC(2026, 6, 20, 8), Date.UTC(2026, 6, 20, 16)]);
    for (const { rate } of into.fundings) expect(Math.abs(rate.toNumber())).toBeLessThanOrEqual(0.003);
  });

  test("moves about as much as the reference table says, and within a minute somewhere noticeably", () => {
    const bases = ["BTC", "ETH", "SOL", "DOGE", "LINK", "SUI"];
    const into = run(bases, 5, 40 * MINUTE_MS);
    let ratioSum = 0;
    for (const base of bases) {
      const marks = marksOf(into, `EXCHANGE_A_PERP_${base}_USDT`).filter((_, i) => i % 60 === 0);
      const returns = marks.slice(1).map((mark, i) => Math.log(mark / (marks[i] ?? mark)));
      const deviation = Math.sqrt(returns.reduce((sum, r) => sum + r * r, 0) / returns.length);
      ratioSum += (deviation * Math.sqrt(1_440)) / referenceFor(base).dailyVolatility;
    }
    expect(ratioSum / bases.length).toBeGreaterThan(0.4);
    expect(ratioSum / bases.length).toBeLessThan(3);
  });

  test("a push moves one symbol by what was asked and leaves the others alone", () => {
    const marksAfter = (push: boolean): Record<string, number> => {
      const into = recorder();
      const symbols = ["BTC", "SOL"].map((base) => specFor(base));
      const tape = createGenerator({ symbols, entropy: seededEntropy(9) });
      tape.start(into, START_MS);
      tape.step(START_MS + 1_000);
      if (push) expect(tape.push("EXCHANGE_A_PERP_SOL_USDT", -0.1, 5_000)).toBe(true);
      for (let s = 2; s < 60; s++) tape.step(START_MS + s * 1_000);
      return Object.fromEntries(into.marks.map(({ symbol, index }) => [symbol, index.toNumber()]));
    };
    const quiet = marksAfter(false);
    const pushed = marksAfter(true);
    expect(pushed[BTC]).toBe(quiet[BTC]);
    const sol = "EXCHANGE_A_PERP_SOL_USDT";
    expect((pushed[sol] ?? 0) / (quiet[sol] ?? 1)).toBeCloseTo(0.9, 3);
  });

  test("a push of an unknown symbol is refused", () => {
    const tape = createGenerator({ symbols: [specFor("BTC")], entropy: seededEntropy(1) });
    tape.start(recorder(), START_MS);
    expect(tape.push("EXCHANGE_A_PERP_NOPE_USDT", 0.1, 0)).toBe(false);
    expect(tape.push("*", 0.1, 0)).toBe(true);
  });

  test("two exchanges share a base's fair price", () => {
    const into = recorder();
    const symbols = [specFor("BTC"), specFor("BTC", "EXCHANGE_B", "0.01")];
    const tape = createGenerator({ symbols, entropy: seededEntropy(4) });
    tape.start(into, START_MS);
    for (let s = 1; s < 30; s++) tape.step(START_MS + s * 1_000);
    const last = Object.fromEntries(into.marks.map(({ symbol, index }) => [symbol, index.toFixed()]));
    expect(Math.abs(Number(last[BTC]) / Number(last["EXCHANGE_B_PERP_BTC_USDT"]) - 1)).toBeLessThan(0.002);
  });
});
