/** What a day's budget buys at the configured prices, judged by the questions that were asked. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { DAY_MS } from "../../core/time.ts";
import type { PricedQuestion } from "../models/questions.ts";
import type { ModelConfig, PricedModel } from "../models/config.ts";

/** If a call costs nothing, `callsPerDay` and `everyMs` are 0. */
export interface Buys {
  readonly model: string;
  /** USD per million tokens: input, output, cached input. */
  readonly prices: readonly [Decimal, Decimal, Decimal];
  /** Tokens of an average question of the day, whichever model answered it. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly usdPerCall: Decimal;
  readonly usdPerCallUncached: Decimal;
  /** Calls that the day's limit pays for, and the time between them if they are spread evenly. */
  readonly callsPerDay: number;
  readonly everyMs: number;
}

/** One line for each configured model. Empty if nothing was asked. */
export function whatItBuys({ models, limitUsd }: ModelConfig, questions: readonly PricedQuestion[]): readonly Buys[] {
  const paid = questions.filter(
    (question) => question.kind === "answered" && !question.cached && question.promptTokens > 0,
  );
  if (paid.length === 0) return [];
  const mean = (of: (question: PricedQuestion) => number): number =>
    Math.round(paid.reduce((sum, question) => sum + of(question), 0) / paid.length);
  const tokens = {
    promptTokens: mean((question) => question.promptTokens),
    cachedTokens: mean((question) => question.cachedTokens),
    completionTokens: mean((question) => question.completionTokens),
  };
  return models.map((model) => buysOf(model, tokens, limitUsd));
}

type Tokens = Pick<Buys, "promptTokens" | "cachedTokens" | "completionTokens">;

function buysOf(model: PricedModel, tokens: Tokens, limitUsd: Decimal): Buys {
  const cost = (cachedTokens: number): Decimal =>
    ZERO.add(model.input.mul(tokens.promptTokens - cachedTokens))
      .add(model.cached.mul(cachedTokens))
      .add(model.output.mul(tokens.completionTokens))
      .div(1_000_000);
  const usdPerCall = cost(tokens.cachedTokens);
  const callsPerDay = usdPerCall.gt(0) ? limitUsd.div(usdPerCall).floor().toNumber() : 0;
  return {
    model: model.name,
    prices: [model.input, model.output, model.cached],
    ...tokens,
    usdPerCall,
    usdPerCallUncached: cost(0),
    callsPerDay,
    everyMs: callsPerDay > 0 ? DAY_MS / callsPerDay : 0,
  };
}
