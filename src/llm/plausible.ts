/**
 * Whether a stated bill is plausible. A service may omit tokens or state a wrong cost; the bill is compared with our
 * own count, and if it is far below, the bound is booked instead. Pure.
 */
import { type Decimal, dec } from "../core/decimal.ts";
import type { ModelPrice } from "./settings.ts";
import { usageCostUsd } from "./pricing.ts";

/** Our own count of an exchange, by one known tokenizer. */
export interface OwnCount {
  /** All messages together. */
  readonly promptTokens: number;
  /** The part that is equal in every question: all that a prefix cache can reasonably hold. */
  readonly stableTokens: number;
  readonly replyTokens: number;
}

/** Tokenizers differ by some tens of percent; a larger difference has another cause. */
const BELIEVABLE_SHARE = dec("0.6");
/** A prefix cache works in blocks, and a template may precede our text. */
const CACHE_SLACK_TOKENS = 256;

/** True if `statedUsd` is too little for the question and answer. `cachedTokens` null: none stated. */
export function understates(
  price: ModelPrice,
  statedUsd: Decimal,
  own: OwnCount,
  cachedTokens: number | null,
): boolean {
  const cacheable = Math.min(own.promptTokens, own.stableTokens + CACHE_SLACK_TOKENS);
  const least = usageCostUsd(price, {
    promptTokens: own.promptTokens,
    completionTokens: own.replyTokens,
    cachedTokens: Math.min(cachedTokens ?? cacheable, cacheable),
  });
  return statedUsd.lt(least.mul(BELIEVABLE_SHARE));
}
