/** What the results of a sweep say together: each candidate with its figures, and how much of the best one is luck. */
import { mean, sampleStandardDeviation, variance } from "simple-statistics";
import { seededEntropy } from "../../core/entropy.ts";
import { DAY_MS } from "../../core/time.ts";
import { bootstrapInterval, type Interval } from "../figures/bootstrap.ts";
import { type Overfitting, overfittingOf } from "../figures/overfitting.ts";
import { figuresOf } from "../figures/run-figures.ts";
import { deflatedSharpe, momentsOf, probabilisticSharpe } from "../figures/sharpe.ts";
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
  /** Interval of the mean return of a day, 90 %. */
  readonly dailyReturn: Interval | null;
  readonly executions: number;
  readonly feesUsdt: number;
  readonly eliminated: number;
  readonly runs: number;
  readonly returns: readonly number[];
}

export interface Judgement {
  /** Best Sharpe ratio first; those without one last. */
  readonly candidates: readonly CandidateFigures[];
  readonly trials: number;
  /** Probability that the best candidate's ratio is above 0, and above what the best of all would show by luck. */
  readonly probabilistic: number | null;
  readonly deflated: number | null;
  readonly overfitting: Overfitting | null;
  /** Runs that could not begin, each reason once. */
  readonly problems: readonly string[];
}

/** Of the stretches that every candidate ran over: those of tests are judged apart. */
export function judge(trials: readonly StoredTrial[]): Judgement {
  const byCandidate = new Map<string, StoredTrial[]>();
  for (const trial of trials) {
    if (trial.result === null) continue;
    const name = `${trial.strategy} ${trial.candidate}`;
    byCandidate.set(name, [...(byCandidate.get(name) ?? []), trial]);
  }
  const candidates = [...byCandidate.values()].map(figuresOfCandidate).sort(bySharpe);
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
    problems: [...new Set(trials.flatMap(({ problem }) => (problem === null ? [] : [problem])))],
  };
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
  const aDay = DAY_MS / spanMs;
  return {
    strategy: first?.strategy ?? "",
    candidate: first?.candidate ?? "{}",
    returnFraction: mean(perRun.map(({ returnFraction }) => returnFraction)),
    worstUsdt: Math.min(...results.map(({ worstUsdt }) => worstUsdt)),
    maxDrawdown: Math.max(...perRun.map(({ maxDrawdown }) => maxDrawdown)),
    sharpe: annualised(returns, 365 * aDay),
    dailyReturn: bootstrapInterval(returns, (all) => mean([...all]) * aDay, {
      entropy: seededEntropy("sweep:interval"),
      draws: 400,
    }),
    executions: results.reduce((sum, { executions }) => sum + executions, 0),
    feesUsdt: results.reduce((sum, { feesUsdt }) => sum + Number(feesUsdt), 0),
    eliminated: results.filter(({ eliminated }) => eliminated).length,
    runs: results.length,
    returns,
  };
}

function annualised(returns: readonly number[], periodsAYear: number): number | null {
  if (returns.length < 2) return null;
  const spread = sampleStandardDeviation([...returns]);
  return spread > 0 ? (mean([...returns]) / spread) * Math.sqrt(periodsAYear) : null;
}
