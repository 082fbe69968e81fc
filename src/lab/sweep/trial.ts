/** One run of a sweep: its parameters and its result. Both pass between threads and are stored as JSON. */
import { hashOf } from "../../core/hash.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { toWire } from "../../core/decimal.ts";
import type { FastRun } from "../fast/fast-run.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import type { MarketChoice } from "../runs/practice-config.ts";
import type { Candidate } from "./variation.ts";

/** `label` names a stretch that every candidate runs over; times are those of the data. */
export interface TrialStretch {
  readonly label: string;
  readonly fromMs: number;
  readonly forMs: number;
  readonly seed: number;
}

export interface Trial {
  /** Text of the configuration file, before the candidate's settings are applied. */
  readonly text: string;
  readonly strategy: string;
  readonly candidate: Candidate;
  readonly market: MarketChoice;
  readonly stretch: TrialStretch;
  /** What decides in it: another release, or an edit of the owner's strategy, is another trial. */
  readonly code: string;
}

/** Paid money is exact decimal text. */
export interface TrialResult {
  readonly endUsdt: number;
  readonly worstUsdt: number;
  readonly executions: number;
  readonly closedPositions: number;
  readonly feesUsdt: string;
  readonly fundingUsdt: string;
  /** Value of all fills. */
  readonly tradedUsdt: number;
  readonly eliminated: boolean;
  readonly ended: string | null;
  /** Equity at every full hour, including the first and the last point; all figures derive from it. */
  readonly hourly: readonly (readonly [atMs: number, equityUsdt: number])[];
}

/** Version of the result's form: a stored result of another version is not reused. */
const SHAPE = 2;

/** Identifies a run across processes. */
export const trialKey = (trial: Trial): string => hashOf({ shape: SHAPE, trial }).slice(0, 24);

export function resultOf(run: FastRun): TrialResult {
  const { points } = run;
  return {
    endUsdt: points.at(-1)?.equityUsdt ?? 0,
    worstUsdt: points.reduce((worst, { equityUsdt }) => Math.min(worst, equityUsdt), Infinity),
    executions: run.executions,
    closedPositions: run.closedPositions,
    feesUsdt: toWire(run.feesUsdt),
    fundingUsdt: toWire(run.fundingUsdt),
    tradedUsdt: run.tradedUsdt,
    eliminated: run.eliminated,
    ended: run.ended,
    hourly: points
      .filter(({ atMs }, at) => atMs % HOUR_MS === 0 || at === 0 || at === points.length - 1)
      .map(({ atMs, equityUsdt }) => [atMs, equityUsdt]),
  };
}

export const pointsOf = ({ hourly }: TrialResult): readonly EquityPoint[] =>
  hourly.map(([atMs, equityUsdt]) => ({ atMs, equityUsdt }));

/** Days if the run has at least ten, otherwise hours. */
export const spanOf = ({ hourly }: TrialResult): number =>
  (hourly.at(-1)?.[0] ?? 0) - (hourly[0]?.[0] ?? 0) >= 10 * DAY_MS ? DAY_MS : HOUR_MS;

/** Returns of whole spans from the start of the run. */
export function returnsOf(result: TrialResult): readonly number[] {
  const { hourly } = result;
  const first = hourly[0]?.[0] ?? 0;
  const spanMs = spanOf(result);
  const ends = hourly.filter(([atMs], at) => at === 0 || (atMs - first) % spanMs === 0).map(([, equity]) => equity);
  return ends.slice(1).map((equity, at) => equity / (ends[at] ?? equity) - 1);
}
