/** From the configuration file to the plain figures that each room is handed. No rules of trading live here. */
import { dec, Decimal } from "../core/decimal.ts";
import { invariant } from "../core/invariant.ts";
import { DAY_MS, parseSpan } from "../core/time.ts";
import type { AgentSettings } from "../agent/settings.ts";
import type { UptimeWindow } from "../agent/uptime.ts";
import type { Config } from "../config.ts";
import { OPENING_LEVERAGE_MAX, PHASE_ONE_BASES } from "../domain/competition.ts";
import { perpSymbol } from "../domain/symbol.ts";
import type { ModelPrice, ModelSettings, TokenRates } from "../llm/port.ts";
import { DEFAULT_RISK_SETTINGS, type RiskSettings } from "../risk/settings.ts";

const span = (text: string): number => {
  const ms = parseSpan(text);
  invariant(ms !== null, `the schema let a bad span through: ${text}`);
  return ms;
};
const share = (value: number): Decimal => new Decimal(value);

export function universeOf(config: Config, exchange: string): readonly string[] {
  const bases = config.universe === "phase" ? PHASE_ONE_BASES : config.universe;
  return [...new Set(bases)].map((base) => perpSymbol(exchange, base));
}

export function riskSettings({ risk }: Config): RiskSettings {
  return {
    ...DEFAULT_RISK_SETTINGS,
    perOrderEquityShare: share(risk.perOrderEquityShare),
    perSymbolEquityShare: share(risk.perSymbolEquityShare),
    perDirectionEquityShare: share(risk.perDirectionEquityShare),
    maxPositions: risk.maxPositions,
    leverageSafety: share(risk.leverageSafety),
    gapMajors: share(risk.gapMajors),
    gapOthers: share(risk.gapOthers),
    bufferUsdt: dec(risk.bufferUsdt),
    warnUsdt: dec(risk.warnUsdt),
    holdUsdt: dec(risk.holdUsdt),
    flattenUsdt: dec(risk.flattenUsdt),
    dailyLossStop: share(risk.dailyLossStop),
    ordersPerHour: risk.ordersPerHour,
    feesPerDayShare: share(risk.feesPerDayShare),
    reentryCooldownMs: span(risk.reentryCooldown),
    flipCooldownMs: span(risk.flipCooldown),
    minHoldingMs: span(risk.minHolding),
    maxBookAgeMs: span(risk.maxBookAge),
    maxMarkAgeMs: span(risk.maxMarkAge),
    maxAccountAgeMs: span(risk.maxAccountAge),
    defaultStopDistance: share(risk.defaultStopDistance),
    maxStopDistance: share(risk.maxStopDistance),
    priceBand: share(risk.priceBand),
    blockedAlarmMs: span(risk.blockedAlarm),
  };
}

export const uptimeWindow = ({ competition }: Config): UptimeWindow => ({
  startMs: competition.start === undefined ? null : Date.parse(competition.start),
  lengthMs: competition.days * DAY_MS,
});

const entrySettings = ({
  entry,
  slices,
}: Config["execution"]): Pick<AgentSettings["execution"], "entry" | "slices"> => ({
  entry: {
    style: entry.style,
    chases: entry.chases,
    chaseEveryMs: span(entry.chaseEvery),
    maxDistanceBps: entry.maxDistanceBps,
    maxDistanceSigma: entry.maxDistanceSigma,
    then: entry.then,
  },
  slices: {
    depthShare: slices.depthShare,
    band: slices.band,
    minUsdt: dec(slices.minUsdt),
    pauseMs: span(slices.pause),
  },
});

export function agentSettings(config: Config, exchange: string): AgentSettings {
  const { cadence, execution, protection } = config;
  return {
    phase: config.phase,
    universe: universeOf(config, exchange),
    exchange,
    leverage: OPENING_LEVERAGE_MAX[config.phase],
    risk: riskSettings(config),
    cadence: {
      everyMs: span(cadence.every),
      minGapMs: span(cadence.minGap),
      firstAfterMs: span(cadence.firstAfter),
      onNews: cadence.onNews,
      onFill: cadence.onFill,
      moveSigma: cadence.moveSigma,
    },
    execution: {
      slippage: dec(String(execution.slippage)).toNumber(),
      restForMs: span(execution.restFor),
      rebalanceBand: execution.rebalanceBand,
      protectWithinMs: span(execution.protectWithin),
      onStopOpenOrders: execution.onStopOpenOrders,
      ...entrySettings(execution),
    },
    protection: {
      unit: protection.unit,
      breakEvenAfter: protection.breakEven.after,
      activation: protection.trailing.activation,
      distance: protection.trailing.distance,
      minStep: protection.minStep,
    },
    windDownMs: span(config.strategy.windDown),
    shadowModelUsd: dec(config.strategy.shadowModelUsd),
    fundingCheck: { beforeMs: span(config.funding.checkBefore), costShare: config.funding.costShare },
    needsNews: false,
    uptimeWindow: uptimeWindow(config),
  };
}

type Rates = Record<"inputPerMillionUsd" | "outputPerMillionUsd" | "cachedPerMillionUsd", string>;

const ratesOf = (rates: Rates): TokenRates => ({
  inputPerMillionUsd: dec(rates.inputPerMillionUsd),
  outputPerMillionUsd: dec(rates.outputPerMillionUsd),
  cachedPerMillionUsd: dec(rates.cachedPerMillionUsd),
});

const priceOf = (entry: Config["model"]["names"][number]): ModelPrice => ({
  name: entry.name,
  ...ratesOf(entry),
  speech: entry.speech,
  ...(entry.longContext && {
    longContext: { ...ratesOf(entry.longContext), aboveTokens: entry.longContext.aboveTokens },
  }),
  ...(entry.temperature !== undefined && { temperature: entry.temperature }),
  ...(entry.reasoningEffort !== undefined && { reasoningEffort: entry.reasoningEffort }),
});

export function modelSettings({ model }: Config, aiUrl: string): ModelSettings {
  return {
    aiUrl,
    models: model.names.map(priceOf),
    dayLimitUsd: dec(model.dayLimitUsd),
    floorUsd: model.floorUsd === undefined ? null : dec(model.floorUsd),
    dayBoundaryUtcHour: model.dayBoundaryUtcHour,
    cacheSeconds: span(model.cache) / 1_000,
    timeoutMs: span(model.timeout),
    maxConcurrent: model.maxConcurrent,
    reserveForHappenings: model.reserveForHappenings,
  };
}
