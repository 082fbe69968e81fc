/** How far a fast run may end from the full run of the same stretch. */
import type { BacktestRun } from "../figures/run-figures.ts";

/** Of a start of 1,000: two agents whose decisions are some seconds apart differ by that much. */
const DISTANCE_USDT = 4;
/** Each fill gets an interpolated price inside a bar: 5 bp of an order of 400 USDT. */
const DISTANCE_A_FILL_USDT = 0.2;

/** The allowed distance between the two ends, USDT. */
export const statedDistance = (fast: BacktestRun, full: BacktestRun): number =>
  Math.max(DISTANCE_USDT, DISTANCE_A_FILL_USDT * Math.max(fast.executions, full.executions));

/** True if the two ends are further apart than allowed. */
export function apart(fast: BacktestRun, full: BacktestRun): boolean {
  const end = ({ points }: BacktestRun): number => points.at(-1)?.equityUsdt ?? 0;
  return Math.abs(end(fast) - end(full)) > statedDistance(fast, full);
}
