/**
 * A real gateway over history: paid within a budget. Every reply is stored, so that the same question is paid only
 * once.
 */
import { type Decimal, toWire, ZERO } from "../../core/decimal.ts";
import type { Secret } from "../../core/secret.ts";
import { isoTime } from "../../core/time.ts";
import type { Env } from "../../core/ids.ts";
import type { ChatClient, ChatOutcome, ModelRequest } from "../../llm/dialects/chat.ts";
import { createClients } from "../../llm/dialects/clients.ts";
import { boundUsd, usageCostUsd } from "../../llm/calls/invoice.ts";
import type { ModelPrice } from "../../llm/contract/settings.ts";
import { tokenBound } from "../../llm/prompts/tokens.ts";
import { troubleOf } from "../../llm/calls/trouble.ts";
import { allOf, type Answered, answeringBy, type LabAnswer, type LabModels } from "./lab-models.ts";
import type { ReplyStore } from "./reply-store.ts";

/** The budget that all runs of a command share, USD. */
export interface LabBudget {
  readonly limitUsd: Decimal;
  spentUsd: Decimal;
  /** Sum of the bounds of the questions in flight. */
  openUsd: Decimal;
}

export const labBudget = (limitUsd: Decimal): LabBudget => ({ limitUsd, spentUsd: ZERO, openUsd: ZERO });

export interface LiveOptions {
  /** the machine's own clock. */
  readonly env: Env;
  readonly aiUrl: string;
  readonly apiKey: Secret;
  /** With their prices; a question is asked only if its worst case is within the budget. */
  readonly models: readonly ModelPrice[];
  /** Real ms for one exchange. */
  readonly timeoutMs: number;
  readonly budget: LabBudget;
  readonly store: ReplyStore;
  /** Receives changes in how a model is asked. */
  readonly onStep: (model: string, what: string) => void;
}

/** Number of retries of a temporary trouble. The wait costs the run nothing, because virtual time stands still. */
const ATTEMPTS = 4;
const WAIT_MS = 5_000;

interface Live extends LiveOptions {
  readonly chat: ChatClient;
  stopped: string | null;
  asked: number;
  kept: number;
  paidUsd: Decimal;
}

/** The run stops at the first question without an answer, and the next run continues there. */
export function liveModels(options: LiveOptions): LabModels {
  const { env, aiUrl, apiKey, onStep } = options;
  const chat = createClients(env, aiUrl, apiKey, onStep);
  const live: Live = { ...options, chat, stopped: null, asked: 0, kept: 0, paidUsd: ZERO };
  const awaited = new Set<Promise<unknown>>();
  return {
    client: (clock) => answeringBy(clock, awaited, (request) => answer(live, request)),
    awaited: () => allOf(awaited),
    stopped: () => live.stopped,
    summary: () => ({ how: "live", asked: live.asked, kept: live.kept, spentUsd: toWire(live.paidUsd) }),
  };
}

async function answer(live: Live, request: ModelRequest): Promise<LabAnswer | null> {
  live.asked += 1;
  const known = live.store.find(request);
  if (known) {
    live.kept += 1;
    return known;
  }
  const price = live.models.find(({ name }) => name === request.model);
  if (live.stopped !== null || !price) return null;
  const promptTokens = (await tokenBound(request.system)) + (await tokenBound(request.user));
  const worstUsd = boundUsd(price, promptTokens, request.maxOutputTokens);
  const { budget } = live;
  if (budget.spentUsd.add(budget.openUsd).add(worstUsd).gt(budget.limitUsd)) {
    live.stopped ??= `${budget.spentUsd.toFixed(4)} of ${toWire(budget.limitUsd)} USD are spent, and the next question may cost ${worstUsd.toFixed(4)}: run it again with a larger --budget to continue from here`;
    return null;
  }
  budget.openUsd = budget.openUsd.add(worstUsd);
  try {
    return await paid(live, request, { price, worstUsd });
  } finally {
    budget.openUsd = budget.openUsd.sub(worstUsd);
  }
}

interface Terms {
  readonly price: ModelPrice;
  readonly worstUsd: Decimal;
}

async function paid(live: Live, request: ModelRequest, terms: Terms): Promise<LabAnswer | null> {
  const { clock } = live.env;
  for (let attempt = 1; ; attempt++) {
    const [askedAt, startedMs] = [isoTime(clock.nowMs()), clock.monotonicMs()];
    const outcome = await live.chat.complete({ ...request, timeoutMs: live.timeoutMs });
    const latencyMs = Math.round(clock.monotonicMs() - startedMs);
    pay(live, outcome, terms);
    if (outcome.kind === "answered") {
      live.store.keep(request, { outcome, latencyMs, askedAt });
      return { outcome, latencyMs };
    }
    const { sentence, next, lasting } = troubleOf(outcome, {
      model: request.model,
      address: live.aiUrl,
      timeoutMs: live.timeoutMs,
    });
    if (lasting || attempt === ATTEMPTS || overspent(live, terms)) {
      live.stopped ??= `${sentence}: ${next}, and run it again to continue from here`;
      return null;
    }
    const statedMs = outcome.kind === "not-sent" ? null : outcome.retryAfterMs;
    await clock.sleep(Math.max(statedMs ?? 0, WAIT_MS * attempt));
  }
}

/** A call with unknown outcome may have been billed in full. */
function pay(live: Live, outcome: ChatOutcome, { price, worstUsd }: Terms): void {
  const usd =
    outcome.kind === "answered" ? costOf(outcome, price, worstUsd) : outcome.kind === "unknown" ? worstUsd : ZERO;
  live.paidUsd = live.paidUsd.add(usd);
  live.budget.spentUsd = live.budget.spentUsd.add(usd);
}

const costOf = ({ costUsd, usage }: Answered, price: ModelPrice, worstUsd: Decimal): Decimal =>
  costUsd ?? (usage === null ? worstUsd : usageCostUsd(price, usage));

/** This question's bound is already counted as in flight; the possible cost of its last attempt is not. */
const overspent = ({ budget }: Live, { worstUsd }: Terms): boolean =>
  worstUsd.gt(ZERO) && budget.spentUsd.add(budget.openUsd).gt(budget.limitUsd);
