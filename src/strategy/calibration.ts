/**
 * Tests whether stated conviction predicts anything: the Brier score of our closed trades against always predicting
 * the share of wins. Conviction has no effect until enough trades show a clear lead; then it may shrink a position,
 * never enlarge one. Deterministic.
 */
import { mean, sampleVariance } from "simple-statistics";
import { shareInterval, type ShareInterval } from "../domain/share-interval.ts";

export interface CalibrationRules {
  /** Number of closed trades with a stated conviction before it may have an effect. */
  readonly tradesMin: number;
  /** Minimum Brier skill, 0 to 1: the reduction of the reference's error. */
  readonly skillMin: number;
}

/** Brier skill: 1 is perfect, 0 equals always predicting the share of wins, below 0 is worse. */
export interface Calibration {
  readonly trades: number;
  /** Null with fewer than two trades. */
  readonly skill: number | null;
  /** Mean stated conviction; a trusted conviction below it shrinks the position. */
  readonly meanConviction: number | null;
  readonly trusted: boolean;
}

/** One closed trade: the conviction at its opening, 0 to 1, and whether it gained after fees and funding. */
export interface Stated {
  readonly conviction: number;
  readonly won: boolean;
}

/** One-sided; chance gives a smaller lead in one of twenty records. */
const STANDARD_ERRORS = 1.645;
const SMALLEST_FACTOR = 0.5;

/** Trusted requires enough trades, enough skill, and a mean lead of 1.645 standard errors. */
export function calibrate(record: readonly Stated[], { tradesMin, skillMin }: CalibrationRules): Calibration {
  const trades = record.length;
  if (trades < 2) return { trades, skill: null, meanConviction: record[0]?.conviction ?? null, trusted: false };
  const wins = record.filter(({ won }) => won).length;
  let ours = 0;
  let reference = 0;
  const leads = record.map(({ conviction, won }) => {
    const outcome = won ? 1 : 0;
    // Share of wins among the other trades, with one win and one loss assumed beforehand.
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

/** Size factor: 1 while conviction is not trusted, otherwise from a half to 1. */
export function convictionFactor({ trusted, meanConviction }: Calibration, conviction: number): number {
  if (!trusted || meanConviction === null || !(meanConviction > 0)) return 1;
  return Math.max(SMALLEST_FACTOR, Math.min(1, conviction / meanConviction));
}

/** Trades whose stated conviction lay from `from` on and below `to`; `interval` holds the true share of wins at 95 %. */
export interface CurveBin {
  readonly from: number;
  readonly to: number;
  readonly trades: number;
  readonly won: number;
  readonly meanConviction: number;
  readonly interval: ShareInterval;
}

const BINS = 5;

/** Share of wins by stated conviction, in fifths; fifths without a trade are left out. Sound convictions rise with it. */
export function convictionCurve(record: readonly Stated[]): readonly CurveBin[] {
  return Array.from({ length: BINS }, (_, at) => at).flatMap((at) => {
    const inside = record.filter(({ conviction }) => Math.min(BINS - 1, Math.floor(conviction * BINS)) === at);
    if (inside.length === 0) return [];
    const won = inside.filter((one) => one.won).length;
    return [
      {
        ...{ from: at / BINS, to: (at + 1) / BINS, trades: inside.length, won },
        meanConviction: mean(inside.map(({ conviction }) => conviction)),
        interval: shareInterval(won, inside.length),
      },
    ];
  });
}
