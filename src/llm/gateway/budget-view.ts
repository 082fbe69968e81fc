/** The budget as other rooms see it: figures, forecast and pacing. */
import { type Decimal, ZERO } from "../../core/decimal.ts";
import type { Env } from "../../core/ids.ts";
import { DAY_MS } from "../../core/time.ts";
import type { BudgetLedger } from "../budget/ledger.ts";
import { aheadOfTargetMs, forecastUsd, mayAsk } from "../budget/budget.ts";
import type { ModelList } from "./model-list.ts";
import type { BudgetView, ModelState } from "../contract/port.ts";
import type { ModelSettings } from "../contract/settings.ts";
import type { ConfiguredModel } from "./shared-answers.ts";
import { namesNext } from "../calls/trouble.ts";

/** The inputs of the view; the gateway has them. */
export interface BudgetSources {
  readonly env: Env;
  readonly settings: ModelSettings;
  readonly ledger: BudgetLedger;
  readonly models: readonly ConfiguredModel[];
  readonly modelList: Pick<ModelList, "names">;
  /** Monotonic time until which the gateway's budget counts as spent. */
  readonly spentUntilMs: number;
  readonly lastCostUsd: Decimal;
  readonly gatewayResetAtMs: number | null;
  readonly outcomes: BudgetView["outcomes"];
}

/** All zero: questions are counted from the start of the process. */
export const noOutcomes = (): Record<keyof BudgetView["outcomes"], number> => ({
  answered: 0,
  cached: 0,
  unreadable: 0,
  failed: 0,
  "over-budget": 0,
  unavailable: 0,
});

/** `leftUsd` is zero while the gateway's budget counts as spent, regardless of our own ledger. */
export function budgetView(sources: BudgetSources): BudgetView {
  const { env, settings, ledger, models, spentUntilMs, lastCostUsd } = sources;
  const nowMs = env.clock.nowMs();
  const used = ledger.used();
  const spent = env.clock.monotonicMs() < spentUntilMs;
  const leftUsd = spent ? ZERO : used.leftUsd;
  const dayStartMs = ledger.dayStartMs();
  const pace = { limitUsd: settings.dayLimitUsd, reserveForEvents: settings.reserveForHappenings, dayStartMs };
  const spending = { usedTodayUsd: used.dayUsd, leftUsd, nextUsd: lastCostUsd };
  const forecast = forecastUsd(pace, nowMs, used.dayUsd, used.sinceMs);
  const report = ledger.lastReport();
  return {
    limitUsd: settings.dayLimitUsd,
    usedUsd: used.dayUsd,
    rollingUsd: used.rollingUsd,
    openUsd: used.openUsd,
    leftUsd,
    dayStartMs,
    dayEndMs: dayStartMs + DAY_MS,
    reportedUsd: report?.spendUsd ?? null,
    reportedAtMs: report?.atMs ?? null,
    forecastUsd: forecast,
    underFloor: settings.floorUsd ? forecast.lt(settings.floorUsd) : false,
    floorUsd: settings.floorUsd ?? null,
    targetUsd: settings.targetUsd ?? null,
    meanCallUsd: ledger.meanCallUsd(),
    gatewayResetAtMs: sources.gatewayResetAtMs,
    outcomes: { ...sources.outcomes },
    mayAsk: {
      cadence: mayAsk("cadence", nowMs, pace, spending),
      event: mayAsk("event", nowMs, pace, spending),
    },
    aheadOfTargetMs: aheadOfTargetMs(settings.targetUsd, nowMs, pace, spending),
    models: models.map((model) => stateOf(model, sources.modelList.names())),
    unknownUsd: ledger.unknownUsd(),
  };
}

/** For a model that the gateway does not know, the trouble lists the names it does know, once read. */
function stateOf({ price, breaker, health }: ConfiguredModel, names: readonly string[] | null): ModelState {
  const { failing, last, answeredAtMs } = health;
  const lastError = last?.kind === "model" ? { ...last, next: namesNext(names) } : last;
  return { name: price.name, ...breaker.state(), failing, answeredAtMs, lastError };
}
