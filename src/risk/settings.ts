/**
 * The figures of all limits on one page. Shares are fractions of equity, money is USDT, spans are milliseconds. None of
 * them can be changed by a strategy or a model. The competition's own figures stand in `domain/competition.ts`.
 */
import { dec, type Decimal } from "../core/decimal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { parseSymbol } from "../domain/symbol.ts";

/** Never changed in place: figures are cached by the object's identity, so a change is a new object. */
export interface RiskSettings {
  /** Largest value of one order. */
  readonly perOrderEquityShare: Decimal;
  /** Largest exposure in one symbol. */
  readonly perSymbolEquityShare: Decimal;
  /** Largest exposure one way, all symbols together. */
  readonly perDirectionEquityShare: Decimal;
  readonly maxPositions: number;
  /** Share of the phase's leverage cap that is used at most. */
  readonly leverageSafety: Decimal;

  /** The sudden move insured against, as a fraction of price: for the majors, and for every other coin. */
  readonly gapMajors: Decimal;
  readonly gapOthers: Decimal;
  readonly majors: readonly string[];
  /** Kept above the floor when the cushion is computed. */
  readonly bufferUsdt: Decimal;
  /** What openings leave of the cushion besides; a trim begins when it is used up and restores it. */
  readonly openingSpareUsdt: Decimal;
  /** Fees and funding set aside per unit of exposure, fraction. */
  readonly exitCost: Decimal;
  /** How far beyond the mark an order may fill, fraction: its worse price. */
  readonly slippage: Decimal;
  /** Taker fee, fraction: for estimates only. */
  readonly takerFee: Decimal;

  /** Below it an opening may have only `warnOrderShare` of the usual size. */
  readonly warnUsdt: Decimal;
  readonly warnOrderShare: Decimal;
  /** Below it nothing is opened until equity is back at `warnUsdt`. */
  readonly holdUsdt: Decimal;
  /** Below it everything is closed, and an operator must say resume. */
  readonly flattenUsdt: Decimal;
  /** Two readings of equity agree when they differ by no more than this fraction. */
  readonly equityAgreement: Decimal;

  /** Loss since the UTC day began that stops openings. */
  readonly dailyLossStop: Decimal;
  readonly ordersPerHour: number;
  /** Fees since the UTC day began that stop openings. */
  readonly feesPerDayShare: Decimal;
  /** After a close, no opening on the same position for this long. */
  readonly reentryCooldownMs: number;
  /** After a close, no opening on the opposite position for this long. */
  readonly flipCooldownMs: number;
  /** A position this young is closed by a stop, a limit or a state of the ladder, not by a change of mind. */
  readonly minHoldingMs: number;

  readonly maxBookAgeMs: number;
  readonly maxMarkAgeMs: number;
  readonly maxAccountAgeMs: number;
  readonly maxNewsAgeMs: number;
  readonly maxClockUncertaintyMs: number;

  /** Stop of an opening that brings none, and the nearest and widest allowed: fractions of the entry price. */
  readonly defaultStopDistance: Decimal;
  readonly minStopDistance: Decimal;
  readonly maxStopDistance: Decimal;
  /** Limit prices further from the mark than this fraction are refused. */
  readonly priceBand: Decimal;
  /** Every entry blocked for this long raises the alarm. */
  readonly blockedAlarmMs: number;
}

/** Cautious figures for an account of 1,000 USDT. */
export const DEFAULT_RISK_SETTINGS: RiskSettings = Object.freeze({
  perOrderEquityShare: dec("0.4"),
  perSymbolEquityShare: dec("0.4"),
  perDirectionEquityShare: dec("1.2"),
  maxPositions: 4,
  leverageSafety: dec("0.95"),
  gapMajors: dec("0.12"),
  gapOthers: dec("0.25"),
  majors: ["BTC", "ETH"],
  bufferUsdt: dec("20"),
  openingSpareUsdt: dec("10"),
  exitCost: dec("0.002"),
  slippage: dec("0.002"),
  takerFee: dec("0.0005"),
  warnUsdt: dec("880"),
  warnOrderShare: dec("0.5"),
  holdUsdt: dec("850"),
  flattenUsdt: dec("820"),
  equityAgreement: dec("0.03"),
  dailyLossStop: dec("0.06"),
  ordersPerHour: 60,
  feesPerDayShare: dec("0.02"),
  reentryCooldownMs: 10 * MINUTE_MS,
  flipCooldownMs: 15 * MINUTE_MS,
  minHoldingMs: 15 * MINUTE_MS,
  // A little under what may arrive at the venue: the way there takes time too. Invariant I15.
  maxBookAgeMs: 2.5 * SECOND_MS,
  maxMarkAgeMs: 4.5 * SECOND_MS,
  maxAccountAgeMs: 29 * SECOND_MS,
  maxNewsAgeMs: HOUR_MS,
  maxClockUncertaintyMs: 5 * SECOND_MS,
  defaultStopDistance: dec("0.03"),
  minStopDistance: dec("0.002"),
  maxStopDistance: dec("0.12"),
  priceBand: dec("0.05"),
  blockedAlarmMs: 15 * MINUTE_MS,
});

/** The gap insured for a symbol: the majors' or the others'. A text that is no symbol counts as other. */
export function gapFor(settings: RiskSettings, symbol: string): Decimal {
  const parts = parseSymbol(symbol);
  return parts.ok && settings.majors.includes(parts.value.base) ? settings.gapMajors : settings.gapOthers;
}
