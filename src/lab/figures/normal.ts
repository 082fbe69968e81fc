/** The standard normal distribution, exact to 1e-7: the tables of the statistics library are too coarse for tails. */
import { errorFunction, probit } from "simple-statistics";

/** Share of the distribution below `z`. */
export const normalBelow = (z: number): number => 0.5 * (1 + errorFunction(z / Math.SQRT2));

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** The `z` below which that share lies, for a share above 0 and below 1. */
export function normalQuantile(share: number): number {
  let z = probit(share);
  for (let step = 0; step < 3; step++) z -= (normalBelow(z) - share) / density(z);
  return z;
}
