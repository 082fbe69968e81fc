/** A question as it would be sent: rendered with its real variables, with its tokens and price. */
import type { Config } from "../config/config.ts";
import { toWire } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import { DAY_MS } from "../core/time.ts";
import { countTokens } from "../core/tokens.ts";
import { usageCostUsd } from "../llm/calls/invoice.ts";
import { loadPrompts } from "../llm/prompts/prompts.ts";
import { renderQuestion } from "../llm/calls/question.ts";
import type { ModelQuestion } from "../strategy/strategy.ts";

import { OWN_PROMPTS_DIR, PROMPTS_DIR } from "../ops/paths.ts";

/** The cost of one question that uses its whole output cap, at the configured prices, without a prefix cache. */
export interface PromptFacts {
  readonly prompt: string;
  readonly promptTokens: number;
  readonly tokenBudget: number;
  readonly maxOutputTokens: number;
  readonly costs: readonly { readonly model: string; readonly questionUsd: string; readonly dayUsd: string }[];
  readonly dayLimitUsd: string;
  readonly system: string;
  readonly user: string;
}

/** Placeholders for words that differ in every question. */
const WORDS = { fence: "fence-0123456789abcdef", echo: "echo-0123456789abcdef" };

/** The error names the prompt and the variable or the line of the head, or what the reply schema cannot express. */
export function promptFacts(question: ModelQuestion, config: Config): Result<PromptFacts, string> {
  const prompts = loadPrompts(PROMPTS_DIR, OWN_PROMPTS_DIR);
  if (!prompts.ok) return prompts;
  const rendered = renderQuestion(prompts.value, WORDS, question);
  if (!rendered.ok) return rendered;
  const { system, user, head } = rendered.value;
  const promptTokens = countTokens(system) + countTokens(user);
  if (promptTokens > head.tokenBudget)
    return err(`prompt ${head.name} has ${promptTokens} tokens, its head allows ${head.tokenBudget} (tokenBudget)`);
  const aDay = DAY_MS / config.cadence.every;
  const usage = { promptTokens, completionTokens: question.maxOutputTokens, cachedTokens: 0 };
  return ok({
    prompt: head.name,
    ...{ promptTokens, tokenBudget: head.tokenBudget, maxOutputTokens: question.maxOutputTokens },
    costs: config.model.names.map((price) => {
      const cost = usageCostUsd(price, usage);
      return { model: price.name, questionUsd: toWire(cost.toDecimalPlaces(6)), dayUsd: cost.mul(aDay).toFixed(2) };
    }),
    ...{ dayLimitUsd: toWire(config.model.dayLimitUsd), system, user },
  });
}
