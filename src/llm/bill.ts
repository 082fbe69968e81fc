/** What one exchange is booked at: the stated bill where it can be true, nothing where nothing was billed, else unknown. */
import { type Decimal, toWire, ZERO } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import type { ChatOutcome } from "./chat.ts";
import { understates } from "./plausible.ts";
import type { ModelPrice } from "./port.ts";
import { usageCostUsd } from "./pricing.ts";
import { tokenCount } from "./tokens.ts";

/** One exchange with the texts that were sent in it, from which our own count of tokens is made. */
export interface Billed {
  readonly outcome: ChatOutcome;
  readonly text: { readonly system: string; readonly user: string };
  readonly price: ModelPrice;
  readonly decisionId: string;
}

/** Null where only the bound is known: nothing was stated, or far less than what we count ourselves. */
export async function believedBill(log: Log, { outcome, text, price, decisionId }: Billed): Promise<Decimal | null> {
  const stated = statedBill(outcome, price);
  if (stated === null || outcome.kind !== "answered") return stated;
  const stableTokens = await tokenCount(text.system);
  const own = {
    promptTokens: stableTokens + (await tokenCount(text.user)),
    stableTokens,
    replyTokens: await tokenCount(outcome.text),
  };
  if (!understates(price, stated, own, outcome.usage?.cachedTokens ?? null)) return stated;
  const fields = { decision: decisionId, model: price.name, statedUsd: toWire(stated), ...own };
  log.event(
    "warn",
    "budget.spent",
    `A stated bill of ${toWire(stated)} USD of ${price.name} is too low to be true for ${own.promptTokens} tokens in (${stableTokens} stable) and ${own.replyTokens} out; its bound is booked.`,
    fields,
  );
  return null;
}

/** A stated bill of zero beside used tokens means that the gateway does not know its own price: the table decides. */
function statedBill(outcome: ChatOutcome, price: ModelPrice): Decimal | null {
  if (outcome.kind === "refused" || outcome.kind === "not-sent") return ZERO;
  if (outcome.costUsd?.gt(0)) return outcome.costUsd;
  return outcome.kind === "answered" && outcome.usage ? usageCostUsd(price, outcome.usage) : null;
}
