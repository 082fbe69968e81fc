/**
 * Does stated conviction say anything? Judged by the Brier score of our own closed trades against the score of always
 * saying the share that won. Until enough trades show a clear lead, a conviction has no power at all; then it may shrink
 * a position, never enlarge one. Deterministic: the same trades give the same answer.
 */
import { mean, sampleVariance } from "simple-statistics";
export interface CalibrationRules {
  /** Closed trades with a stated conviction that are needed before it may count. */
  readonly tradesMin: number;
  /** Least Brier skill, 0 to 1: the share of the reference's error that stated conviction takes away. */
  readonly skillMin: number;
}

/** Brier skill: 1 is perfect, 0 no better than always saying the share that won, below 0 worse. */
export interface Calibration {
  readonly trades: number;
  /** Null with fewer than two trades. */
  readonly skill: number | null;
  /** Mean stated conviction; what lies below it is what a trusted conviction shrinks. */
  readonly meanConviction: number | null;
  readonly trusted: boolean;
}

/** One closed trade: the conviction at its opening, 0 to 1, and whether it gained after fees and funding. */
export interface Stated {
  readonly conviction: number;
  readonly won: boolean;
}

/** One-sided; a lead that chance gives in one of twenty records is not enough. */
const STANDARD_ERRORS = 1.645;
const SMALLEST_FACTOR = 0.5;

/** Trusted takes enough trades, enough skill, and a mean lead of 1.645 standard errors. */
export function calibrate(record: readonly Stated[], { tradesMin, skillMin }: CalibrationRules): Calibration {
  const trades = record.length;
  if (trades < 2) return { trades, skill: null, meanConviction: record[0]?.conviction ?? null, trusted: false };
  const wins = record.filter(({ won }) => won).length;
  let ours = 0;
  let reference = 0;
  const leads = record.map(({ conviction, won }) => {
    const outcome = won ? 1 : 0;
    // The share of the others that won, with one win and one loss assumed beforehand.
    const base = (wins - outcome + 1) / (trades + 1);
    const own = (conviction - outcome) ** 2;
    const theirs = (base - outcome) ** 2;
    ours += own;
    reference += theirs;
    return theirs - own;
  });
  const skill = 1 - ours / reference;
  const clear = mean(leads) > STANDARD_ERRORS * Math.sqrt(sampleVariance(leads) / trades);
  const meanConviction = mean(record.map(({ conviction }) => conviction));
  return { trades, skill, meanConviction, trusted: trades >= tradesMin && skill >= skillMin && clear };
}

/** What a position is multiplied with: 1 while conviction is not trusted, else from a half up to 1. */
export function convictionFactor({ trusted, meanConviction }: Calibration, conviction: number): number {
  if (!trusted || meanConviction === null || !(meanConviction > 0)) return 1;
  return Math.max(SMALLEST_FACTOR, Math.min(1, conviction / meanConviction));
}
