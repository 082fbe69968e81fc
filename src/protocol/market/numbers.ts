/**
 * Numbers of market frames: each rule once as a guard for the fast readers and once as a zod schema for all other code.
 * A number is plain decimal text or a finite JSON number; exponents, hex, NaN and Infinity are refused.
 */
import { z } from "zod";
import { DECIMAL_PATTERN } from "../../core/decimal.ts";

/** A number as a frame carries it; `numberOf` reads it after a guard has accepted it. */
export type WireNumber = string | number;

const MINUS = 45;
const POINT = 46;
const ZERO_DIGIT = 48;
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);
/** Up to so many digits fit a float as they are, and so does the power of ten that divides them: one rounding, as in Number(). */
const EXACT_DIGITS = 15;

/**
 * The value of plain decimal text or of a finite number, NaN for all else. Reads short text digit by digit: a frame of the
 * order book has fifty numbers, and the pattern with Number() costs four times as much.
 */
export function valueOf(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? value : NaN;
  if (typeof value !== "string") return NaN;
  const negative = value.charCodeAt(0) === MINUS;
  const from = negative ? 1 : 0;
  if (value.length - from > EXACT_DIGITS + 1) return longValueOf(value);
  let digits = 0;
  let point = -1;
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at) - ZERO_DIGIT;
    if (code >= 0 && code <= 9) digits = digits * 10 + code;
    else if (code === POINT - ZERO_DIGIT && point === -1) point = at;
    else return NaN;
  }
  // A digit on either side of the point, and one at least without it.
  if (value.length === from || point === from || point === value.length - 1) return NaN;
  if (point === -1 && value.length - from > EXACT_DIGITS) return longValueOf(value);
  const magnitude = point === -1 ? digits : digits / (POWERS[value.length - 1 - point] ?? NaN);
  return negative ? -magnitude : magnitude;
}

const longValueOf = (text: string): number => (DECIMAL_PATTERN.test(text) ? Number(text) : NaN);

/** Of any sign, such as the change over 24 h in percent. */
export const isNumber = (value: unknown): value is WireNumber => !Number.isNaN(valueOf(value));

/** Above zero. */
export const isPrice = (value: unknown): value is WireNumber => valueOf(value) > 0;

/** Zero or above: a quantity, volume or open interest. */
export const isAmount = (value: unknown): value is WireNumber => valueOf(value) >= 0;

const DIGITS = /^\d{1,16}$/;

/** Epoch milliseconds or a sequence number: digits as text, or a whole JSON number, not negative. */
export const isCount = (value: unknown): value is WireNumber =>
  typeof value === "number"
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === "string" && DIGITS.test(value);

/** The value of a checked number; minus zero becomes zero. */
export const numberOf = (value: WireNumber): number => valueOf(value) + 0;

const anyNumber = z.union([z.string().regex(DECIMAL_PATTERN), z.number()]);
/** The rule of `isNumber` as a schema. */
export const numberField = anyNumber;
/** The rule of `isPrice` as a schema. */
export const priceField = anyNumber.refine((value) => Number(value) > 0, { error: "above zero" });
/** The rule of `isAmount` as a schema. */
export const amountField = anyNumber.refine((value) => Number(value) >= 0, { error: "zero or above" });
/** The rule of `isCount` as a schema. */
export const countField = z.union([z.string().regex(DIGITS), z.int().nonnegative()]);
