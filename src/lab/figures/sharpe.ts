/**
 * How reliable a Sharpe ratio is. All ratios here are per period of the returns, not annualised; each formula names its
 * paper.
 */
import { type ReturnMoments, sharpeError, sharpeSpread } from "../../domain/return-moments.ts";
import { errorFunction, probit } from "simple-statistics";

/** Probability that the true ratio is above `benchmark`. Bailey and Lopez de Prado 2012, "The Sharpe Ratio Efficient Frontier". */
export function probabilisticSharpe(moments: ReturnMoments, benchmark = 0): number {
  const error = sharpeError(moments);
  return error > 0 ? normalBelow((moments.sharpe - benchmark) / error) : Number(moments.sharpe > benchmark);
}

/**
 * Number of returns needed to show at that confidence that the ratio is above `benchmark`; Infinity if it is not above.
 * Same paper, equation 13.
 */
export function minimumTrackRecord(moments: ReturnMoments, benchmark: number, confidence = 0.95): number {
  if (moments.sharpe <= benchmark) return Infinity;
  return 1 + sharpeSpread(moments) * (normalQuantile(confidence) / (moments.sharpe - benchmark)) ** 2;
}

const EULER = 0.5772156649015329;

/**
 * The expected best ratio of this many trials without an edge, from the variance of the ratios over the trials. Bailey
 * and Lopez de Prado 2014, "The Deflated Sharpe Ratio", equation 1.
 */
export function expectedBestSharpe(trials: number, variance: number): number {
  if (trials < 2) return 0;
  const best = normalQuantile(1 - 1 / trials);
  const next = normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - EULER) * best + EULER * next);
}

/**
 * The probabilistic ratio against the best ratio that luck alone would produce in all trials. Same paper, equation 2.
 */
export const deflatedSharpe = (moments: ReturnMoments, trials: number, variance: number): number =>
  probabilisticSharpe(moments, expectedBestSharpe(trials, variance));

/** Share of the standard normal distribution below `z`, exact to 1e-7: the tables of the statistics library are too coarse for tails. */
export const normalBelow = (z: number): number => 0.5 * (1 + errorFunction(z / Math.SQRT2));

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** The inverse: the `z` below which that share lies, for a share above 0 and below 1. */
export function normalQuantile(share: number): number {
  let z = probit(share);
  for (let step = 0; step < 3; step++) z -= (normalBelow(z) - share) / density(z);
  return z;
}
