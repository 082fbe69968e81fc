import { describe, expect, test } from "vitest";
import { readRefusal, readRetryAfter } from "../../../src/llm/dialects/refusal.ts";

describe("a refusal", () => {
  const answer = (status: number, type: string, message: string): Parameters<typeof readRefusal>[0] => ({
    status,
    headers: {},
    body: { type },
    message,
  });
  test.each([
    [400, "budget_exceeded", "x", "budget"],
    [429, "budget_exceeded", "x", "budget"],
    [400, "auth_error", "Budget has been exceeded!", "budget"],
    [429, "rate_limit_error", "slow", "rate-limit"],
    [401, "auth_error", "Expired Key", "key"],
    [403, "key_model_access_denied", "x", "key"],
    [400, "invalid_request_error", "response_format json_schema unsupported", "format"],
    [400, "invalid_request_error", "context too long", "request"],
    [302, "", "moved", "redirect"],
    [402, "", "Payment Required", "budget"],
    [429, "insufficient_quota", "You exceeded your current quota", "budget"],
    [404, "", "404 page not found", "path"],
    [404, "", "The model `model-1` does not exist or you do not have access to it.", "model"],
    [404, "", 'model "model-1" not found, try pulling it first', "model"],
    [400, "invalid_request_error", "Invalid model name passed in model=model-1", "model"],
    [401, "auth_error", "key not allowed to access model. This key can only access models=['a']", "model"],
    [400, "", "This model does not support response_format json_schema", "format"],
    [400, "", "'temperature' is not supported with this model", "format"],
    [400, "", "Bad Request", "request"],
    [408, "", "upstream time-out", null],
    [500, "", "budget of retries is spent", null],
    [503, "", "x", null],
  ])("status %i, type %j, %j is %j", (status, type, message, why) => {
    expect(readRefusal(answer(status, type, message), 0).why).toBe(why);
  });

  test("may say when to come back, in seconds or as a date", () => {
    const now = Date.parse("2026-01-02T10:00:00Z");
    expect(readRetryAfter("7", now)).toBe(7_000);
    expect(readRetryAfter("Fri, 02 Jan 2026 10:00:30 GMT", now)).toBe(30_000);
    expect(readRetryAfter("Fri, 02 Jan 2026 09:00:00 GMT", now)).toBe(0);
    for (const none of [undefined, "", "soon"]) expect(readRetryAfter(none, now)).toBeNull();
  });
});
