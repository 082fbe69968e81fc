import { describe, expect, test } from "vitest";
import { costOf, LONG_PROMPT_TOKENS, PRACTICE_PRICES, type PriceRow } from "../../../src/sim/model/price-table.ts";

const strong = PRACTICE_PRICES["ballast-sim-1"] as PriceRow;

describe("what a call costs", () => {
  test.each([
    [{ promptTokens: 1_000_000 / 2, cachedTokens: 0, completionTokens: 0 }, "0.155"],
    [{ promptTokens: 20_000, cachedTokens: 0, completionTokens: 1_000 }, "0.00744"],
    [{ promptTokens: 20_000, cachedTokens: 15_000, completionTokens: 1_000 }, "0.00369"],
    [{ promptTokens: LONG_PROMPT_TOKENS, cachedTokens: 0, completionTokens: 0 }, "0.15872"],
    [{ promptTokens: LONG_PROMPT_TOKENS + 1, cachedTokens: 0, completionTokens: 0 }, "0.31744062"],
    [{ promptTokens: 1, cachedTokens: 1, completionTokens: 1 }, "0.0000013"],
  ])("%o costs %s USD", (usage, usd) => {
    expect(costOf(strong, usage).toFixed()).toBe(usd);
  });
});
