/** The overall result of a sweep: the figures of each candidate, and how much of the best one is luck. */
import { mean, sampleCorrelation, sampleStandardDeviation, variance } from "simple-statistics";
import { seededEntropy } from "../../core/entropy.ts";
import { DAY_MS } from "../../core/time.ts";
import { bootstrapInterval, type Interval } from "../figures/bootstrap.ts";
import { type Overfitting, overfittingOf } from "../figures/overfitting.ts";
import { competitionFigures } from "../../domain/competition-figures.ts";
import { figuresOf } from "../figures/run-figures.ts";
import { momentsOf } from "../../domain/return-moments.ts";
import { deflatedSharpe, probabilisticSharpe } from "../figures/sharpe.ts";
import type { StoredTrial } from "./result-store.ts";
import { pointsOf, returnsOf, spanOf, type TrialResult } from "./trial.ts";

/** A strategy with its settings over all stretches of the sweep. Returns are fractions. */
export interface CandidateFigures {
  readonly strategy: string;
  /** As JSON text. */
  readonly candidate: string;
  /** Mean over the stretches. */
  readonly returnFraction: number;
  readonly worstUsdt: number;
  readonly maxDrawdown: number;
  /** Annualised; null without variation. */
  readonly sharpe: number | null;
  /** By the organiser's rule, over the days of all stretches. */
  readonly organiserSharpe: number | null;
  readonly organiserDrawdown: number;
  /** 90 % interval of the mean daily return. */
  readonly dailyReturn: Interval | null;
  readonly executions: number;
  readonly feesUsdt: number;
  /** Mean daily value of the fills over the starting equity. */
  readonly turnover: number;
  /** Fees and funding as a share of the result before them; null if that is a loss. */
  readonly costShare: number | null;
  /** The fee per side in basis points at which the result would be zero; null without a fill. */
  readonly breakEvenBps: number | null;
  readonly eliminated: number;
  readonly runs: number;
  readonly returns: readonly number[];
}

export interface StrategyPair {
  readonly strategies: readonly [string, string];
  readonly correlation: number;
}

export interface SweepJudgement {
  /** Best Sharpe ratio first; candidates without one last. */
  readonly candidates: readonly CandidateFigures[];
  readonly trials: number;
  /** Probability that the best candidate's ratio is above 0, and above what luck alone would produce in all trials. */
  readonly probabilistic: number | null;
  readonly deflated: number | null;
  readonly overfitting: Overfitting | null;
  readonly correlations: readonly StrategyPair[];
  /** Reasons of the runs that could not start, each once. */
  readonly problems: readonly string[];
}

/** Uses only the stretches that every candidate with a result completed; tests are judged separately. */
export function judge(trials: readonly StoredTrial[]): SweepJudgement {
  const candidates = [...completed(trials).values()].map(figuresOfCandidate).sort(bySharpe);
  const moments = candidates.flatMap(({ returns }) => momentsOf(returns) ?? []);
  const best = candidates[0] ? momentsOf(candidates[0].returns) : null;
  const spread = moments.length > 1 ? variance(moments.map(({ sharpe }) => sharpe)) : 0;
  const periods = Math.min(...candidates.map(({ returns }) => returns.length));
  return {
    candidates,
    trials: candidates.length,
    probabilistic: best && probabilisticSharpe(best),
    deflated: best && deflatedSharpe(best, candidates.length, spread),
    overfitting: overfittingOf(candidates.map(({ returns }) => returns.slice(0, periods))),
    correlations: correlationsOf(candidates),
    problems: [...new Set(trials.flatMap(({ problem }) => (problem === null ? [] : [problem])))],
  };
}

/** By candidate, over the same stretches: one that failed in a bad week must not look better for it. */
function completed(trials: readonly StoredTrial[]): ReadonlyMap<string, readonly StoredTrial[]> {
  const done = trials.filter(({ result }) => result !== null);
  const nameOf = ({ strategy, candidate }: StoredTrial): string => `${strategy} ${candidate}`;
  const names = [...new Set(done.map(nameOf))];
  const byStretch = new Map<string, Set<string>>();
  for (const trial of done)
    byStretch.set(trial.stretch, (byStretch.get(trial.stretch) ?? new Set()).add(nameOf(trial)));
  const byCandidate = new Map<string, StoredTrial[]>();
  for (const trial of done) {
    if (byStretch.get(trial.stretch)?.size !== names.length) continue;
    const name = nameOf(trial);
    byCandidate.set(name, [...(byCandidate.get(name) ?? []), trial]);
  }
  return byCandidate;
}

