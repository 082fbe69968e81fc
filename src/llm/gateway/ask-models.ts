/** Asks the models in the order of preference until one answers; a model that keeps failing is paused. Faults L7, L8. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { Log } from "../../core/log.ts";
import { type ModelAnswer, type ModelOutcome, notAfforded, notAsked } from "../../core/model-outcome.ts";
import type { Result } from "../../core/result.ts";
import type { Secret } from "../../core/secret.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { NetEnv } from "../../net/network.ts";
import type { AnswerCache } from "./cache.ts";
import { callModel, type CallOutcome } from "../calls/call.ts";
import type { ChatClient } from "../dialects/chat.ts";
import type { KeyInfoReader } from "../budget/key-info-reader.ts";
import type { BudgetLedger } from "../budget/ledger.ts";
import { byTier, noteCall } from "../calls/model-health.ts";
import type { ModelList } from "./model-list.ts";
import type { AskRequest, SpendLedgerStore } from "../contract/port.ts";
import type { PromptLibrary } from "../prompts/prompts.ts";
import type { Question } from "../calls/question.ts";
import type { ModelSettings } from "../contract/settings.ts";
import { cacheKey, type ConfiguredModel } from "./shared-answers.ts";
import type { BudgetNotices } from "./budget-notices.ts";

/** What a gateway is made from. */
export interface GatewayDeps {
  readonly env: NetEnv;
  readonly log: Log;
  readonly settings: ModelSettings;
  readonly apiKey: Secret;
  readonly ledger: SpendLedgerStore;
  readonly prompts: PromptLibrary;
  /** Answers in place of the service at the address of the settings. */
  readonly chat?: ChatClient;
}

/** The gateway between two questions. */
export interface Gateway extends Omit<GatewayDeps, "ledger" | "chat"> {
  readonly checked: Result<void, string>;
  readonly ledger: BudgetLedger;
  readonly chat: ChatClient;
  readonly keyInfo: KeyInfoReader;
  readonly modelList: ModelList;
  readonly cache: AnswerCache<ModelOutcome>;
  readonly models: readonly ConfiguredModel[];
  readonly running: Set<AbortController>;
  /** The gateway reported a spent budget: do not ask before this monotonic time. */
  spentUntilMs: number;
  /** Cost of the last question, for pacing the next. */
  lastCostUsd: Decimal;
  /** When the gateway next resets its counter, as last reported. */
  gatewayResetAtMs: number | null;
  readonly reported: BudgetNotices;
  readonly outcomes: Record<ModelOutcome["kind"] | "cached", number>;
  closed: boolean;
}

/** How long a "budget exceeded" counts before the gateway is asked again. */
const SPENT_REST_MS = 15 * MINUTE_MS;

/** Tries the models in order. Only a failure leads to the next one; an unusable answer does not. */
export async function askModels(gateway: Gateway, request: AskRequest, question: Question): Promise<ModelOutcome> {
  const { clock } = gateway.env;
  if (gateway.running.size >= gateway.settings.maxConcurrent) {
    return notAsked(`${gateway.running.size} questions are under way`);
  }
  if (clock.monotonicMs() < gateway.spentUntilMs) {
    return notAfforded("the gateway says that its budget is spent", ZERO);
  }
  const abort = new AbortController();
  const startedMs = clock.monotonicMs();
  const { timeout: timeoutMs } = gateway.settings;
  const leftMs = (): number => timeoutMs - (clock.monotonicMs() - startedMs) / clock.scale;
  const stop = clock.after(timeoutMs * clock.scale, () => abort.abort());
  gateway.running.add(abort);
  try {
    return await tryModels(gateway, { request, question, signal: abort.signal, leftMs, startedMs });
  } finally {
    stop();
    gateway.running.delete(abort);
  }
}

interface Attempt {
  readonly request: AskRequest;
  readonly question: Question;
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  readonly startedMs: number;
}

async function tryModels(gateway: Gateway, attempt: Attempt): Promise<ModelOutcome> {
  const { request } = attempt;
  let costUsd = ZERO;
  let last: string | null = null;
  for (const model of byTier(gateway.models, request.tier)) {
    if (attempt.leftMs() <= 0 || attempt.signal.aborted) break;
    if (!model.breaker.admit()) continue;
    const fields = { decision: request.decisionId, model: model.price.name, prompt: request.prompt };
    gateway.log.event("info", "model.asked", `Asked ${model.price.name}.`, fields);
    const called = await guarded(gateway, model, () => callModel(gateway, { ...attempt, price: model.price }));
    if (called.kind === "failed") {
      costUsd = costUsd.add(called.costUsd);
      last = `${model.price.name}: ${called.reason}`;
      if (called.budgetSpent) return gatewayIsSpent(gateway, last, costUsd);
      continue;
    }
    return concluded(gateway, attempt, { model, called, earlierUsd: costUsd });
  }
  const names = gateway.models.map(({ price }) => price.name).join(", ");
  if (last === null) return notAsked(`${names} are paused after failures`);
  return { kind: "failed", reason: last, costUsd };
}

/** Reports the result to the breaker. A call that was never made says nothing about the model. */
async function guarded(
  gateway: Gateway,
  model: ConfiguredModel,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const { breaker } = model;
  let called: CallOutcome | null = null;
  try {
    called = await run();
    noteCall(model.health, called, gateway.env.clock.nowMs());
    // The trouble of an unknown model lists the known names.
    if (model.health.last?.kind === "model" && model.health.failing) void gateway.modelList.look();
    return called;
  } finally {
    if (!called || called.kind === "unreadable") breaker.failed();
    else if (called.kind === "failed" && called.trouble) breaker.failed(called.retryAfterMs);
    else if (called.kind === "answered") breaker.succeeded();
    else breaker.release();
  }
}

function gatewayIsSpent(gateway: Gateway, reason: string, costUsd: Decimal): ModelOutcome {
  gateway.spentUntilMs = gateway.env.clock.monotonicMs() + SPENT_REST_MS;
  return notAfforded(reason, ZERO, costUsd);
}

interface Conclusion {
  readonly model: ConfiguredModel;
  readonly called: Exclude<CallOutcome, { kind: "failed" }>;
  /** Spent on models that failed before this one. */
  readonly earlierUsd: Decimal;
}

function concluded(gateway: Gateway, attempt: Attempt, { model, called, earlierUsd }: Conclusion): ModelOutcome {
  if (called.kind === "over-budget") return notAfforded(called.reason, gateway.ledger.used().leftUsd, earlierUsd);
  const costUsd = called.costUsd.add(earlierUsd);
  gateway.lastCostUsd = called.costUsd;
  if (called.kind === "unreadable") return { ...called, costUsd };
  const { value, replyText, usage, attempt: attemptId } = called;
  const outcome: ModelAnswer = {
    kind: "answered",
    value,
    model: model.price.name,
    cached: false,
    ...usage,
    costUsd,
    savedUsd: ZERO,
    latencyMs: gateway.env.clock.monotonicMs() - attempt.startedMs,
    replyText,
    promptHash: attempt.question.promptHash,
    attempt: attemptId,
    key: attempt.question.key,
  };
  if (gateway.settings.cache > 0) gateway.cache.set(cacheKey(model.price, attempt.question), outcome);
  return outcome;
}
