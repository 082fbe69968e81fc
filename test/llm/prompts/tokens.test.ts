import { describe, expect, test } from "vitest";
import { tokenBound, tokenCeiling } from "../../../src/llm/prompts/tokens.ts";

describe("token bounds", () => {
  test("stand above the count and never above the bytes", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    for (const text of [
      "",
      "Plain words about markets.",
      "1 | 64250.5 | -0.31\n".repeat(200),
      "价格上涨 ".repeat(100),
      "<|endoftext|>",
    ]) {
      const bound = await tokenBound(text);
      expect(bound).toBeGreaterThan(countTokens(text, { disallowedSpecial: new Set() }));
      expect(bound).toBeLessThanOrEqual(tokenCeiling(text));
    }
  });

  test("count every digit as a token of its own at least", async () => {
    expect(await tokenBound("0123456789".repeat(30))).toBeGreaterThanOrEqual(300);
  });

  test("do not count endless runs, which would take the tokenizer seconds", async () => {
    const run = "x".repeat(500_000);
    expect(await tokenBound(run)).toBe(tokenCeiling(run));
  }, 2_000);
});
