/**
 * Spends one reservation on one model: the question and, if the answer is unreadable, one repair. The reservation
 * always ends in a ledger entry: the actual cost, or the bound if the cost is unknown. Faults L1, L4, L9.
 */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { Result } from "../../core/result.ts";
import type { Invoice } from "./invoice.ts";
import type { Reservation } from "../budget/entries.ts";
import type { ChatOutcome, Usage } from "../dialects/chat.ts";
import type { AskRequest, ModelTrouble } from "../contract/port.ts";
import { readReply } from "../replies/reply.ts";
import { thrownTrouble, troubleOf, unusableTrouble } from "./trouble.ts";
import { type CallDeps, type CallRequest, exchange, mostUsd, promptTokens, type Text } from "./exchange.ts";
import { PROBLEM_CHARS_MAX, renderRepair, repair } from "./repair.ts";

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

/** The question and its repair, each with the whole output cap. */
async function worstCaseUsd(deps: CallDeps, call: CallRequest): Promise<Decimal> {
  const { request, question } = call;
  const repair = renderRepair(deps, question, { answer: "", problem: "x".repeat(PROBLEM_CHARS_MAX) });
  const first = mostUsd(deps, call, question.promptTokens);
  if (!repair.ok) return first;
  const repairTokens = (await promptTokens(repair.value)) + Math.ceil(request.maxOutputTokens * 1.5);
  return first.add(mostUsd(deps, call, repairTokens));
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
  } catch (error) {
    // What was reserved may have been spent: without an entry so far, the bound stays.
    const costUsd = settled ?? deps.ledger.settle(reservation, null);
    const trouble = thrownTrouble(error);
    return { kind: "failed", reason: trouble.sentence, costUsd, retryAfterMs: null, budgetSpent: false, trouble };
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
