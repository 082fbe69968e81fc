import { describe, expect, test } from "vitest";
import { dec, type Decimal } from "../../../src/core/decimal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time.ts";
import { allowanceUsd, forecastUsd, mayAsk } from "../../../src/llm/budget/budget.ts";

describe("pacing", () => {
  const pace = { limitUsd: dec(10), reserveForEvents: 0.2, dayStartMs: 0 };
  const spending = (used: string, next = "0.01"): { usedTodayUsd: Decimal; leftUsd: Decimal; nextUsd: Decimal } => ({
    usedTodayUsd: dec(used),
    leftUsd: dec(10).sub(dec(used)),
    nextUsd: dec(next),
  });

  test("spreads the clock's share over the day and never gives it the reserve", () => {
    expect(allowanceUsd(pace, 10 * HOUR_MS).toFixed()).toBe("4");
    expect(mayAsk("cadence", 10 * HOUR_MS, pace, spending("3.99"))).toBe(true);
    expect(mayAsk("cadence", 10 * HOUR_MS, pace, spending("4"))).toBe(false);
    expect(mayAsk("event", 10 * HOUR_MS, pace, spending("4"))).toBe(true);
    expect(mayAsk("cadence", DAY_MS - 1, pace, spending("8"))).toBe(false);
    expect(mayAsk("event", DAY_MS - 1, pace, spending("9.99"))).toBe(true);
    expect(mayAsk("event", DAY_MS - 1, pace, spending("9.995"))).toBe(false);
  });

  test("a day of clock questions as dear as can be ends inside the share and runs dry at no hour", () => {
    let used = dec(0);
    const lastAsked: number[] = [];
    for (let at = 0; at < DAY_MS; at += MINUTE_MS) {
      if (!mayAsk("cadence", at, pace, spending(used.toFixed(), "0.05"))) continue;
      used = used.add("0.05");
      lastAsked.push(at);
    }
    expect(used.lte(8)).toBe(true);
    expect(used.gt("7.5")).toBe(true);
    const gaps = lastAsked.slice(1).map((at, index) => at - (lastAsked[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2 * HOUR_MS);
  });

  test("forecasts the end of the day from its pace", () => {
    expect(forecastUsd(pace, 6 * HOUR_MS, dec("0.2")).toFixed()).toBe("0.8");
    expect(forecastUsd(pace, MINUTE_MS, dec("0.2")).toFixed()).toBe("0.2");
    // The first question was asked an hour ago, and six hours are left.
    expect(forecastUsd(pace, 18 * HOUR_MS, dec("0.2"), 17 * HOUR_MS).toFixed()).toBe("1.4");
    expect(forecastUsd(pace, 18 * HOUR_MS, dec("0"), Infinity).toFixed()).toBe("0");
  });
});
