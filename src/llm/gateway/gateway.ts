/**
 * The model gateway: one `ask` with cache, concurrency cap, circuit breakers and model fallback, budget and reply
 * schema. Every outcome is a value. Architecture §6; invariants I19-I23.
 */
import { ZERO } from "../../core/decimal.ts";
import { notAsked } from "../../core/model-outcome.ts";
import { HOUR_MS } from "../../core/time.ts";
import { createBreaker } from "./breaker.ts";
import { budgetView, noOutcomes } from "./budget-view.ts";
import { createAnswerCache } from "./cache.ts";
import { checkSettings } from "./check.ts";
import { createKeyInfoReader } from "../budget/key-info-reader.ts";
import { createLedger } from "../budget/ledger.ts";
import { createClients } from "../dialects/clients.ts";
import { byTier, newHealth } from "../calls/model-health.ts";
import { createModelList } from "./model-list.ts";
import { logOutcome } from "./outcome-log.ts";
import { questionText, asShared, flightKey, fromCache } from "./shared-answers.ts";
import { noBudgetNotices, logBudgetNotices } from "./budget-notices.ts";
import type { AskRequest, GatewayAnswer, ModelGateway } from "../contract/port.ts";
import { prepare } from "../calls/question.ts";
import { askModels, type Gateway, type GatewayDeps } from "./ask-models.ts";

/**
 * Margin for answers that are cached shortly after they were booked and reported shortly after they were shared, on a
 * busy machine.
 */
const SHARED_SOONER_MS = 5_000;

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
    models: settings.names.map((price) => ({ price, breaker: createBreaker(env.clock), health: newHealth() })),
    running: new Set(),
    spentUntilMs: -Infinity,
    lastCostUsd: ZERO,
    gatewayResetAtMs: null,
    reported: noBudgetNotices(),
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
    logOutcome(gateway.log, request, { outcome, preferred: byTier(gateway.models, request.tier)[0]?.price.name });
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
  const asked = questionText(question);
  const known = fromCache(gateway, request.tier, question);
  if (known) return { ...known, asked };
  const { value, joined } = await gateway.cache.once(flightKey(request.tier, question), () =>
    askModels(gateway, request, question),
  );
  return { ...(joined ? asShared(value) : value), asked };
}

async function reconcile(gateway: Gateway): Promise<void> {
  if (gateway.closed || !gateway.checked.ok) return;
  const reported = await gateway.keyInfo.reconcile();
  // A counter that has room again (it was zeroed) ends the rest early.
  if (reported?.spendUsd.lt(gateway.settings.dayLimitUsd)) gateway.spentUntilMs = -Infinity;
  if (reported) gateway.gatewayResetAtMs = reported.dailyResetAtMs;
  logBudgetNotices(gateway, budgetView(gateway));
}

function close(gateway: Gateway): void {
  gateway.closed = true;
  for (const abort of gateway.running) abort.abort();
  gateway.ledger.close();
  void gateway.chat.close();
  void gateway.keyInfo.close();
  void gateway.modelList.close();
}
