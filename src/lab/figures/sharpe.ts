/**
 * How far a Sharpe ratio can be believed. All ratios here are per period of the returns, not annualised; a docstring names
 * the paper of each formula.
 */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { normalBelow, normalQuantile } from "./normal.ts";

/** `kurtosis` is that of the fourth moment, 3 for a normal distribution. */
export interface ReturnMoments {
  readonly count: number;
  readonly sharpe: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

/** Null with fewer than three returns or without any variation. */
export function momentsOf(returns: readonly number[]): ReturnMoments | null {
  if (returns.length < 3) return null;
  const values = [...returns];
  const centre = mean(values);
  const moment = (power: number): number => mean(values.map((value) => (value - centre) ** power));
  const variance = moment(2);
  if (!(variance > 0)) return null;
  return {
    count: values.length,
    sharpe: centre / sampleStandardDeviation(values),
    skewness: moment(3) / variance ** 1.5,
    kurtosis: moment(4) / variance ** 2,
  };
}

/** The variance of the estimate times `count - 1`. Mertens 2002; Bailey and Lopez de Prado 2012, equation 7. */
const spread = ({ sharpe, skewness, kurtosis }: ReturnMoments): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;

/** Standard error of the Sharpe ratio under returns that need not be normal. Mertens 2002. */
export const sharpeError = (moments: ReturnMoments): number =>
  Math.sqrt(Math.max(0, spread(moments)) / (moments.count - 1));

/** Probability that the true ratio is above `benchmark`. Bailey and Lopez de Prado 2012, "The Sharpe Ratio Efficient Frontier". */
export function probabilisticSharpe(moments: ReturnMoments, benchmark = 0): number {
  const error = sharpeError(moments);
  return error > 0 ? normalBelow((moments.sharpe - benchmark) / error) : Number(moments.sharpe > benchmark);
}

/**
 * How many returns it takes before the ratio is above `benchmark` with that confidence; Infinity where it is not above. Same
 * paper, equation 13.
 */
export function minimumTrackRecord(moments: ReturnMoments, benchmark: number, confidence = 0.95): number {
  if (moments.sharpe <= benchmark) return Infinity;
  return 1 + spread(moments) * (normalQuantile(confidence) / (moments.sharpe - benchmark)) ** 2;
}

const EULER = 0.5772156649015329;

/**
 * The ratio that the best of so many useless trials is expected to show, from the variance of the ratios over the trials.
 * Bailey and Lopez de Prado 2014, "The Deflated Sharpe Ratio", equation 1.
 */
export function expectedBestSharpe(trials: number, variance: number): number {
  if (trials < 2) return 0;
  const best = normalQuantile(1 - 1 / trials);
  const next = normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - EULER) * best + EULER * next);
}

/** The probabilistic ratio against what the best of all trials would show by luck. Same paper, equation 2. */
export const deflatedSharpe = (moments: ReturnMoments, trials: number, variance: number): number =>
  probabilisticSharpe(moments, expectedBestSharpe(trials, variance));
