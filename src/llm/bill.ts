/**
 * The amount to charge for one exchange: the stated bill if it is plausible, our own count if the service states
 * none, nothing if nothing was billed, otherwise unknown.
 */
import { toWire, ZERO } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import type { ChatOutcome } from "./chat.ts";
import { understates } from "./plausible.ts";
import type { ModelPrice } from "./settings.ts";
import { boundUsd, usageCostUsd } from "./pricing.ts";
import type { Invoice } from "./purse.ts";
import { tokenBound, tokenCount } from "./tokens.ts";

/** One exchange with the texts that were sent, from which we count tokens ourselves. */
export interface Billed {
  readonly outcome: ChatOutcome;
  readonly text: { readonly system: string; readonly user: string };
  readonly price: ModelPrice;
  readonly decisionId: string;
  readonly maxOutputTokens: number;
}

type Answered = Extract<ChatOutcome, { kind: "answered" }>;

/** Null if only the bound is known: the call may have been executed, or the stated bill is far below our own count. */
export async function assumedInvoice(log: Log, billed: Billed): Promise<Invoice | null> {
  const { outcome, text, price, decisionId } = billed;
  if (outcome.kind === "refused" || outcome.kind === "not-sent") return { usd: ZERO, known: "stated" };
  const stated = statedInvoice(outcome, price);
  if (outcome.kind !== "answered") return stated;
  if (stated === null) return ownInvoice(billed, outcome);
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
    `A stated bill of ${toWire(stated.usd)} USD of ${price.name} is implausibly low for ${own.promptTokens} tokens in (${stableTokens} stable) and ${own.replyTokens} out; its bound is booked.`,
    fields,
  );
  return null;
}

/**
 * A stated bill of zero beside used tokens means that the gateway does not know its own price; the price table
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
  { text, price, maxOutputTokens }: Billed,
  { text: reply, ...rest }: Answered,
): Promise<Invoice> {
  const promptTokens = (await tokenBound(text.system)) + (await tokenBound(text.user));
  const { reasoningEffort: effort = "none" } = price;
  const shown = (await tokenBound(reply)) + (rest.answeredIn === "thoughts" ? 0 : await tokenBound(rest.thoughts));
  const outputTokens = effort === "none" ? shown : Math.max(shown, maxOutputTokens);
  return { usd: boundUsd(price, promptTokens, outputTokens), known: "estimated" };
}
