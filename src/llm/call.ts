/**
 * Spends one reservation on one model: the question and, if the answer is unreadable, one repair. The reservation
 * always ends in a ledger entry: the actual cost, or the bound if the cost is unknown. Faults L1, L4, L9.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import { ok, type Result } from "../core/result.ts";
import type { NetEnv } from "../net/network.ts";
import type { Invoice } from "./invoice.ts";
import type { Ledger } from "./ledger.ts";
import type { Reservation } from "./ledger-entries.ts";
import { assumedInvoice } from "./invoice.ts";
import type { ChatClient, ChatOutcome } from "./chat.ts";
import type { AskRequest, ModelTrouble } from "./port.ts";
import type { ModelPrice, ModelSettings } from "./settings.ts";
import { boundUsd } from "./invoice.ts";
import { type Usage } from "./chat.ts";
import type { PromptLibrary } from "./prompts.ts";
import { newWords, type Question, withSchema } from "./question.ts";
import { readReply } from "./reply.ts";
import { tokenBound } from "./tokens.ts";
import { troubleOf, unusableTrouble } from "./trouble.ts";

/** Shared dependencies of every call. */
export interface CallDeps {
  readonly env: NetEnv;
  readonly log: Log;
  readonly chat: ChatClient;
  readonly ledger: Ledger;
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

/** The result for one model; `costUsd` is the booked amount, a repair included. */
export type CallOutcome =
  | {
      readonly kind: "answered";
      readonly value: unknown;
      readonly replyText: string;
      readonly usage: Usage;
      readonly costUsd: Decimal;
      readonly attempt: string;
    }
  | {
      readonly kind: "unreadable";
      readonly reason: string;
      readonly replyText: string;
      readonly costUsd: Decimal;
      readonly trouble: ModelTrouble;
    }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly costUsd: Decimal;
      readonly retryAfterMs: number | null;
      /** True if the gateway reports that its budget is spent. */
      readonly budgetSpent: boolean;
      /** Null if the model was not asked because our own row could not be written. */
      readonly trouble: ModelTrouble | null;
    }
  | { readonly kind: "over-budget"; readonly reason: string };

/** Length of the broken answer that a repair request quotes. */
const REPAIR_CHARS_MAX = 12_000;
const PROBLEM_CHARS_MAX = 400;

/** The result of an exchange and its invoice; null if only the bound is known. */
interface Exchange {
  readonly outcome: ChatOutcome;
  readonly invoice: Invoice | null;
}

/** Sends nothing before the worst case, a repair included, is reserved. A refusal by the ledger is a value too. */
export async function callModel(deps: CallDeps, call: CallRequest): Promise<CallOutcome> {
  const worstUsd = await worstCaseUsd(deps, call);
  const { request, price } = call;
  const { decisionId, purpose } = request;
  const reserved = deps.ledger.reserve({ decisionId, purpose, model: price.name, boundUsd: worstUsd });
  if (!reserved.ok) {
    const { kind, reason } = reserved.error;
    if (kind === "over-budget") return { kind, reason };
    return { kind: "failed", reason, costUsd: ZERO, retryAfterMs: null, budgetSpent: false, trouble: null };
  }
  return spend(deps, call, reserved.value);
}

/** What is sent as the output cap: the answer's own, and what the model may think before it. */
const outputCap = ({ request, price }: Pick<CallRequest, "request" | "price">): number =>
  request.maxOutputTokens + (price.reasoningTokens ?? 0);

/** The question and its repair, each with the whole output cap, times the margin learned from earlier costs. */
async function worstCaseUsd(deps: CallDeps, call: CallRequest): Promise<Decimal> {
  const { request, question, price } = call;
  const repair = renderRepair(deps, question, { answer: "", problem: "x".repeat(PROBLEM_CHARS_MAX) });
  const repairTokens = repair.ok ? (await promptTokens(repair.value)) + Math.ceil(request.maxOutputTokens * 1.5) : 0;
  const first = boundUsd(price, question.promptTokens, outputCap(call));
  const second = repair.ok ? boundUsd(price, repairTokens, outputCap(call)) : ZERO;
  return first.add(second).mul(deps.ledger.marginFor(price.name));
}

async function spend(deps: CallDeps, call: CallRequest, reservation: Reservation): Promise<CallOutcome> {
  const invoices: (Invoice | null)[] = [];
  let settled: Decimal | null = null;
  const settle = (): Decimal => {
    const total = totalOf(invoices);
    return (settled ??= deps.ledger.settle(reservation, total && total.usd, total?.known));
  };
  try {
    const first = await exchange(deps, call, { text: call.question, requestId: reservation.attemptId });
    invoices.push(first.invoice);
    if (first.outcome.kind !== "answered") return failure(deps, call, { outcome: first.outcome, costUsd: settle() });
    const read = readAnswer(first.outcome, call.question, call.request);
    if (read.ok) return answer({ first: first.outcome, reading: read.value, costUsd: settle() }, reservation);

    const repaired = await repair(deps, call, {
      answer: first.outcome.text,
      problem: read.error,
      requestId: `${reservation.attemptId}.repair`,
      leftUsd: first.invoice ? reservation.boundUsd.sub(first.invoice.usd) : ZERO,
    });
    if (repaired) invoices.push(repaired.exchange.invoice);
    const costUsd = settle();
    const last = repaired?.exchange.outcome;
    if (repaired && last?.kind === "answered") {
      const mended = readAnswer(last, repaired.question, call.request);
      if (mended.ok) return answer({ first: first.outcome, second: last, reading: mended.value, costUsd }, reservation);
      return unreadable(last, { problem: mended.error, costUsd, repaired: true });
    }
    return unreadable(first.outcome, { problem: read.error, costUsd, repaired: false });
  } finally {
    // Without an entry only if something threw: then the bound stays.
    if (settled === null) deps.ledger.settle(reservation, null);
  }
}

