/** Which earlier answer an equal question may share, and the form of an answer that was not paid for. */
import { ZERO } from "../../core/decimal.ts";
import type { ModelOutcome } from "../../core/model-outcome.ts";
import type { Breaker } from "./breaker.ts";
import type { AnswerCache } from "./cache.ts";
import { byTier, type ModelHealth } from "../calls/model-health.ts";
import type { QuestionText, AskRequest } from "../contract/port.ts";
import type { ModelPrice } from "../contract/settings.ts";
import type { Question } from "../calls/question.ts";

/** A configured model with its breaker and its health. */
export interface ConfiguredModel {
  readonly price: ModelPrice;
  readonly breaker: Breaker;
  readonly health: ModelHealth;
}

/** Where to look up earlier answers; `models` in the order of the settings. */
export interface AnswerSources {
  readonly models: readonly ConfiguredModel[];
  readonly cache: AnswerCache<ModelOutcome>;
}

type Tier = AskRequest["tier"];

/** The record of a question: its whole text, and the two words that were new in it. */
export const questionText = ({ head, promptHash, system, user, words }: Question): QuestionText => ({
  prompt: head.name,
  version: head.version,
  promptHash,
  system,
  user,
  ...words,
});

/** Questions of different tiers start with different models, so they are not joined. */
export const flightKey = (tier: Tier, { key }: Question): string => `${tier ?? "strong"}|${key}`;

/** An answer is stored under the model that gave it, even if another would be asked first. */
export const cacheKey = (price: ModelPrice, { key }: Question): string => `${price.name}|${key}`;

/** A cached answer of the model that would be asked now, or of one before it. */
export function fromCache({ models, cache }: AnswerSources, tier: Tier, question: Question): ModelOutcome | null {
  for (const { price, breaker } of byTier(models, tier)) {
    const known = cache.get(cacheKey(price, question));
    if (known) return asShared(known);
    if (breaker.state().state === "ready") return null;
  }
  return null;
}

/** Free of charge, with the original cost as savings. */
export function asShared(outcome: ModelOutcome): ModelOutcome {
  if (outcome.kind === "answered") return { ...outcome, cached: true, costUsd: ZERO, savedUsd: outcome.costUsd };
  return { ...outcome, costUsd: ZERO };
}
