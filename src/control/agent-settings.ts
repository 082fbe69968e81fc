/** From the configuration file to the plain figures that each room is handed. No rules of trading live here. */
import { dec, Decimal } from "../core/decimal.ts";
import { invariant } from "../core/invariant.ts";
import { DAY_MS, MINUTE_MS, parseInstant, parseSpan } from "../core/time.ts";
import type { AgentSettings } from "../agent/contract/settings.ts";
import type { UptimeWindow } from "../agent/books/uptime.ts";
import type { Config } from "../config/config.ts";
import { nearestWord } from "../core/nearest.ts";
import { OPENING_LEVERAGE_MAX, PHASE_ONE_BASES } from "../domain/competition.ts";
import { homeExchange, parseSymbol, perpSymbol } from "../domain/symbol.ts";
import type { ModelPrice, ModelSettings, TokenRates } from "../llm/port.ts";
import { DEFAULT_RISK_SETTINGS, type RiskSettings } from "../risk/settings.ts";

const span = (text: string): number => {
  const ms = parseSpan(text);
  invariant(ms !== null, `the schema let a bad span through: ${text}`);
  return ms;
};
const share = (value: number): Decimal => new Decimal(value);

/** All that the file names, whatever the phase: what is watched, so that Phase II does not begin blind. */
export function watchedOf({ universe, phase, competition }: Config, exchange: string): readonly string[] {
  const names = universe === "phase" ? PHASE_ONE_BASES : universe;
  const symbols = [...new Set(names.map((name) => (name.includes("_") ? name : perpSymbol(exchange, name))))];
  return phase === 2 || competition.phaseTwo !== undefined ? symbols : symbols.filter(isOfPhaseOne(exchange));
}

/** What may be traded in the phase that holds: in Phase I the fifty pairs of the first exchange alone. Spec: 3 §8. */
export const universeOf = (config: Config, exchange: string): readonly string[] =>
  config.phase === 2 ? watchedOf(config, exchange) : watchedOf(config, exchange).filter(isOfPhaseOne(exchange));

const isOfPhaseOne =
  (exchange: string) =>
  (symbol: string): boolean => {
    const parts = parseSymbol(symbol);
    return parts.ok && parts.value.exchange === exchange && PHASE_ONE_BASES.includes(parts.value.base);
  };

/** What is wrong with the list, for an error; null when nothing is. */
export function universeProblem(config: Config, exchanges: readonly string[]): string | null {
  const first = homeExchange(exchanges);
  const named = config.universe === "phase" ? [] : config.universe;
  for (const name of named) {
    const symbol = name.includes("_") ? name : perpSymbol(first, name);
    const parts = parseSymbol(symbol);
    if (!parts.ok || !exchanges.includes(parts.value.exchange))
      return `universe: ${name} is of none of the exchanges ${exchanges.join(", ")} (SVC_EXCHANGES)`;
    if (!isOfPhaseOne(first)(symbol) && config.phase === 1 && config.competition.phaseTwo === undefined)
      return `universe: ${name} is none of the fifty of Phase I${meant(parts.value.base)}; for Phase II set phase: 2, or competition.phaseTwo to when it begins`;
  }
  return universeOf(config, first).length > 0 ? null : `universe: nothing on it may be traded in Phase ${config.phase}`;
}

const meant = (base: string): string => {
  const near = nearestWord(base, PHASE_ONE_BASES);
  return near !== null && near !== base ? ` (did you mean ${near}?)` : "";
};

const baseOf = (name: string): string => {
  const parts = parseSymbol(name);
  return parts.ok ? parts.value.base : name;
};

/** Names whose coin may be misspelt: the venue alone knows what else it has. */
export const unknownBases = ({ universe }: Config): readonly string[] =>
  (universe === "phase" ? [] : universe)
    .filter((name) => !PHASE_ONE_BASES.includes(baseOf(name)))
    .map((name) => `${name} is none of the fifty of Phase I${meant(baseOf(name))}; the venue must have it in Phase II`);

/** A clock that has not been compared with the venue's may be this far ahead. */
const CLOCK_DOUBT_MS = 60_000;

/** The file as it holds at a start: in Phase II when its moment is past beyond doubt. */
export const atStart = (config: Config, nowMs: number): Config =>
  phaseTwoDue(config, nowMs - CLOCK_DOUBT_MS) ? { ...config, phase: 2 } : config;

/** True when Phase II has begun by `venueMs`, the earliest that the venue's clock may show, and does not hold yet. */
export const phaseTwoDue = ({ phase, competition: { phaseTwo } }: Config, venueMs: number): boolean =>
  phase === 1 && phaseTwo !== undefined && venueMs >= (parseInstant(phaseTwo) ?? Infinity);

/** Shares become decimals and spans ms; what the file cannot set keeps its default. */
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
    openingSpareUsdt: dec(risk.openingSpareUsdt),
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

/** `startMs` is null where the file names no start: then the first beat of the journal counts. */
export const uptimeWindow = ({ competition }: Config): UptimeWindow => ({
  startMs: competition.start === undefined ? null : parseInstant(competition.start),
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

/** At least, whatever the gateway waits: an answer takes longer by a practice clock that runs faster. */
const ANSWERS_WITHIN_MS = 5 * MINUTE_MS;

/** Made anew at every saved file, switch and phase. `exchange` is the first one, that of bare names. */
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
      withdraws: execution.withdraws,
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
    answersWithinMs: Math.max(ANSWERS_WITHIN_MS, span(config.model.timeout) + MINUTE_MS),
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
  ...(entry.replyFormat !== undefined && { replyFormat: entry.replyFormat }),
});

/** The answer cache is in seconds, other spans are ms; `floorUsd` is null without a lower band. */
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
