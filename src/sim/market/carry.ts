/**
 * The figures beside the price of a perpetual: mark, index, funding rate and open interest, derived from the fair price
 * and the book's middle. Knows the figures only, not who pays them.
 */
import { Decimal, quantize } from "../../core/decimal.ts";
import type { Entropy } from "../../core/entropy.ts";
import { HOUR_MS } from "../../core/time.ts";

/** Funding settles at 00:00, 08:00 and 16:00 UTC. Records §9.2. */
export const FUNDING_EVERY_MS = 8 * HOUR_MS;
/** Epoch ms UTC, always later than `nowMs`, even if that is a settlement itself. */
export const nextFundingAfter = (nowMs: number): number =>
  (Math.floor(nowMs / FUNDING_EVERY_MS) + 1) * FUNDING_EVERY_MS;

/** The interest part of the rate, and how far the premium may deviate before it has an effect. */
const INTEREST = 0.0001;
const PREMIUM_DEAD_BAND = 0.0005;
const RATE_MAX = 0.003;
const RATE_STEP = new Decimal("0.00000001");

/**
 * Funding rate from a premium (mean relative distance of mark from index): the premium, moved towards the interest rate
 * by at most the dead band, times `scale`.
 */
export function fundingRate(premium: number, scale = 1): Decimal {
  const pull = Math.max(-PREMIUM_DEAD_BAND, Math.min(PREMIUM_DEAD_BAND, INTEREST - premium));
  return quantize(Math.max(-RATE_MAX, Math.min(RATE_MAX, (premium + pull) * scale)), RATE_STEP, "nearest");
}

/** The moving figures of one symbol; `basis` and `premium` are fractions, and stay zero for spot. */
export interface Carry {
  /** The perpetual's relative distance from the fair price. */
  basis: number;
  /** Smoothed middle of the book, price. */
  mark: number;
  /** Mean premium over about two hours. */
  premium: number;
  /** Open interest in order units. */
  openInterest: number;
}

const MARK_SMOOTHING_MS = 4_000;
const BASIS_MEMORY_MS = 10 * 60_000;
const PREMIUM_MEMORY_MS = 2 * HOUR_MS;

/** The inputs of one step of `stepCarry` besides the figures themselves. */
export interface CarryStep {
  readonly dtMs: number;
  /** Stationary standard deviation of the basis. */
  readonly basisDeviation: number;
  /** Recent price pressure in standard deviations of a minute: buyers push the perpetual above its index. */
  readonly pressure: number;
}

/** Lets basis, premium and open interest drift for one step. */
export function stepCarry(carry: Carry, step: CarryStep, entropy: Entropy): void {
  const keep = Math.exp(-step.dtMs / BASIS_MEMORY_MS);
  const target = 0.5 * step.basisDeviation * Math.max(-2, Math.min(2, step.pressure));
  const noise = step.basisDeviation * Math.sqrt(1 - keep * keep) * entropy.normal("carry:basis");
  carry.basis = target + (carry.basis - target) * keep + noise;
  carry.premium += (carry.basis - carry.premium) * (1 - Math.exp(-step.dtMs / PREMIUM_MEMORY_MS));
  const hours = step.dtMs / HOUR_MS;
  const growth = 0.01 * Math.abs(step.pressure) * hours - 0.004 * hours;
  carry.openInterest *= Math.exp(growth + 0.006 * Math.sqrt(hours) * entropy.normal("carry:interest"));
}

/** Moves the mark towards the middle of the book. */
export function smoothMark(carry: Carry, middle: number, dtMs: number): void {
  carry.mark += (middle - carry.mark) * (1 - Math.exp(-dtMs / MARK_SMOOTHING_MS));
}
