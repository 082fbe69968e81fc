/**
 * The model gateway: one `ask` with cache, concurrency cap, circuit breakers and model fallback, budget and reply
 * schema. Every outcome is a value. Architecture §6; invariants I19-I23.
 */
import { type Decimal, ZERO } from "../core/decimal.ts";
import type { Log } from "../core/log.ts";
import { type ModelAnswer, type ModelOutcome, notAfforded, notAsked } from "../core/model-outcome.ts";
import type { Result } from "../core/result.ts";
import type { Secret } from "../core/secret.ts";
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { NetEnv } from "../net/network.ts";
import { createBreaker } from "./breaker.ts";
import { budgetView, noOutcomes } from "./budget-view.ts";
import { type AnswerCache, createAnswerCache } from "./cache.ts";
import { type CallOutcome, callModel } from "./call.ts";
import { checkSettings } from "./check.ts";
import { createKeyInfoReader, type KeyInfoReader } from "./key-info-reader.ts";
import { createLedger } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import type { ChatClient } from "./chat.ts";
import { createClients } from "./clients.ts";
import { byTier, newRecord, noteCall } from "./line-record.ts";
import { createModelList, type ModelList } from "./model-list.ts";
import { logOutcome } from "./outcome-log.ts";
import { asShared, askedText, cacheKey, flightKey, fromCache, type ModelLine } from "./shared-answers.ts";
import { nothingReported, takeNote, type Announced } from "./take-note.ts";
import type { AskRequest, GatewayAnswer, ModelGateway, SpendLedgerStore } from "./port.ts";
import type { ModelSettings } from "./settings.ts";
import type { PromptLibrary } from "./prompts.ts";
import { prepare, type Question } from "./question.ts";

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

interface Gateway extends Omit<GatewayDeps, "ledger" | "chat"> {
  readonly checked: Result<void, string>;
  readonly ledger: Ledger;
  readonly chat: ChatClient;
  readonly keyInfo: KeyInfoReader;
  readonly modelList: ModelList;
  readonly cache: AnswerCache<ModelOutcome>;
  readonly lines: readonly ModelLine[];
  readonly running: Set<AbortController>;
  /** The gateway reported a spent budget: do not ask before this monotonic time. */
  spentUntilMs: number;
  /** Cost of the last question, for pacing the next. */
  lastCostUsd: Decimal;
  /** When the gateway next resets its counter, as last reported. */
  gatewayResetAtMs: number | null;
  readonly reported: Announced;
  readonly outcomes: Record<ModelOutcome["kind"] | "cached", number>;
  closed: boolean;
}

/**
 * Margin for answers that are cached shortly after they were booked and reported shortly after they were shared, on a
 * busy machine.
 */
const SHARED_SOONER_MS = 5_000;

/** How long a "budget exceeded" counts before the gateway is asked again. */
const SPENT_REST_MS = 15 * MINUTE_MS;

export function createModelGateway(deps: GatewayDeps): ModelGateway {
  const { env, log, settings, apiKey, prompts } = deps;
  const checked = checkSettings(settings, prompts);
  // With settings that fail the check nothing is asked; the gateway exists to report why.
  const aiUrl = checked.ok ? settings.aiUrl : "http://settings-refused.invalid";
  const { dayLimitUsd: limitUsd, dayBoundaryUtcHour: hour } = settings;
  const rules = { limitUsd, boundaryMs: hour === "gateway" ? 0 : hour * HOUR_MS };
  const ledger = createLedger({ env, log, store: deps.ledger, rules, followsGateway: hour === "gateway" });
  const gateway: Gateway = {
    env,
    log,
    checked,
    settings,
    apiKey,
    prompts,
    ledger,
    chat:
      deps.chat ??
      createClients(env, aiUrl, apiKey, (model, what) =>
        log.event("warn", "model.dialect", `${model}: ${what}, because the gateway refused the previous form`, {
          model,
        }),
      ),
    modelList: createModelList(env, aiUrl, apiKey),
    keyInfo: createKeyInfoReader({ env, log, ledger, aiUrl, apiKey, limitUsd }),
    cache: createAnswerCache(env.clock, Math.max(0, settings.cache - SHARED_SOONER_MS)),
    lines: settings.names.map((price) => ({ price, breaker: createBreaker(env.clock), record: newRecord() })),
    running: new Set(),
    spentUntilMs: -Infinity,
    lastCostUsd: ZERO,
    gatewayResetAtMs: null,
    reported: nothingReported(),
    outcomes: noOutcomes(),
    closed: false,
  };
  return {
    ask: (request) => ask(gateway, request),
    budget: () => budgetView(gateway),
    reconcile: () => reconcile(gateway),
    check: () => checked,
    close: () => close(gateway),
  };
}

