/** Spend rows as they are read, what tokens cost, and the pace at which a day's money may be spent. */
import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { aheadOfTargetMs, allowanceUsd, forecastUsd, mayAsk, type Spending } from "../../../src/llm/budget/budget.ts";
import type { ModelPrice } from "../../../src/llm/contract/settings.ts";
import { boundUsd, usageCostUsd } from "../../../src/llm/calls/invoice.ts";
import { readEntry, usdText } from "../../../src/llm/budget/entries.ts";

const START_MS = Date.parse("2026-01-31T20:00:00Z");

describe("rows as they are read", () => {
  const reserve = { attemptId: "a", decisionId: "d", purpose: "p", model: "m", atMs: 5, boundUsd: "1.5" };
  const settle = { attemptId: "a", atMs: 5, costUsd: "0.5", how: "actual" };

  const read = (kind: string, body: unknown) => readEntry({ seq: 7, kind, body });

  test("a whole one is read, its money as decimals", () => {
    expect(read("model-reserve", { ...reserve, more: 1 })?.body).toEqual({ ...reserve, boundUsd: dec("1.5") });
    const full = { ...settle, reportedUsd: "7", boundaryMs: 86_400_000 };
    expect(read("model-settle", full)?.body).toEqual({ ...full, costUsd: dec("0.5"), reportedUsd: dec("7") });
    const empty = { ...settle, reportedUsd: null, boundaryMs: null };
    expect(read("model-settle", empty)?.body).toEqual({ ...empty, costUsd: dec("0.5") });
    expect(read("model-settle", { ...settle, boundaryMs: 0 })).not.toBeNull();
    expect(read("order", settle)).toBeNull();
  });

  test.each<[string, string, unknown]>([
    ["boundUsd", "model-reserve", { ...reserve, boundUsd: "1e3" }],
    ["boundUsd", "model-reserve", { ...reserve, boundUsd: 1.5 }],
    ...Object.keys(reserve).map((name): [string, string, unknown] => [
      name,
      "model-reserve",
      { ...reserve, [name]: undefined },
    ]),
    ...Object.keys(settle).map((name): [string, string, unknown] => [
      name,
      "model-settle",
      { ...settle, [name]: undefined },
    ]),
    ["costUsd", "model-settle", { ...settle, costUsd: "x" }],
    ["reportedUsd", "model-settle", { ...settle, reportedUsd: "x" }],
    ["boundaryMs", "model-settle", { ...settle, boundaryMs: -1 }],
    ["boundaryMs", "model-settle", { ...settle, boundaryMs: 86_400_001 }],
    ["the body", "model-settle", null],
  ])("a wrong %s of %s %j is an error that names it", (field, kind, body) => {
    expect(() => read(kind, body)).toThrow(`row 7 of kind ${kind}: ${field}: `);
  });

  test.each([
    ["0.0000000000001", "0.000000000001"],
    ["1.10", "1.1"],
    ["2", "2"],
  ])("%s USD is written as %s", (amount, written) => {
    expect(usdText(dec(amount))).toBe(written);
  });
});

describe("prices", () => {
  const price: ModelPrice = {
    name: "m",
    speech: "chat",
    inputPerMillionUsd: dec("2"),
    outputPerMillionUsd: dec("10"),
    cachedPerMillionUsd: dec("0.5"),
  };
  const long = { inputPerMillionUsd: dec("4"), outputPerMillionUsd: dec("20"), cachedPerMillionUsd: dec("1") };
  const usage = (promptTokens: number, completionTokens: number, cachedTokens = 0) => ({
    promptTokens,
    completionTokens,
    cachedTokens,
  });

  test("a bill is input, cached input and output at their rates", () => {
    expect(usageCostUsd(price, usage(1_000_000, 0)).toFixed()).toBe("2");
    expect(usageCostUsd(price, usage(0, 1_000_000)).toFixed()).toBe("10");
    expect(usageCostUsd(price, usage(1_000_000, 100_000, 400_000)).toFixed()).toBe("2.4");
  });

  test("more cached than asked for is no credit", () => {
    expect(usageCostUsd(price, usage(1_000_000, 0, 2_000_000)).toFixed()).toBe("0.5");
  });

  test("above the long row's beginning the dearer of the two rows counts", () => {
    const both = { ...price, longContext: { ...long, aboveTokens: 500_000 } };
    expect(usageCostUsd(both, usage(500_000, 0)).toFixed()).toBe("1");
    expect(usageCostUsd(both, usage(500_001, 0)).toFixed()).toBe("2.000004");
    const cheap = { ...price, longContext: { ...long, inputPerMillionUsd: dec(1), aboveTokens: 500_000 } };
    expect(usageCostUsd(cheap, usage(1_000_000, 0)).toFixed()).toBe("2");
  });

  test("the bound uses the whole output cap, and the cache where that is dearer", () => {
    expect(boundUsd(price, 100_000, 10_000).toFixed()).toBe("0.3");
    expect(boundUsd({ ...price, cachedPerMillionUsd: dec(3) }, 100_000, 10_000).toFixed()).toBe("0.4");
  });
});

