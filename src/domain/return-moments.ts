/** The moments of a series of returns, and how far the Sharpe ratio made of them can be off. Nothing is annualised here. */
import { mean, sampleStandardDeviation } from "simple-statistics";

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
export const sharpeSpread = ({ sharpe, skewness, kurtosis }: ReturnMoments): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;

/** Standard error of the Sharpe ratio under returns that need not be normal. Mertens 2002. */
export const sharpeError = (moments: ReturnMoments): number =>
  Math.sqrt(Math.max(0, sharpeSpread(moments)) / (moments.count - 1));
