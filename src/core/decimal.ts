/**
 * The only file that uses the decimal library. Money and everything sent to a venue is `Decimal`; statistics are `number`.
 * `toFloat` converts down; the only conversion up is `quantize`, which takes the rounding.
 */
import { Decimal as DecimalJs } from "decimal.js";

/** 40 significant digits, plain notation: enough that sums of venue figures are exact. */
export const Decimal = DecimalJs.clone({
  precision: 40,
  toExpNeg: -40,
  toExpPos: 40,
  rounding: DecimalJs.ROUND_HALF_UP,
});
/** Prices, quantities and money. Made from text by `dec`, from a float only by `quantize`. */
export type Decimal = DecimalJs;

type Comparison = (this: Decimal, other: DecimalJs.Value) => number;
const compareAny = Decimal.prototype.comparedTo as Comparison;

/**
 * Compares as the library does, which copies the other value first: limits and margins do little else than compare. Whatever
 * is not a plain decimal or zero is left to the library.
 */
const compare: Comparison = function (other) {
  const words = this.d as readonly number[] | null;
  if (other === 0 && words !== null) return words[0] === 0 ? 0 : this.s;
  if (words === null || !(other instanceof Decimal)) return compareAny.call(this, other);
  const otherWords = other.d as readonly number[] | null;
  if (otherWords === null || words[0] === 0 || otherWords[0] === 0 || this.s !== other.s)
    return compareAny.call(this, other);
  if (this.e !== other.e) return this.e > other.e ? this.s : -this.s;
  const shared = Math.min(words.length, otherWords.length);
  for (let at = 0; at < shared; at++) {
    const [word = 0, otherWord = 0] = [words[at], otherWords[at]];
    if (word !== otherWord) return word > otherWord ? this.s : -this.s;
  }
  return words.length === otherWords.length ? 0 : words.length > otherWords.length ? this.s : -this.s;
};
// Every other comparison of the library calls this one.
Object.assign(Decimal.prototype, { cmp: compare, comparedTo: compare });

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);

/** A plain decimal as the wire writes it: optional sign, digits, optional fraction. No exponent, no NaN, no hex. */
export const DECIMAL_PATTERN = /^-?\d{1,30}(\.\d{1,30})?$/;

/** A decimal from text or an integer of ours. Throws if the pattern refuses it: check external text first. */
export function dec(text: string | number | Decimal): Decimal {
  if (typeof text === "string" && !DECIMAL_PATTERN.test(text)) {
    throw new RangeError(`not a plain decimal: ${JSON.stringify(text.slice(0, 60))}`);
  }
  return new Decimal(text);
}

/** Plain notation without exponent or trailing zeros, the form of all venue fields. */
export function toWire(value: Decimal): string {
  return value.isZero() ? "0" : value.toFixed();
}

/** A decimal keeps its digits in words of so many. */
const WORD_DIGITS = 7;
const WORD = 10 ** WORD_DIGITS;
/** The powers of ten that a float holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** For statistics and signals. The result must not become money again. */
export function toFloat(value: Decimal): number {
  const { d: words, s: sign } = value;
  const [high = 0, low] = words ?? [];
  if (high === 0 || words.length > 2) return value.toNumber();
  // Two words are a whole number that a float holds exactly, so that one division or product rounds as the text would.
  const whole = low === undefined ? high : high * WORD + low;
  const power = lastPowerOf(value);
  const scale = POWERS[Math.abs(power)];
  if (scale === undefined) return value.toNumber();
  return sign * (power < 0 ? whole / scale : whole * scale);
}

/**
 * One value as a multiple of another that is not zero, the nearest float. Short figures are whole numbers of one scale, whose
 * quotient a float gives as a long division would.
 */
export function floatRatio(value: Decimal, unit: Decimal): number {
  if (!value.isFinite() || !unit.isFinite() || unit.isZero()) return value.div(unit).toNumber();
  const [power, unitPower] = [lastPowerOf(value), lastPowerOf(unit)];
  const scale = Math.min(power, unitPower);
  const whole = wholeOf(value) * (POWERS[power - scale] ?? NaN);
  const wholeUnit = wholeOf(unit) * (POWERS[unitPower - scale] ?? NaN);
  const isExact = Math.abs(whole) <= Number.MAX_SAFE_INTEGER && Math.abs(wholeUnit) <= Number.MAX_SAFE_INTEGER;
  return isExact ? whole / wholeUnit : value.div(unit).toNumber();
}

/** The power of ten that the last digit of the last word counts. */
const lastPowerOf = ({ d: words, e: exponent }: Decimal): number =>
  WORD_DIGITS * (Math.floor(exponent / WORD_DIGITS) - words.length + 1);

