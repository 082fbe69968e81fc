/** What tokens cost: the worst case before a call and the bill after it. Knows no budget. */
import { type Decimal, dec, maxDecimal, ZERO } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { ModelPrice, TokenRates } from "./port.ts";

/** Tokens as the service states them; of a question and its repair together where there was one. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Part of the prompt tokens. */
  readonly cachedTokens: number;
}

interface KnownRates {
  readonly input: Decimal;
  readonly output: Decimal;
  readonly cached: Decimal;
}

const MILLION = dec(1_000_000);

function known(rates: TokenRates): KnownRates | null {
  const { inputPerMillionUsd: input, outputPerMillionUsd: output, cachedPerMillionUsd: cached } = rates;
  if (!input || !output || !cached) return null;
  const usable = [input, output, cached].every((rate) => rate.isFinite() && rate.gte(0));
  return usable && input.gt(0) && output.gt(0) ? { input, output, cached } : null;
}

/** A price table row that can be used for a bound, or why it cannot. */
export function checkPrice(price: ModelPrice): Result<void, string> {
  if (!known(price)) return err(`model ${price.name}: its price is unknown, zero or not a number`);
  if (price.longContext && !known(price.longContext))
    return err(`model ${price.name}: its long-context price is unknown`);
  return ok(undefined);
}

const cost = (rates: KnownRates, usage: Usage): Decimal => {
  const cachedTokens = Math.min(usage.cachedTokens, usage.promptTokens);
  return rates.input
    .mul(usage.promptTokens - cachedTokens)
    .add(rates.cached.mul(cachedTokens))
    .add(rates.output.mul(usage.completionTokens))
    .div(MILLION);
};

/** Rows that apply to a prompt of at most this many tokens; a long prompt may be billed by either row. */
const applicable = (price: ModelPrice, promptTokens: number): readonly KnownRates[] => {
  const long = price.longContext && promptTokens > price.longContext.aboveTokens ? known(price.longContext) : null;
  return [known(price), long].filter((rates) => rates !== null);
};

/** The most that a call can cost: no prefix cache (unless that is dearer) and the whole output cap used. */
export function boundUsd(price: ModelPrice, promptTokens: number, outputTokens: number): Decimal {
  const bounds = applicable(price, promptTokens).flatMap((rates) =>
    [0, promptTokens].map((cachedTokens) =>
      cost(rates, { promptTokens, completionTokens: outputTokens, cachedTokens }),
    ),
  );
  return maxDecimal(ZERO, ...bounds);
}

/** The bill by the price table; by the dearer row where two apply. */
export const usageCostUsd = (price: ModelPrice, usage: Usage): Decimal =>
  maxDecimal(ZERO, ...applicable(price, usage.promptTokens).map((rates) => cost(rates, usage)));
