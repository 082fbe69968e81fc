/** The competition's score as a file says it is: composite of four figures over a field of entrants. Records §8.3. */
import { readFileSync } from "node:fs";
import { mean, sampleStandardDeviation } from "simple-statistics";
import { parse } from "yaml";
import { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";
import { competitionFigures } from "../figures/competition-figures.ts";
import { normalBelow } from "../figures/normal.ts";
import type { EquityPoint } from "../figures/run-figures.ts";

const fraction = z.number().min(0).max(1);
const weights = z
  .strictObject({ sharpe: fraction, pnl: fraction, roi: fraction, drawdown: fraction })
  .refine(({ sharpe, pnl, roi, drawdown }) => Math.abs(sharpe + pnl + roi + drawdown - 1) < 1e-9, "must add up to 1");

/** The scoring file, checked; config/scoring/track-a.yaml says how sure each figure is. */
export const ScoringSchema = z.strictObject({
  weights,
  drawdownTiers: z
    .array(z.tuple([fraction, z.number().min(0).max(100)]))
    .min(1)
    .refine((tiers) => tiers.every(([upTo], at) => at === 0 || upTo > (tiers[at - 1]?.[0] ?? 0)), "must rise"),
  eliminationUsdt: z.number().min(0),
  uptime: z.strictObject({ disqualifiedBelow: fraction, penalisedBelow: fraction, largestPenalty: fraction }),
});
export type Scoring = Readonly<z.output<typeof ScoringSchema>>;

/** The error names file, setting and rule. */
export function loadScoring(file: string): Result<Scoring, string> {
  let values: unknown;
  try {
    values = parse(readFileSync(file, "utf8"));
  } catch (cause) {
    return err(`${file} cannot be read as a scoring file: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const read = ScoringSchema.safeParse(values);
  if (read.success) return ok(read.data);
  return err(
    read.error.issues.map(({ path, message }) => `${file}: ${path.join(".") || "(file)"}: ${message}`).join("\n"),
  );
}

/** Points oldest first. `uptime` is a fraction; a backtest that never stops has 1. */
export interface Entrant {
  readonly name: string;
  readonly points: readonly EquityPoint[];
  readonly uptime: number;
}

/** `composite` is 0 to 100, and 0 for who is out; `rank` counts from 1, those who are out last. */
export interface Placed {
  readonly name: string;
  readonly composite: number;
  readonly rank: number;
  readonly eliminated: boolean;
  readonly disqualified: boolean;
  readonly sharpe: number;
  readonly pnlUsdt: number;
  readonly maxDrawdown: number;
}

/** Score of a largest fall, 0 to 100. */
export const drawdownScore = ({ drawdownTiers }: Scoring, drawdown: number): number =>
  drawdownTiers.find(([upTo]) => drawdown <= upTo)?.[1] ?? 0;

function measured({ name, points, uptime }: Entrant, scoring: Scoring) {
  const [first, last] = [points[0]?.equityUsdt ?? 0, points.at(-1)?.equityUsdt ?? 0];
  const { sharpe, maxDrawdown } = competitionFigures(points);
  return {
    name,
    uptime,
    sharpe: sharpe ?? 0,
    pnlUsdt: last - first,
    roi: first > 0 ? last / first - 1 : 0,
    maxDrawdown,
    eliminated: points.some(({ equityUsdt }) => equityUsdt < scoring.eliminationUsdt),
    disqualified: uptime < scoring.uptime.disqualifiedBelow,
  };
}

/** Percentile of a value in its field, 0 to 100; 50 where the field does not spread. */
function percentileIn(field: readonly number[]): (value: number) => number {
  const spread = field.length < 2 ? 0 : sampleStandardDeviation([...field]);
  const centre = field.length === 0 ? 0 : mean([...field]);
  return (value) => (spread === 0 ? 50 : 100 * normalBelow((value - centre) / spread));
}

/** Share of the composite that is left at this uptime. */
export function uptimeFactor({ uptime: limits }: Scoring, uptime: number): number {
  if (uptime >= limits.penalisedBelow) return 1;
  const depth = (limits.penalisedBelow - uptime) / (limits.penalisedBelow - limits.disqualifiedBelow);
  return 1 - limits.largestPenalty * Math.min(1, depth);
}

/** All of a field by their composite, the best first. Equal composites keep the order in which they were given. */
export function placeField(entrants: readonly Entrant[], scoring: Scoring): readonly Placed[] {
  const all = entrants.map((entrant) => measured(entrant, scoring));
  const pool = all.filter(({ eliminated, disqualified }) => !eliminated && !disqualified);
  const [sharpeOf, pnlOf, roiOf] = [
    percentileIn(pool.map(({ sharpe }) => sharpe)),
    percentileIn(pool.map(({ pnlUsdt }) => pnlUsdt)),
    percentileIn(pool.map(({ roi }) => roi)),
  ];
  const { weights: share } = scoring;
  const placed = all.map((one) => {
    const out = one.eliminated || one.disqualified;
    const composite =
      share.sharpe * sharpeOf(one.sharpe) +
      share.pnl * pnlOf(one.pnlUsdt) +
      share.roi * roiOf(one.roi) +
      share.drawdown * drawdownScore(scoring, one.maxDrawdown);
    return { ...one, composite: out ? 0 : composite * uptimeFactor(scoring, one.uptime) };
  });
  return placed
    .sort((a, b) => b.composite - a.composite)
    .map(({ name, composite, eliminated, disqualified, sharpe, pnlUsdt, maxDrawdown }, at) => ({
      ...{ name, composite, rank: at + 1, eliminated, disqualified, sharpe, pnlUsdt, maxDrawdown },
    }));
}