describe("the pace", () => {
  const pace = { limitUsd: dec(10), reserveForEvents: 0.2, dayStartMs: START_MS };
  const spending = (used: string, left: string, next = "0"): Spending => ({
    usedTodayUsd: dec(used),
    leftUsd: dec(left),
    nextUsd: dec(next),
  });

  test("the line begins two hours ahead, rises with the day, and stays within it", () => {
    const allowed = (atMs: number): string => allowanceUsd(pace, START_MS + atMs).toFixed(4);
    expect([allowed(-3 * HOUR_MS), allowed(-2 * HOUR_MS), allowed(0)]).toEqual(["0.0000", "0.0000", "0.6667"]);
    expect([allowed(10 * HOUR_MS), allowed(22 * HOUR_MS), allowed(30 * HOUR_MS)]).toEqual([
      "4.0000",
      "8.0000",
      "8.0000",
    ]);
  });

  test("one more question is so far ahead of the line to the target; without a target none is planned", () => {
    const target = dec(6);
    const noon = START_MS + 12 * HOUR_MS;
    const ahead = (used: string, left: string, next: string, atMs = noon) =>
      aheadOfTargetMs(target, atMs, pace, spending(used, left, next));
    expect(aheadOfTargetMs(undefined, noon, pace, spending("0", "10"))).toBeNull();
    expect(ahead("3", "7", "0")).toBe(0);
    expect(ahead("3.4", "6.6", "0.1")).toBe(2 * HOUR_MS);
    expect(ahead("2", "8", "0.5")).toBe(-2 * HOUR_MS);
    expect(ahead("1", "0.05", "0.1")).toBeNull();
    expect(ahead("6", "4", "0.01", START_MS + 23 * HOUR_MS)).toBeNull();
  });

  test("nothing is asked with nothing left, nor what costs more than is left", () => {
    expect(mayAsk("event", START_MS, pace, spending("0", "0"))).toBe(false);
    expect(mayAsk("event", START_MS, pace, spending("0", "1", "1"))).toBe(true);
    expect(mayAsk("event", START_MS, pace, spending("0", "1", "1.01"))).toBe(false);
    expect(mayAsk("cadence", START_MS, pace, spending("0", "0"))).toBe(false);
  });

  test("a question by the clock keeps to the line, an event does not", () => {
    const noon = START_MS + 10 * HOUR_MS;
    expect(mayAsk("cadence", noon, pace, spending("3", "7", "1"))).toBe(true);
    expect(mayAsk("cadence", noon, pace, spending("3", "7", "1.01"))).toBe(false);
    expect(mayAsk("event", noon, pace, spending("9", "1", "0.5"))).toBe(true);
  });

  test("the forecast is what is used in the first quarter hour, then the day's share of it", () => {
    const quarter = 15 * MINUTE_MS;
    expect(forecastUsd(pace, START_MS + quarter - 1, dec("0.1")).toFixed()).toBe("0.1");
    expect(forecastUsd(pace, START_MS + quarter, dec("0.1")).toFixed(4)).toBe("9.6000");
    expect(forecastUsd(pace, START_MS, dec("-1")).toFixed()).toBe("0");
    expect(forecastUsd(pace, START_MS + 2 * DAY_MS, dec("3")).toFixed()).toBe("3");
  });
});
