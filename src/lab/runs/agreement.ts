/** How far a fast run may end from the full run of the same stretch. */
import type { BacktestRun } from "../figures/run-figures.ts";

/** Of 1,000 that a run begins with: two agents whose decisions fall some seconds apart differ by so much anyway. */
const DISTANCE_USDT = 4;
/** Each fill meets a price inside a bar that the fast run made up: 5 bp of an order of 400 USDT. */
const DISTANCE_A_FILL_USDT = 0.2;

/** The stated distance between the two ends, USDT. */
export const statedDistance = (fast: BacktestRun, full: BacktestRun): number =>
  Math.max(DISTANCE_USDT, DISTANCE_A_FILL_USDT * Math.max(fast.executions, full.executions));

/** True where the two ends are further apart than is stated. */
export function apart(fast: BacktestRun, full: BacktestRun): boolean {
  const end = ({ points }: BacktestRun): number => points.at(-1)?.equityUsdt ?? 0;
  return Math.abs(end(fast) - end(full)) > statedDistance(fast, full);
}
