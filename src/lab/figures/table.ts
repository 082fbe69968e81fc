/** The rows of a backtest's table, best first: the same figures for people and, as JSON, for machines. */
import { toWire } from "../../core/decimal.ts";
import { competitionFigures } from "../../domain/competition-figures.ts";
import { type BacktestFigures, figuresOf, type BacktestRun } from "./run-figures.ts";

/** Paid money is exact decimal text, for JSON. */
export interface ResultRow
  extends Omit<BacktestRun, "points" | "feesUsdt" | "fundingUsdt" | "modelUsd">, BacktestFigures {
  /**
   * By the organiser's rule: readings at full hours, a day from 00:00 to 23:00 UTC. The other ratios use every reading.
   */
  readonly organiserSharpe: number | null;
  readonly organiserDrawdown: number;
  /** The return minus that of `hold` over the same stretch, if `hold` ran too. */
  readonly overHold: number | null;
  readonly endEquityUsdt: number;
  readonly feesUsdt: string;
  readonly fundingUsdt: string;
  readonly modelUsd: string;
}

/** The highest return first. */
export function resultRows(runs: readonly BacktestRun[]): readonly ResultRow[] {
  const held = runs.find(({ strategy }) => strategy === "hold");
  const holdReturn = held ? figuresOf(held.points).returnFraction : null;
  const rows = runs.map((run): ResultRow => {
    const { strategy, points, executions, closedPositions, winRate, decisions, eliminated, ended, models, questions } =
      run;
    const { feesUsdt, fundingUsdt, modelUsd } = run;
    const figures = figuresOf(points);
    const organiser = competitionFigures(points);
    return {
      ...{ strategy, executions, closedPositions, winRate, decisions, eliminated, ended, models },
      ...(questions ? { questions } : {}),
      ...figures,
      organiserSharpe: organiser.sharpe,
      organiserDrawdown: organiser.maxDrawdown,
      overHold: holdReturn === null ? null : figures.returnFraction - holdReturn,
      endEquityUsdt: points.at(-1)?.equityUsdt ?? 0,
      feesUsdt: toWire(feesUsdt),
      fundingUsdt: toWire(fundingUsdt),
      modelUsd: toWire(modelUsd),
    };
  });
  return rows.sort((a, b) => b.returnFraction - a.returnFraction);
}

/** Headings of the cells from `cellsOf`. */
export const HEADINGS = [
  "strategy",
  "return",
  "over hold",
  "end USDT",
  "worst USDT",
  "drawdown",
  "hourly drawdown",
  "Sharpe",
  "organiser's Sharpe",
  "decisions",
  "fills",
  "closed",
  "won",
  "fees",
  "funding",
  "model USD",
  "model",
  "ended early",
] as const;

const percent = (fraction: number | null): string => (fraction === null ? "-" : `${(fraction * 100).toFixed(2)} %`);

const figure = (value: number | null): string => (value === null ? "-" : value.toFixed(2));

/** The cells of a row, in the order of `HEADINGS`. */
export const cellsOf = (row: ResultRow): readonly string[] => [
  row.strategy,
  percent(row.returnFraction),
  percent(row.overHold),
  row.endEquityUsdt.toFixed(2),
  row.worstEquityUsdt.toFixed(2),
  percent(row.maxDrawdown),
  percent(row.organiserDrawdown),
  figure(row.sharpe),
  figure(row.organiserSharpe),
  String(row.decisions),
  String(row.executions),
  String(row.closedPositions),
  row.winRate === null ? "-" : `${Math.round(row.winRate * 100)} %`,
  Number(row.feesUsdt).toFixed(2),
  Number(row.fundingUsdt).toFixed(2),
  Number(row.modelUsd).toFixed(4),
  row.models.length === 0 ? "-" : row.models.join(", "),
  row.ended ?? (row.eliminated ? "eliminated" : ""),
];
