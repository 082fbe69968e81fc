/**
 * What a call costs: before it the worst case; after it the invoice. The invoice is the stated cost if that is
 * plausible, our own count if none was stated, and nothing if nothing was billed. Otherwise the cost is unknown. Knows
 * no budget.
 */
import { type Decimal, dec, maxDecimal, toWire, ZERO } from "../../core/decimal.ts";
import type { Log } from "../../core/log.ts";
import type { ChatOutcome, Usage } from "../dialects/chat.ts";
import type { ModelPrice, TokenRates } from "../contract/settings.ts";
import { tokenBound, tokenCount } from "../prompts/tokens.ts";

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

/** The cost by the price table; by the dearer row if two apply. */
export const usageCostUsd = (price: ModelPrice, usage: Usage): Decimal =>
  maxDecimal(ZERO, ...applicable(price, usage.promptTokens).map((rates) => cost(rates, usage)));

/** The cost of a call: as the service stated it, or our own count if it stated nothing. */
export interface Invoice {
  readonly usd: Decimal;
  readonly known: "stated" | "estimated";
}

/** One exchange with the texts that were sent, from which we count tokens ourselves. */
export interface InvoicedCall {
  readonly outcome: ChatOutcome;
  readonly text: { readonly system: string; readonly user: string };
  readonly price: ModelPrice;
  readonly decisionId: string;
  readonly maxOutputTokens: number;
}

type Answered = Extract<ChatOutcome, { kind: "answered" }>;

/** Null if only the bound is known: the call may have been executed, or the stated cost is far below our own count. */
export async function assumedInvoice(log: Log, call: InvoicedCall): Promise<Invoice | null> {
  const { outcome, text, price, decisionId } = call;
  if (outcome.kind === "refused" || outcome.kind === "not-sent") return { usd: ZERO, known: "stated" };
  const stated = statedInvoice(outcome, price);
  if (outcome.kind !== "answered") return stated;
  if (stated === null) return ownInvoice(call, outcome);
  const stableTokens = await tokenCount(text.system);
  const own = {
    promptTokens: stableTokens + (await tokenCount(text.user)),
    stableTokens,
    replyTokens: await tokenCount(outcome.text),
  };
  if (!understates(price, stated.usd, own, outcome.usage?.cachedTokens ?? null)) return stated;
  const fields = { decision: decisionId, model: price.name, statedUsd: toWire(stated.usd), ...own };
  log.event(
    "warn",
    "budget.spent",
    `The stated cost of ${toWire(stated.usd)} USD of ${price.name} is implausibly low for ${own.promptTokens} tokens in (${stableTokens} stable) and ${own.replyTokens} out; its bound is booked.`,
    fields,
  );
  return null;
}

/**
 * A stated cost of zero beside used tokens means that the gateway does not know its own price; the price table
 * decides.
 */
function statedInvoice(
  outcome: Extract<ChatOutcome, { kind: "answered" | "unknown" }>,
  price: ModelPrice,
): Invoice | null {
  if (outcome.costUsd?.gt(0)) return { usd: outcome.costUsd, known: "stated" };
  return outcome.kind === "answered" && outcome.usage
    ? { usd: usageCostUsd(price, outcome.usage), known: "stated" }
    : null;
}

/**
 * A count on the safe side: with the margin of another tokenizer, without a prefix cache, and with the whole output
 * cap for a reasoning model, because its reasoning is billed and may be hidden.
 */
async function ownInvoice(
  { text, price, maxOutputTokens }: InvoicedCall,
  { text: reply, ...rest }: Answered,
): Promise<Invoice> {
  const promptTokens = (await tokenBound(text.system)) + (await tokenBound(text.user));
  const { reasoningEffort: effort = "none" } = price;
  const shown = (await tokenBound(reply)) + (rest.answeredIn === "thoughts" ? 0 : await tokenBound(rest.thoughts));
  const outputTokens = effort === "none" ? shown : Math.max(shown, maxOutputTokens);
  return { usd: boundUsd(price, promptTokens, outputTokens), known: "estimated" };
}

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
