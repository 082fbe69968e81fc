/** Which earlier answer an equal question may share, and what an answer is to one who did not pay for it. */
import { ZERO } from "../core/decimal.ts";
import type { ModelOutcome } from "../core/model-outcome.ts";
import type { Breaker } from "./breaker.ts";
import type { AnswerCache } from "./cache.ts";
import type { LineRecord } from "./line-record.ts";
import type { AskedText, AskRequest } from "./port.ts";
import type { ModelPrice } from "./settings.ts";
import type { Question } from "./question.ts";
import { byTier } from "./tier.ts";

/** A configured model with its own rest after failures and its own record of them. */
export interface ModelLine {
  readonly price: ModelPrice;
  readonly breaker: Breaker;
  readonly record: LineRecord;
}

/** Where an earlier answer is looked for; `lines` in the order of the settings. */
export interface Shelf {
  readonly lines: readonly ModelLine[];
  readonly cache: AnswerCache<ModelOutcome>;
}

type Tier = AskRequest["tier"];

/** What is recorded of a question: its whole text, and the two words that were new in it. */
export const askedText = ({ head, promptHash, system, user, words }: Question): AskedText => ({
  prompt: head.name,
  version: head.version,
  promptHash,
  system,
  user,
  ...words,
});

/** Questions of different tiers begin with different models, so they are not one flight. */
export const flightKey = (tier: Tier, { key }: Question): string => `${tier ?? "strong"}|${key}`;

/** An answer is kept under the model that gave it, whichever would be asked first. */
export const cacheKey = (price: ModelPrice, { key }: Question): string => `${price.name}|${key}`;

/** A cached answer of the model that would be asked now, or of one that comes before it. */
export function fromCache({ lines, cache }: Shelf, tier: Tier, question: Question): ModelOutcome | null {
  for (const { price, breaker } of byTier(lines, tier)) {
    const known = cache.get(cacheKey(price, question));
    if (known) return asShared(known);
    if (breaker.state().state === "ready") return null;
  }
  return null;
}

/** Free, and with what it would have cost. */
export function asShared(outcome: ModelOutcome): ModelOutcome {
  if (outcome.kind === "answered") return { ...outcome, cached: true, costUsd: ZERO, savedUsd: outcome.costUsd };
  return { ...outcome, costUsd: ZERO };
}