/** The digits as a whole number; NaN where there are too many of them. */
const wholeOf = ({ d: [high = 0, low], d: words, s: sign }: Decimal): number =>
  words.length > 2 ? NaN : sign * (low === undefined ? high : high * WORD + low);

/** `nearest` rounds halves away from zero. */
export type Rounding = "down" | "up" | "nearest";

/** Decimal places of a step that is a whole power of ten, such as 0.001; null for any other. Cached, because steps live long. */
const placesOfStep = new WeakMap<Decimal, number | null>();

function placesOf(step: Decimal): number | null {
  const known = placesOfStep.get(step);
  if (known !== undefined) return known;
  const places = step.decimalPlaces();
  const found = step.eq(new Decimal(`1e${-places}`)) ? places : null;
  placesOfStep.set(step, found);
  return found;
}

/** A figure with at most this many digits can be rounded to decimal places exactly, without a division. */
const SHORT_DIGITS = 30;

/** The multiple of `step` at or next to `value`. "down" and "up" follow the number line, also below zero. */
export function roundToStep(value: Decimal, step: Decimal, rounding: Rounding): Decimal {
  const mode =
    rounding === "down" ? Decimal.ROUND_FLOOR : rounding === "up" ? Decimal.ROUND_CEIL : Decimal.ROUND_HALF_UP;
  const places = placesOf(step);
  if (places !== null && value.precision() <= SHORT_DIGITS) return value.toDecimalPlaces(places, mode);
  return value.div(step).toDecimalPlaces(0, mode).mul(step);
}

const stepAsFloat = new WeakMap<Decimal, number>();

function floatOf(step: Decimal): number {
  const known = stepAsFloat.get(step);
  if (known !== undefined) return known;
  const found = step.toNumber();
  stepAsFloat.set(step, found);
  return found;
}

/** Up to this many steps the error of a float quotient is far below `CLEAR_OF`. */
const SURE_STEPS = 1e9;
/** A quotient at least this far from the rounding threshold rounds like the exact one. */
const CLEAR_OF = 1e-4;

/** The number of steps, if floats determine it with certainty; otherwise NaN. */
function certainSteps(value: number, step: Decimal, rounding: Rounding): number {
  const quotient = value / floatOf(step);
  if (Math.abs(quotient) > SURE_STEPS) return NaN;
  const below = Math.floor(quotient);
  const above = quotient - below;
  if (rounding === "nearest") return Math.abs(above - 0.5) < CLEAR_OF ? NaN : above < 0.5 ? below : below + 1;
  if (above < CLEAR_OF || above > 1 - CLEAR_OF) return NaN;
  return rounding === "down" ? below : below + 1;
}

/**
 * So many steps of a power of ten, without the product: the whole part is one word, the rest another. Null where they are not
 * just that.
 */
function wordsOfSteps(steps: number, places: number): Decimal | null {
  const scale = POWERS[places] ?? NaN;
  const whole = Math.floor(steps / scale);
  if (!(whole > 0 && whole < WORD && scale <= WORD)) return null;
  const found = new Decimal(whole);
  const rest = (steps - whole * scale) * (WORD / scale);
  if (rest > 0) (found.d as number[]).push(rest);
  return found;
}

/** The only conversion from a float to a `Decimal`: a multiple of `step`, rounded as given. */
export function quantize(value: number, step: Decimal, rounding: Rounding): Decimal {
  if (!Number.isFinite(value)) throw new RangeError(`cannot quantize ${String(value)}`);
  const steps = certainSteps(value, step, rounding);
  if (Number.isNaN(steps)) return roundToStep(new Decimal(value), step, rounding);
  const places = placesOf(step);
  return (places === null ? null : wordsOfSteps(steps, places)) ?? step.mul(steps);
}

/** Exact for any step; false for a step of zero. */
export const isMultipleOf = (value: Decimal, step: Decimal): boolean => value.mod(step).isZero();
export const minDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal => extreme(first, rest, 1);
export const maxDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal => extreme(first, rest, -1);

/** As the library finds it, but the value itself and no copy of it. */
function extreme(first: Decimal, rest: readonly Decimal[], replacedBy: 1 | -1): Decimal {
  let found = first;
  for (const value of rest) {
    if (value.isNaN()) return value;
    const order = found.cmp(value);
    if (order === replacedBy || (order === 0 && found.s === replacedBy)) found = value;
  }
  return found;
}
/** Zero for an empty list. */
export const sumDecimals = (values: Iterable<Decimal>): Decimal => {
  let total = ZERO;
  for (const value of values) total = total.add(value);
  return total;
};
