/** How the competition scores a largest fall and an uptime. The figures come from a file, which says how sure each is. */

/** Fractions of 1. The composite is the weighted sum of four scores from 0 to 100. */
export interface Scoring {
  readonly weights: {
    readonly sharpe: number;
    readonly pnl: number;
    readonly roi: number;
    readonly drawdown: number;
  };
  /** Score of a largest fall, as [up to this fraction, score], rising; 0 above the last one. */
  readonly drawdownTiers: readonly (readonly [upTo: number, score: number])[];
  readonly eliminationUsdt: number;
  /** Below the first an entrant is out; up to the second its composite is reduced. */
  readonly uptime: {
    readonly disqualifiedBelow: number;
    readonly penalisedBelow: number;
    readonly largestPenalty: number;
  };
}

/** Score of a largest fall, 0 to 100. */
export const drawdownScore = ({ drawdownTiers }: Pick<Scoring, "drawdownTiers">, drawdown: number): number =>
  drawdownTiers.find(([upTo]) => drawdown <= upTo)?.[1] ?? 0;

/** Share of the composite that is left at this uptime. */
export function uptimeFactor({ uptime: limits }: Pick<Scoring, "uptime">, uptime: number): number {
  if (uptime >= limits.penalisedBelow) return 1;
  const depth = (limits.penalisedBelow - uptime) / (limits.penalisedBelow - limits.disqualifiedBelow);
  return 1 - limits.largestPenalty * Math.min(1, depth);
}
