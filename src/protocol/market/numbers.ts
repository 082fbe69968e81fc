/**
 * Numbers of market frames: each rule once as a guard for the fast readers and once as a zod schema for all other code.
 * A number is plain decimal text or a finite JSON number; exponents, hex, NaN and Infinity are refused.
 */
import { z } from "zod";
import { DECIMAL_PATTERN } from "../../core/decimal.ts";

/** A number as a frame carries it; `numberOf` reads it after a guard has accepted it. */
export type WireNumber = string | number;

/** Of any sign, such as the change over 24 h in percent. */
export const isNumber = (value: unknown): value is WireNumber =>
  typeof value === "number" ? Number.isFinite(value) : typeof value === "string" && DECIMAL_PATTERN.test(value);

/** Above zero. */
export const isPrice = (value: unknown): value is WireNumber => isNumber(value) && Number(value) > 0;

/** Zero or above: a quantity, volume or open interest. */
export const isAmount = (value: unknown): value is WireNumber => isNumber(value) && Number(value) >= 0;

const DIGITS = /^\d{1,16}$/;

/** Epoch milliseconds or a sequence number: digits as text, or a whole JSON number, not negative. */
export const isCount = (value: unknown): value is WireNumber =>
  typeof value === "number"
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === "string" && DIGITS.test(value);

/** The value of a checked number; minus zero becomes zero. */
export const numberOf = (value: WireNumber): number => Number(value) + 0;

const anyNumber = z.union([z.string().regex(DECIMAL_PATTERN), z.number()]);
/** The rule of `isNumber` as a schema. */
export const numberField = anyNumber;
/** The rule of `isPrice` as a schema. */
export const priceField = anyNumber.refine((value) => Number(value) > 0, { error: "above zero" });
/** The rule of `isAmount` as a schema. */
export const amountField = anyNumber.refine((value) => Number(value) >= 0, { error: "zero or above" });
/** The rule of `isCount` as a schema. */
export const countField = z.union([z.string().regex(DIGITS), z.int().nonnegative()]);

/** A JSON object, as opposed to null, arrays and scalars. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
