/** One request to a model and what it cost: the reservation that it spends was made by `callModel`. */
import type { Decimal } from "../../core/decimal.ts";
import type { Log } from "../../core/log.ts";
import type { NetEnv } from "../../net/network.ts";
import type { ChatClient, ChatOutcome } from "../dialects/chat.ts";
import { assumedInvoice, boundUsd, type Invoice } from "./invoice.ts";
import type { BudgetLedger } from "../budget/ledger.ts";
import type { AskRequest } from "../contract/port.ts";
import type { PromptLibrary } from "../prompts/prompts.ts";
import type { Question } from "./question.ts";
import type { ModelPrice, ModelSettings } from "../contract/settings.ts";
import { tokenBound } from "../prompts/tokens.ts";

/** Shared dependencies of every call. */
export interface CallDeps {
  readonly env: NetEnv;
  readonly log: Log;
  readonly chat: ChatClient;
  readonly ledger: BudgetLedger;
  readonly prompts: PromptLibrary;
  readonly settings: Pick<ModelSettings, "aiUrl" | "timeout">;
}

/** One question for one model; `signal` aborts it at once. */
export interface CallRequest {
  readonly request: AskRequest;
  readonly question: Question;
  readonly price: ModelPrice;
  readonly signal: AbortSignal;
  /** Real milliseconds left for the whole exchange. */
  readonly leftMs: () => number;
}

/** The result of an exchange and its invoice; null if only the bound is known. */
export interface ChatExchange {
  readonly outcome: ChatOutcome;
  readonly invoice: Invoice | null;
}

/** What is sent as the output cap: the answer's own, and what the model may think before it. */
export const outputCap = ({ request, price }: Pick<CallRequest, "request" | "price">): number =>
  request.maxOutputTokens + (price.reasoningTokens ?? 0);

/** The most that one exchange may cost, with the margin that earlier bills of the model prove to be needed. */
export const mostUsd = ({ ledger }: Pick<CallDeps, "ledger">, call: CallRequest, promptTokens: number): Decimal =>
  boundUsd(call.price, promptTokens, outputCap(call)).mul(ledger.marginFor(call.price.name));

/** What is sent, and the words that its answer must show. */
export type Text = Pick<Question, "system" | "user" | "schema" | "words">;

/** Sends once. The answer and its cost are values in every case. */
export async function exchange(
  deps: CallDeps,
  call: CallRequest,
  { text, requestId }: { readonly text: Text; readonly requestId: string },
): Promise<ChatExchange> {
  const { request, price, signal } = call;
  const outcome = await deps.chat.complete({
    model: price.name,
    prompt: request.prompt,
    purpose: request.purpose,
    words: text.words,
    system: text.system,
    user: text.user,
    schema: text.schema,
    schemaName: request.replySchemaName,
    maxOutputTokens: outputCap(call),
    requestId,
    signal,
    timeoutMs: call.leftMs(),
    speech: price.speech,
    ...(price.temperature === undefined ? {} : { temperature: price.temperature }),
    ...(price.reasoningEffort === undefined ? {} : { reasoningEffort: price.reasoningEffort }),
    ...(price.replyFormat === undefined ? {} : { replyFormat: price.replyFormat }),
  });
  const { decisionId } = request;
  const maxOutputTokens = outputCap(call);
  return { outcome, invoice: await assumedInvoice(deps.log, { outcome, text, price, decisionId, maxOutputTokens }) };
}

export const promptTokens = async (text: Text): Promise<number> =>
  (await tokenBound(text.system)) + (await tokenBound(text.user));