/** Sum of question and repair; estimated if one of them is. */
const totalOf = (invoices: readonly (Invoice | null)[]): Invoice | null =>
  invoices.reduce<Invoice | null>(
    (sum, invoice) => {
      if (!sum || !invoice) return null;
      const known = sum.known === "estimated" ? sum.known : invoice.known;
      return { usd: sum.usd.add(invoice.usd), known };
    },
    { usd: ZERO, known: "stated" },
  );

interface Unread {
  readonly problem: string;
  readonly costUsd: Decimal;
  readonly repaired: boolean;
}

const unreadable = (
  { text, finishReason, declined, usage }: Answered,
  { problem, costUsd, repaired }: Unread,
): CallOutcome => ({
  kind: "unreadable",
  reason: repaired ? `after one repair: ${problem}` : problem,
  replyText: text,
  costUsd,
  trouble: unusableTrouble({ text, finishReason, declined, problem, thoughtTokens: usage?.reasoningTokens ?? 0 }),
});

type Text = Pick<Question, "system" | "user" | "schema" | "words">;

async function exchange(
  deps: CallDeps,
  call: CallRequest,
  { text, requestId }: { readonly text: Text; readonly requestId: string },
): Promise<Exchange> {
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

type Answered = Extract<ChatOutcome, { kind: "answered" }>;

function readAnswer(answered: Answered, { words }: Text, request: AskRequest): Result<unknown, string> {
  const read = readReply(answered.text, { schema: request.replySchema, echo: words.echo, canary: words.fence });
  if (read.ok || answered.finishReason !== "length") return read;
  return { ok: false, error: `${read.error}; the answer reached its length limit, be briefer` };
}

interface Reading {
  readonly first: Answered;
  readonly second?: Answered;
  readonly reading: unknown;
  readonly costUsd: Decimal;
}

function answer({ first, second, reading, costUsd }: Reading, reservation: Reservation): CallOutcome {
  const usage = addUsage(first.usage, second?.usage ?? null);
  const replyText = (second ?? first).text;
  return { kind: "answered", value: reading, replyText, usage, costUsd, attempt: reservation.attemptId };
}

const addUsage = (a: Usage | null, b: Usage | null): Usage => ({
  promptTokens: (a?.promptTokens ?? 0) + (b?.promptTokens ?? 0),
  completionTokens: (a?.completionTokens ?? 0) + (b?.completionTokens ?? 0),
  cachedTokens: (a?.cachedTokens ?? 0) + (b?.cachedTokens ?? 0),
});

interface Failed {
  readonly outcome: Exclude<ChatOutcome, Answered>;
  readonly costUsd: Decimal;
}

function failure({ settings }: CallDeps, { price }: CallRequest, { outcome, costUsd }: Failed): CallOutcome {
  const { aiUrl, timeout: timeoutMs } = settings;
  const trouble = troubleOf(outcome, { model: price.name, address: aiUrl.replace(/\/+$/, ""), timeoutMs });
  const retryAfterMs = outcome.kind === "not-sent" ? null : outcome.retryAfterMs;
  const budgetSpent = outcome.kind === "refused" && outcome.why === "budget";
  return { kind: "failed", reason: trouble.sentence, costUsd, retryAfterMs, budgetSpent, trouble };
}

interface Broken {
  readonly answer: string;
  readonly problem: string;
  readonly requestId: string;
  /** Remainder of the reservation; the repair may not exceed it. */
  readonly leftUsd: Decimal;
}

/** Null if nothing can be repaired, or if money or time is used up. */
async function repair(
  deps: CallDeps,
  call: CallRequest,
  broken: Broken,
): Promise<{ readonly exchange: Exchange; readonly question: Text } | null> {
  if (broken.answer.trim() === "" || call.leftMs() <= 0) return null;
  const text = renderRepair(deps, call.question, broken);
  if (!text.ok) return null;
  const worst = boundUsd(call.price, await promptTokens(text.value), call.request.maxOutputTokens);
  if (worst.gt(broken.leftUsd)) return null;
  return {
    exchange: await exchange(deps, call, { text: text.value, requestId: broken.requestId }),
    question: text.value,
  };
}

function renderRepair(
  deps: CallDeps,
  question: Question,
  broken: Pick<Broken, "answer" | "problem">,
): Result<Text, string> {
  // The echo word stays; the fence is new, because the old one may appear in the answer.
  const words = { echo: question.words.echo, fence: newWords(deps.env.entropy).fence };
  const rendered = deps.prompts.render(
    "repair",
    { answer: broken.answer.slice(0, REPAIR_CHARS_MAX), problem: broken.problem.slice(0, PROBLEM_CHARS_MAX) },
    words,
  );
  if (!rendered.ok) return rendered;
  const system = withSchema(rendered.value.system, question.schema);
  return ok({ system, user: rendered.value.user, schema: question.schema, words });
}

const promptTokens = async (text: Text): Promise<number> =>
  (await tokenBound(text.system)) + (await tokenBound(text.user));
