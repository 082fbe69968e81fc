/** Cost of tokens: the worst case before a call and the bill after it. */
import { type Decimal, dec, maxDecimal, ZERO } from "../core/decimal.ts";
import type { ModelPrice, TokenRates } from "./settings.ts";

/** Tokens as the service states them; for a question and its repair together. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Included in the prompt tokens. */
  readonly cachedTokens: number;
}

const MILLION = dec(1_000_000);

const cost = (rates: TokenRates, usage: Usage): Decimal => {
  const cachedTokens = Math.min(usage.cachedTokens, usage.promptTokens);
  return rates.inputPerMillionUsd
    .mul(usage.promptTokens - cachedTokens)
    .add(rates.cachedPerMillionUsd.mul(cachedTokens))
    .add(rates.outputPerMillionUsd.mul(usage.completionTokens))
    .div(MILLION);
};

/** Price rows that may apply to a prompt of at most this many tokens; a long prompt may be billed by either row. */
const applicable = ({ longContext, ...price }: ModelPrice, promptTokens: number): readonly TokenRates[] =>
  longContext && promptTokens > longContext.aboveTokens ? [price, longContext] : [price];

/** The most that a call can cost: no prefix cache (unless that is dearer) and the whole output cap. */
export function boundUsd(price: ModelPrice, promptTokens: number, outputTokens: number): Decimal {
  const bounds = applicable(price, promptTokens).flatMap((rates) =>
    [0, promptTokens].map((cachedTokens) =>
      cost(rates, { promptTokens, completionTokens: outputTokens, cachedTokens }),
    ),
  );
  return maxDecimal(ZERO, ...bounds);
}

/** The bill by the price table; by the dearer row if two apply. */
export const usageCostUsd = (price: ModelPrice, usage: Usage): Decimal =>
  maxDecimal(ZERO, ...applicable(price, usage.promptTokens).map((rates) => cost(rates, usage)));
