/**
 * Whether a stated bill can be true. A service may leave tokens out of its usage or state a cost that is not its own; what
 * we can count ourselves is held against it, and a bill far below our count is not believed: then the bound is booked. Pure.
 */
import { type Decimal, dec } from "../core/decimal.ts";
import type { ModelPrice } from "./settings.ts";
import { usageCostUsd } from "./pricing.ts";

/** What we know ourselves of an exchange, by one known tokenizer. */
export interface OwnCount {
  /** Of all messages. */
  readonly promptTokens: number;
  /** Part of them that is the same in every question: all that a prefix cache can reasonably hold. */
  readonly stableTokens: number;
  readonly replyTokens: number;
}

/** Tokenizers differ by some tens of percent; more than that is no difference of tokenizers. */
const BELIEVABLE_SHARE = dec("0.6");
/** A prefix cache works in blocks, and a template may stand before our text. */
const CACHE_SLACK_TOKENS = 256;

/** True when `statedUsd` is too little for what was asked and answered. `cachedTokens` null: none were stated. */
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
