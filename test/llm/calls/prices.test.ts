import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dec } from "../../../src/core/decimal.ts";
import type { ModelPrice } from "../../../src/llm/contract/settings.ts";
import { boundUsd, usageCostUsd } from "../../../src/llm/calls/invoice.ts";

const price: ModelPrice = {
  name: "m",
  speech: "chat",
  inputPerMillionUsd: dec("0.31"),
  outputPerMillionUsd: dec("1.24"),
  cachedPerMillionUsd: dec("0.06"),
  longContext: {
    aboveTokens: 512_000,
    inputPerMillionUsd: dec("0.62"),
    outputPerMillionUsd: dec("2.47"),
    cachedPerMillionUsd: dec("0.12"),
  },
};

describe("prices", () => {
  test("the bound is never below the bill of the same or fewer tokens", () =>
    fc.assert(
      fc.property(
        fc.nat(800_000),
        fc.nat(20_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(800_000),
        (prompt, output, share, cached) => {
          const usage = {
            promptTokens: Math.floor(prompt * share),
            completionTokens: Math.floor(output * share),
            cachedTokens: cached,
          };
          expect(boundUsd(price, prompt, output).gte(usageCostUsd(price, usage))).toBe(true);
        },
      ),
    ));

  test("long prompts are bounded by the dearer row", () => {
    expect(boundUsd(price, 512_000, 0).toFixed()).toBe("0.15872");
    expect(boundUsd(price, 512_001, 0).toFixed()).toBe("0.31744062");
  });
});
