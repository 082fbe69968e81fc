/** The allowed difference between a fast and a full run of the same stretch, and where a difference comes from. */
import { MINUTE_MS } from "../../core/time.ts";
import type { ClosedTradeRow } from "../../rows/trade.ts";
import type { BacktestRun, TradedRun } from "../figures/run-figures.ts";

/** For a start of 1,000: two agents whose decisions are a few seconds apart differ by this much. */
const DISTANCE_USDT = 4;
/** Each fill gets an interpolated price inside a bar: 5 bp of an order of 400 USDT. */
const DISTANCE_A_FILL_USDT = 0.2;

/** The allowed difference between two final equities, USDT. */
const statedDistance = (fast: BacktestRun, full: BacktestRun): number =>
  Math.max(DISTANCE_USDT, DISTANCE_A_FILL_USDT * Math.max(fast.executions, full.executions));

/**
 * True if the fast run ends further than allowed from all that the full runs span. Full runs with different seeds take different
 * paths inside the same bars, and no record says which path the market took.
 */
export function apart(fast: BacktestRun, fulls: readonly BacktestRun[]): boolean {
  const end = endOf(fast);
  const ends = fulls.map(endOf);
  const beyond = Math.max(Math.min(...ends) - end, end - Math.max(...ends));
  return beyond > Math.max(...fulls.map((full) => statedDistance(fast, full)));
}

const endOf = ({ points }: BacktestRun): number => points.at(-1)?.equityUsdt ?? 0;

/** Two trades count as the same decision if they began within this time of each other. */
const SAME_WITHIN_MS = 10 * MINUTE_MS;

/** The parts of the difference of two runs, USDT: trades that both made, trades that only one made, and open positions. */
export interface RunDifference {
  readonly sameTrades: number;
  readonly fastAlone: number;
  readonly fullAlone: number;
  readonly rest: number;
}

/** The parts of fast minus full, which add up to the difference. A trade without a known result counts as 0. */
export function gapOf(fast: TradedRun, full: TradedRun): RunDifference {
  const others = [...full.trades];
  const alone: ClosedTradeRow[] = [];
  let sameTrades = 0;
  for (const trade of fast.trades) {
    const at = others.findIndex((other) => isSame(trade, other));
    const [other] = at < 0 ? [] : others.splice(at, 1);
    if (other) sameTrades += netOf(trade) - netOf(other);
    else alone.push(trade);
  }
  const fastAlone = alone.reduce((sum, trade) => sum + netOf(trade), 0);
  const fullAlone = others.reduce((sum, trade) => sum - netOf(trade), 0);
  return { sameTrades, fastAlone, fullAlone, rest: endOf(fast) - endOf(full) - sameTrades - fastAlone - fullAlone };
}

const isSame = (a: ClosedTradeRow, b: ClosedTradeRow): boolean =>
  a.symbol === b.symbol && a.side === b.side && Math.abs(a.openedAtMs - b.openedAtMs) <= SAME_WITHIN_MS;
const netOf = ({ netUsdt }: ClosedTradeRow): number => netUsdt?.toNumber() ?? 0;

/** `same trades -1.20, trades of the fast run alone +0.40, of the full run alone -3.00, still open +0.02 USDT`. */
export function gapText({ sameTrades, fastAlone, fullAlone, rest }: RunDifference): string {
  const signed = (usdt: number): string => `${usdt < 0 ? "-" : "+"}${Math.abs(usdt).toFixed(2)}`;
  return `same trades ${signed(sameTrades)}, trades of the fast run alone ${signed(fastAlone)}, of the full run alone ${signed(fullAlone)}, still open ${signed(rest)} USDT`;
}
