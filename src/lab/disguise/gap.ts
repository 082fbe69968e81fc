/**
 * How much more a run earned than the same run in disguise: the part of its return that needs true names, dates or
 * prices. Returns are paired by the hour or day of the run, so that the part that both earned from the market cancels
 * out.
 */
import { mean } from "simple-statistics";
import type { Entropy } from "../../core/entropy.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { EquityPoint } from "../../domain/competition-figures.ts";
import { bootstrapInterval, type Interval } from "../figures/bootstrap.ts";
import { figuresOf, type TradedRun } from "../figures/run-figures.ts";
import { normalBelow, normalQuantile } from "../figures/sharpe.ts";

/** All figures are fractions of the starting capital. */
export interface ContaminationGap {
  readonly strategy: string;
  /** Length of the paired periods, and how many there were. */
  readonly periodMs: number;
  readonly periods: number;
  readonly plainReturn: number;
  /** One per disguise, in their order. */
  readonly disguisedReturns: readonly number[];
  /** Plain return less the mean of the disguised ones; null if a run did not reach its end. */
  readonly gap: number | null;
  /** The 95 % interval of the gap; null with fewer than four periods. */
  readonly interval: Interval | null;
  /** Why there is no gap or no interval. */
  readonly problem: string | null;
}

const LEVEL = 0.95;
const DRAWS = 2_000;
/** From this many days on, the periods are days. */
const DAYS_MIN = 10;

/**
 * The share of the draws between the ends of the interval. Resampling few values underestimates their spread, so the
 * interval is widened by the ratio of Student's t to the normal distribution. Hesterberg 2015, "What Teachers Should
 * Know About the Bootstrap", section 4: the expanded percentile interval.
 */
function expandedLevel(count: number): number {
  const [z, freedom] = [normalQuantile((1 + LEVEL) / 2), Math.max(1, count - 1)];
  // The quantile of t by its expansion in 1 / freedom, Abramowitz and Stegun 26.7.5.
  const t = z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
  return 2 * normalBelow(t * Math.sqrt(count / freedom)) - 1;
}

/**
 * The result of each period from the start of the run, as a fraction of the starting capital; the last period may be
 * shorter.
 */
function gainsOf(points: readonly EquityPoint[], periodMs: number, periods: number): readonly number[] {
  const [first] = points;
  if (!first) return [];
  const ends = Array.from({ length: periods + 1 }, () => first.equityUsdt);
  let last = first.equityUsdt;
  let filled = 0;
  for (const { atMs, equityUsdt } of points) {
    const at = Math.min(periods, Math.ceil((atMs - first.atMs) / periodMs));
    // A period without a point keeps the previous equity.
    for (; filled < at - 1; filled++) ends[filled + 1] = last;
    ends[at] = equityUsdt;
    filled = at;
    last = equityUsdt;
  }
  for (; filled < periods; filled++) ends[filled + 1] = last;
  return ends.slice(1).map((equity, at) => (equity - (ends[at] ?? equity)) / first.equityUsdt);
}

/** Sums of equal gains may differ in their last binary digit; that is no difference. */
const clear = (difference: number): number => (Math.abs(difference) < 1e-12 ? 0 : difference);

/** The run of an eliminated account is complete; a run that stopped for another reason is not. */
const cutShort = ({ ended, eliminated }: TradedRun): string | null => (eliminated ? null : ended);

/** `runs` are the disguised ones, at least one. Times of each run count from its own start. */
export function gapOf(plain: TradedRun, runs: readonly TradedRun[], entropy: Entropy): ContaminationGap {
  const { strategy, points } = plain;
  const spanMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0);
  const longest = Math.max(spanMs, ...runs.map((run) => (run.points.at(-1)?.atMs ?? 0) - (run.points[0]?.atMs ?? 0)));
  const periodMs = longest >= DAYS_MIN * DAY_MS ? DAY_MS : HOUR_MS;
  const periods = Math.max(1, Math.ceil(longest / periodMs));
  const returnOf = ({ points: of }: TradedRun): number => figuresOf(of).returnFraction;
  const [plainReturn, disguisedReturns] = [returnOf(plain), runs.map(returnOf)];
  const about = { strategy, periodMs, periods, plainReturn, disguisedReturns };
  const short = [plain, ...runs].map(cutShort).find((why) => why !== null);
  if (short !== undefined) return { ...about, gap: null, interval: null, problem: `a run ended early: ${short ?? ""}` };
  const [own, ...others] = [plain, ...runs].map((run) => gainsOf(run.points, periodMs, periods));
  const differences = (own ?? []).map((gain, at) => clear(gain - mean(others.map((gains) => gains[at] ?? 0))));
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const interval = bootstrapInterval(differences, total, { entropy, draws: DRAWS, level: expandedLevel(periods) });
  const problem =
    interval === null ? `the run is too short for an interval: ${periods} paired periods, four are needed` : null;
  return { ...about, gap: clear(plainReturn - mean([...disguisedReturns])), interval, problem };
}

/** `memory` if the interval is above zero, `reverse` if below, `none` if it contains zero. */
export const verdictOf = ({ interval }: ContaminationGap): "memory" | "none" | "reverse" | "unknown" =>
  interval === null ? "unknown" : interval.low > 0 ? "memory" : interval.high < 0 ? "reverse" : "none";
