import { describe, expect, test } from "vitest";
import { headerCostUsd, readCompletion } from "../../../src/llm/dialects/completion.ts";

describe("a completion", () => {
  test("is read from text, parts, a refusal or a tool call", () => {
    const of = (message: unknown): string | null => readCompletion({ choices: [{ message }] }).text;
    expect(of({ content: "a" })).toBe("a");
    expect(of({ content: [{ type: "text", text: "a" }, { text: "b" }] })).toBe("ab");
    expect(of({ content: null, refusal: "no" })).toBe("no");
    expect(of({ content: null, tool_calls: [{ function: { name: "f", arguments: "{}" } }] })).toBe("{}");
    for (const bad of [null, "text", {}, { choices: [] }, { choices: [{}] }])
      expect(readCompletion(bad).text).toBeNull();
  });

  test("has usage only when it can be true", () => {
    const of = (usage: unknown): unknown => readCompletion({ choices: [], usage }).usage;
    expect(of({ prompt_tokens: 5, completion_tokens: 1 })).toEqual({
      promptTokens: 5,
      completionTokens: 1,
      cachedTokens: 0,
    });
    expect(of({ prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } })).toMatchObject({
      cachedTokens: 5,
    });
    for (const bad of [
      undefined,
      {},
      { prompt_tokens: -1, completion_tokens: 1 },
      { prompt_tokens: 1.5, completion_tokens: 1 },
    ])
      expect(of(bad)).toBeNull();
  });

  test("has its cost in a header whatever the product is called", () => {
    for (const name of ["x-proxy-response-cost", "X-Some-Thing-Response-Cost", "x-response-cost"]) {
      expect(headerCostUsd({ [name]: "0.5" })?.toFixed()).toBe("0.5");
    }
    expect(headerCostUsd({ "x-proxy-key-spend": "1" })).toBeNull();
    expect(headerCostUsd({ "x-proxy-response-cost": "None" })).toBeNull();
  });
});
