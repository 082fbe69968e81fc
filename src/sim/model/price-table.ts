/** The prices of the practice gateway, in USD per million tokens; money is exact. Spec: records §14.1. */
import { type Decimal, dec, ZERO } from "../../core/decimal.ts";

/** USD per million tokens. Output is the most expensive, cached input the cheapest. */
export interface ModelPrice {
  readonly inputUsdPerMillion: Decimal;
  readonly outputUsdPerMillion: Decimal;
  /** For prompt tokens read from the prefix cache. */
  readonly cachedUsdPerMillion: Decimal;
}

/** Above this many prompt tokens, every part of the call costs the long price. */
export const LONG_PROMPT_TOKENS = 512_000;

/** Both prices of one model; the length of the prompt decides which applies. */
export interface PriceRow {
  readonly usual: ModelPrice;
  /** For prompts above `LONG_PROMPT_TOKENS`. */
  readonly long: ModelPrice;
}
/** By model name. Requests for other models are refused. */
export type PriceTable = Readonly<Record<string, PriceRow>>;

const price = (input: string, output: string, cached: string): ModelPrice => ({
  inputUsdPerMillion: dec(input),
  outputUsdPerMillion: dec(output),
  cachedUsdPerMillion: dec(cached),
});

/** Name of the more expensive model in requests. Both answer by the same rules. */
export const STRONG_MODEL = "ballast-sim-1";
/** Name of the cheaper one. */
export const SMALL_MODEL = "ballast-sim-mini";

/** The strong model at the competition's prices, the small one at about a sixth of them. */
export const PRACTICE_PRICES: PriceTable = {
  [STRONG_MODEL]: { usual: price("0.31", "1.24", "0.06"), long: price("0.62", "2.47", "0.12") },
  [SMALL_MODEL]: { usual: price("0.05", "0.20", "0.01"), long: price("0.10", "0.40", "0.02") },
};

/** Tokens of one call, by the estimate of `prefix-cache.ts`. */
export interface Usage {
  /** All prompt tokens, the cached ones included. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** Exact cost of a call in USD. */
export function costOf(row: PriceRow, usage: Usage): Decimal {
  const at = usage.promptTokens > LONG_PROMPT_TOKENS ? row.long : row.usual;
  const fresh = usage.promptTokens - usage.cachedTokens;
  return ZERO.add(at.inputUsdPerMillion.mul(fresh))
    .add(at.cachedUsdPerMillion.mul(usage.cachedTokens))
    .add(at.outputUsdPerMillion.mul(usage.completionTokens))
    .div(1_000_000);
}
