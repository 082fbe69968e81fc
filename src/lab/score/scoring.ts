/** Ranks a field of entrants by the competition's composite of four figures. Records §8.3. */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { competitionFigures, type EquityPoint } from "../../domain/competition-figures.ts";
import { drawdownScore, type Scoring, uptimeFactor } from "../../domain/scoring.ts";
import { normalBelow } from "../figures/sharpe.ts";

/** Points oldest first. `uptime` is a fraction; 1 for a backtest. */
export interface Entrant {
  readonly name: string;
  readonly points: readonly EquityPoint[];
  readonly uptime: number;
}

/** `composite` is 0 to 100, and 0 for eliminated entrants; `rank` counts from 1, eliminated entrants last. */
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

/** Percentile of a value in its field, 0 to 100; 50 if all values are equal. */
function percentileIn(field: readonly number[]): (value: number) => number {
  const spread = field.length < 2 ? 0 : sampleStandardDeviation([...field]);
  const centre = field.length === 0 ? 0 : mean([...field]);
  return (value) => (spread === 0 ? 50 : 100 * normalBelow((value - centre) / spread));
}

/** The field by composite, best first. Equal composites keep their input order. */
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
