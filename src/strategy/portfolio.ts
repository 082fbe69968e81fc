/**
 * Converts forecasts to weights: inverse volatility, a volatility target for the portfolio, and a band in which nothing is
 * traded. Weights are signed shares of equity, volatilities hourly fractions.
 */
import { sampleCorrelation } from "simple-statistics";

/**
 * Half the estimated correlations plus half their mean. Estimates from a few hundred hours err most at the extremes; O. Ledoit and M. Wolf, Honey, I Shrunk the Sample Covariance Matrix (2004) shrink to the same target.
 */
const SHRINKAGE = 0.5;
const HOURS_A_YEAR = 24 * 365;

export type Matrix = readonly (readonly number[])[];

/** Correlations of return series of equal length, shrunk to their mean; zero for a series that does not move. */
export function shrunkCorrelations(series: Matrix): Matrix {
  const raw = series.map((a) => series.map((b) => (a === b ? 1 : correlation(a, b))));
  const pairs = raw.flatMap((row, i) => row.slice(i + 1));
  const mean = pairs.length === 0 ? 0 : pairs.reduce((sum, one) => sum + one, 0) / pairs.length;
  return raw.map((row, i) => row.map((one, j) => (i === j ? 1 : (1 - SHRINKAGE) * one + SHRINKAGE * mean)));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const found = a.length < 2 ? NaN : sampleCorrelation([...a], [...b]);
  return Number.isFinite(found) ? Math.max(-1, Math.min(1, found)) : 0;
}

/** Yearly standard deviation of positions with these weights. */
export function yearlyVolatility(
  weights: readonly number[],
  volatilities: readonly number[],
  correlations: Matrix,
): number {
  const risks = weights.map((weight, at) => weight * (volatilities[at] ?? 0));
  let variance = 0;
  for (const [i, a] of risks.entries())
    for (const [j, b] of risks.entries()) variance += a * b * (correlations[i]?.[j] ?? 0);
  return Math.sqrt(Math.max(0, variance) * HOURS_A_YEAR);
}

/** The inputs of the weights, one entry per position. */
export interface Bets {
  /** -1 to 1; 0.5 is the average strength. */
  readonly forecasts: readonly number[];
  readonly volatilities: readonly number[];
  readonly correlations: Matrix;
}

/**
 * Forecast over volatility, so that equal forecasts carry equal risk, scaled so that the same positions at average strength
 * have the target volatility: weak forecasts take less risk, strong ones up to twice as much. Offsetting sides are treated as
 * independent at most, because the correlation that makes them a hedge may not last.
 */
export function targetWeights(
  { forecasts, volatilities, correlations }: Bets,
  yearlyTarget: number,
): readonly number[] {
  const average = forecasts.map((forecast, at) => (0.5 * Math.sign(forecast)) / (volatilities[at] ?? Infinity));
  const independent = correlations.map((row, i) => row.map((_one, j) => (i === j ? 1 : 0)));
  const risk = Math.max(
    yearlyVolatility(average, volatilities, correlations),
    yearlyVolatility(average, volatilities, independent),
  );
  if (!(risk > 0)) return forecasts.map(() => 0);
  return forecasts.map((forecast, at) => ((yearlyTarget / risk) * forecast) / (volatilities[at] ?? Infinity));
}

/** The new weight: unchanged within `band` of the target, otherwise the nearer edge of that band. */
export function buffered(target: number, held: number, band: number): number {
  if (Math.abs(target - held) <= band) return held;
  return target > held ? target - band : target + band;
}
