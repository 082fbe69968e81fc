/** What a day's budget buys at the configured prices, judged by the questions that were asked. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Asking } from "../models/askings.ts";
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
export function whatItBuys({ models, limitUsd }: ModelConfig, askings: readonly Asking[]): readonly Buys[] {
  const paid = askings.filter((asking) => asking.kind === "answered" && !asking.cached && asking.promptTokens > 0);
  if (paid.length === 0) return [];
  const mean = (of: (asking: Asking) => number): number =>
    Math.round(paid.reduce((sum, asking) => sum + of(asking), 0) / paid.length);
  const tokens = {
    promptTokens: mean((asking) => asking.promptTokens),
    cachedTokens: mean((asking) => asking.cachedTokens),
    completionTokens: mean((asking) => asking.completionTokens),
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
