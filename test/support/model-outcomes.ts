/** What a model may have answered, for tests that are about something else. */
import { dec } from "../../src/core/decimal.ts";
import type { ModelAnswer, ModelFailure } from "../../src/core/model-outcome.ts";

export const modelAnswer = (value: unknown = {}, costUsd = "0.01"): ModelAnswer => ({
  kind: "answered",
  value,
  model: "m",
  cached: false,
  promptTokens: 1_000,
  completionTokens: 100,
  cachedTokens: 0,
  costUsd: dec(costUsd),
  savedUsd: dec(0),
  latencyMs: 1_500,
  replyText: JSON.stringify(value),
  promptHash: "prompt",
  attempt: "ask-1",
  key: "key",
});

export const modelFailure = (reason: string): ModelFailure => ({ kind: "failed", reason, costUsd: dec(0) });
