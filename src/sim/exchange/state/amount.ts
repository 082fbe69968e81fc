/**
 * Money without decimals on the hot path. Every amount that the venue rounds is a whole number of hundred-millionths,
 * and a float holds whole numbers exactly up to 2^53; amounts beyond that are decimals. Both are exact.
 */
import { Decimal, dec, ZERO } from "../../../core/decimal.ts";
import type { StepScale } from "./sums.ts";

/** Hundred-millionths as a whole number, or the decimal itself. */
export type Money = number | Decimal;

const MONEY_PLACES = 8;
const UNIT = dec("0.00000001");
/** Powers of ten that a float holds exactly and that serve as divisors. */
const TENS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/** In whole units of the coin, in either representation. */
export const toDecimal = (money: Money): Decimal => (typeof money === "number" ? UNIT.mul(money) : money);
/** Exactly zero: amounts are exact, so there is no tolerance. */
export const isNothing = (money: Money): boolean => (typeof money === "number" ? money === 0 : money.isZero());

/** How many whole times `by` fits into `value`. Both are safe integers, `by` is above zero. */
export function floorDiv(value: number, by: number): number {
  const rest = value % by;
  const whole = (value - rest) / by;
  return rest < 0 ? whole - 1 : whole;
}

/** `amount` x `scale` rounded to hundred-millionths, half away from zero; null if whole floats cannot compute it. */
export function moneyOf(amount: number, scale: StepScale | null): number | null {
  if (scale === null) return null;
  const product = amount * scale.digits;
  const drop = scale.places - MONEY_PLACES;
  if (drop <= 0) {
    const found = product * 10 ** -drop;
    return Number.isSafeInteger(found) ? found : null;
  }
  const by = TENS[drop];
  // Twice the product, to decide the half.
  const doubled = 2 * Math.abs(product) + (by ?? 0);
  if (by === undefined || !Number.isSafeInteger(doubled)) return null;
  const whole = floorDiv(doubled, 2 * by);
  return product < 0 ? -whole : whole;
}

/** A sum of money that costs one float addition per amount and becomes a decimal only when read. */
export class Sum {
  /** The part that did not fit into whole numbers. */
  private base: Decimal = ZERO;
  private units = 0;
  private shown: Decimal | null = ZERO;

  add(money: Money): void {
    this.shown = null;
    if (typeof money === "number") {
      const units = this.units + money;
      if (Number.isSafeInteger(units)) {
        this.units = units;
        return;
      }
    }
    this.base = this.base.add(toDecimal(money));
  }

  /** The same object until something is added. */
  get value(): Decimal {
    return (this.shown ??= this.base === ZERO ? UNIT.mul(this.units) : this.base.add(UNIT.mul(this.units)));
  }

  /** The sum as a whole number if it is one. */
  get money(): Money {
    return this.base === ZERO ? this.units : this.value;
  }
}

/** The difference of two amounts that are no further apart than one of them. */
export const minus = (a: Money, b: Money): Money =>
  typeof a === "number" && typeof b === "number" ? a - b : toDecimal(a).sub(toDecimal(b));

/** The opposite amount. */
export const negated = (money: Money): Money => (typeof money === "number" ? 0 - money : money.neg());
