/** Our own place as the organiser publishes it, once a day; what was not stated is null. */

/** Statistics, so floats; fractions are of 1 and scores 0 to 100. */
export interface Ranking {
  /** When the organiser computed it, epoch ms, and of which UTC day. */
  readonly computedAtMs: number | null;
  readonly day: string | null;
  readonly rank: number | null;
  readonly composite: number | null;
  readonly sharpe: number | null;
  readonly roi: number | null;
  readonly pnlUsdt: number | null;
  readonly maxDrawdown: number | null;
  /** Places in the field: 50 is its mean, 84 one standard deviation above; of the drawdown the score of its tier. */
  readonly scores: {
    readonly sharpe: number | null;
    readonly pnl: number | null;
    readonly roi: number | null;
    readonly drawdown: number | null;
  };
  /** ACTIVE, PENDING or DISQUALIFIED. */
  readonly status: string | null;
  readonly eliminated: boolean;
}