async function ask(gateway: Gateway, request: AskRequest): Promise<GatewayAnswer> {
  try {
    const outcome = await answerFor(gateway, request);
    logOutcome(gateway.log, request, { outcome, preferred: byTier(gateway.lines, request.tier)[0]?.price.name });
    gateway.outcomes[outcome.kind === "answered" && outcome.cached ? "cached" : outcome.kind]++;
    return outcome;
  } catch (error) {
    const reason = `the gateway failed: ${error instanceof Error ? error.message : String(error)}`;
    gateway.log.event("error", "model.failed", `Asking the model failed: ${reason}`, {
      decision: request.decisionId,
      reason,
    });
    gateway.outcomes.failed++;
    return { kind: "failed", reason, costUsd: ZERO, asked: null };
  }
}

async function answerFor(gateway: Gateway, request: AskRequest): Promise<GatewayAnswer> {
  if (gateway.closed) return { ...notAsked("the gateway is closed"), asked: null };
  if (!gateway.checked.ok) return { ...notAsked(gateway.checked.error), asked: null };
  const prepared = await prepare(gateway.prompts, gateway.env.entropy, request);
  if (!prepared.ok) return { kind: "failed", reason: prepared.error, costUsd: ZERO, asked: null };
  const question = prepared.value;
  const asked = askedText(question);
  const known = fromCache(gateway, request.tier, question);
  if (known) return { ...known, asked };
  const { value, joined } = await gateway.cache.once(flightKey(request.tier, question), () =>
    askModels(gateway, request, question),
  );
  return { ...(joined ? asShared(value) : value), asked };
}

/** Tries the models in order. Only a failure leads to the next one; an unusable answer does not. */
async function askModels(gateway: Gateway, request: AskRequest, question: Question): Promise<ModelOutcome> {
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
  for (const line of byTier(gateway.lines, request.tier)) {
    if (attempt.leftMs() <= 0 || attempt.signal.aborted) break;
    if (!line.breaker.admit()) continue;
    const fields = { decision: request.decisionId, model: line.price.name, prompt: request.prompt };
    gateway.log.event("info", "model.asked", `Asked ${line.price.name}.`, fields);
    const called = await guarded(gateway, line, () => callModel(gateway, { ...attempt, price: line.price }));
    if (called.kind === "failed") {
      costUsd = costUsd.add(called.costUsd);
      last = `${line.price.name}: ${called.reason}`;
      if (called.budgetSpent) return gatewayIsSpent(gateway, last);
      continue;
    }
    return concluded(gateway, attempt, { line, called, earlierUsd: costUsd });
  }
  const names = gateway.lines.map(({ price }) => price.name).join(", ");
  if (last === null) return notAsked(`${names} are paused after failures`);
  return { kind: "failed", reason: last, costUsd };
}

/** Reports the result to the breaker. A call that was never made says nothing about the model. */
async function guarded(gateway: Gateway, line: ModelLine, run: () => Promise<CallOutcome>): Promise<CallOutcome> {
  const { breaker } = line;
  let called: CallOutcome | null = null;
  try {
    called = await run();
    noteCall(line.record, called, gateway.env.clock.nowMs());
    // The trouble of an unknown model lists the known names.
    if (line.record.last?.kind === "model" && line.record.failing) void gateway.modelList.look();
    return called;
  } finally {
    if (!called || called.kind === "unreadable") breaker.failed();
    else if (called.kind === "failed" && called.trouble) breaker.failed(called.retryAfterMs);
    else if (called.kind === "answered") breaker.succeeded();
    else breaker.release();
  }
}

function gatewayIsSpent(gateway: Gateway, reason: string): ModelOutcome {
  gateway.spentUntilMs = gateway.env.clock.monotonicMs() + SPENT_REST_MS;
  return notAfforded(reason, ZERO);
}

interface Conclusion {
  readonly line: ModelLine;
  readonly called: Exclude<CallOutcome, { kind: "failed" }>;
  /** Spent on models that failed before this one. */
  readonly earlierUsd: Decimal;
}

function concluded(gateway: Gateway, attempt: Attempt, { line, called, earlierUsd }: Conclusion): ModelOutcome {
  if (called.kind === "over-budget") return notAfforded(called.reason, gateway.ledger.used().leftUsd);
  const costUsd = called.costUsd.add(earlierUsd);
  gateway.lastCostUsd = called.costUsd;
  if (called.kind === "unreadable") return { ...called, costUsd };
  const { value, replyText, usage, attempt: attemptId } = called;
  const outcome: ModelAnswer = {
    kind: "answered",
    value,
    model: line.price.name,
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
  if (gateway.settings.cache > 0) gateway.cache.set(cacheKey(line.price, attempt.question), outcome);
  return outcome;
}

async function reconcile(gateway: Gateway): Promise<void> {
  if (gateway.closed || !gateway.checked.ok) return;
  const reported = await gateway.keyInfo.reconcile();
  // A counter that has room again (it was zeroed) ends the rest early.
  if (reported?.spendUsd.lt(gateway.settings.dayLimitUsd)) gateway.spentUntilMs = -Infinity;
  if (reported) gateway.gatewayResetAtMs = reported.dailyResetAtMs;
  takeNote(gateway, budgetView(gateway));
}

function close(gateway: Gateway): void {
  gateway.closed = true;
  for (const abort of gateway.running) abort.abort();
  gateway.ledger.close();
  void gateway.chat.close();
  void gateway.keyInfo.close();
  void gateway.modelList.close();
}