const bySharpe = (a: CandidateFigures, b: CandidateFigures): number =>
  (b.sharpe ?? -Infinity) - (a.sharpe ?? -Infinity) || b.returnFraction - a.returnFraction;

function figuresOfCandidate(trials: readonly StoredTrial[]): CandidateFigures {
  const [first] = trials;
  const results = [...trials]
    .sort((a, b) => (a.stretch < b.stretch ? -1 : 1))
    .flatMap(({ result }): TrialResult[] => (result ? [result] : []));
  const returns = results.flatMap((result) => [...returnsOf(result)]);
  const spanMs = results[0] ? spanOf(results[0]) : DAY_MS;
  const perRun = results.map((result) => figuresOf(pointsOf(result)));
  const organiser = results.map((result) => competitionFigures(pointsOf(result)));
  const aDay = DAY_MS / spanMs;
  return {
    strategy: first?.strategy ?? "",
    candidate: first?.candidate ?? "{}",
    returnFraction: mean(perRun.map(({ returnFraction }) => returnFraction)),
    worstUsdt: Math.min(...results.map(({ worstUsdt }) => worstUsdt)),
    maxDrawdown: Math.max(...perRun.map(({ maxDrawdown }) => maxDrawdown)),
    sharpe: annualised(returns, 365 * aDay),
    organiserSharpe: annualised(
      organiser.flatMap(({ dailyReturns }) => dailyReturns),
      365,
    ),
    organiserDrawdown: Math.max(...organiser.map(({ maxDrawdown }) => maxDrawdown)),
    dailyReturn: bootstrapInterval(returns, (all) => mean([...all]) * aDay, {
      entropy: seededEntropy("sweep:interval"),
      draws: 400,
    }),
    executions: results.reduce((sum, { executions }) => sum + executions, 0),
    feesUsdt: results.reduce((sum, { feesUsdt }) => sum + Number(feesUsdt), 0),
    ...costsOf(results),
    eliminated: results.filter(({ eliminated }) => eliminated).length,
    runs: results.length,
    returns,
  };
}

function costsOf(results: readonly TrialResult[]): Pick<CandidateFigures, "turnover" | "costShare" | "breakEvenBps"> {
  const sum = (of: (result: TrialResult) => number): number => results.reduce((all, result) => all + of(result), 0);
  const net = sum(({ endUsdt, hourly }) => endUsdt - (hourly[0]?.[1] ?? endUsdt));
  const [fees, funding] = [sum(({ feesUsdt }) => Number(feesUsdt)), sum(({ fundingUsdt }) => Number(fundingUsdt))];
  const traded = sum(({ tradedUsdt }) => tradedUsdt);
  const equityDays = sum(
    ({ hourly }) => ((hourly[0]?.[1] ?? 0) * ((hourly.at(-1)?.[0] ?? 0) - (hourly[0]?.[0] ?? 0))) / DAY_MS,
  );
  const gross = net + fees + funding;
  return {
    turnover: equityDays > 0 ? traded / equityDays : 0,
    costShare: gross > 0 ? (fees + funding) / gross : null,
    breakEvenBps: traded > 0 ? ((net + fees) / traded) * 1e4 : null,
  };
}

/** Number of strategies whose returns are correlated with each other: the best ones. */
const COMPARED = 4;

/** Correlation of the returns of the best candidates: -1 to 1, for pairs of the best strategies. */
function correlationsOf(candidates: readonly CandidateFigures[]): readonly StrategyPair[] {
  const best = [...new Set(candidates.map(({ strategy }) => strategy))]
    .flatMap((strategy) => candidates.find((one) => one.strategy === strategy) ?? [])
    .slice(0, COMPARED);
  return best.flatMap((first, at) =>
    best.slice(at + 1).flatMap((second) => {
      const count = Math.min(first.returns.length, second.returns.length);
      const [a, b] = [first.returns.slice(0, count), second.returns.slice(0, count)];
      if (new Set(a).size < 2 || new Set(b).size < 2) return [];
      return [
        { strategies: [first.strategy, second.strategy] as const, correlation: sampleCorrelation([...a], [...b]) },
      ];
    }),
  );
}

function annualised(returns: readonly number[], periodsAYear: number): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread > 0 ? (mean([...returns]) / spread) * Math.sqrt(periodsAYear) : null;
}
