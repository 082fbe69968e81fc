/**
 * The value forms of replies and pushes, as tolerant as the records require (§0.2): money is text of a plain decimal
 * and may be missing as `""` or `null`; times are text or number; identifiers are text, with two exceptions that are
 * numbers.
 */
import { z } from "zod";
import { type Decimal, dec, DECIMAL_PATTERN, ZERO } from "../core/decimal.ts";

const MONEY = /^(-?\d{1,30}(\.\d{1,30})?)?$/;
const MONEY_RULE = 'a plain decimal as text, or "" or null where there is none';

/** Money, price, quantity, rate or ratio. */
export const money = z.union([z.string().regex(MONEY, MONEY_RULE), z.number(MONEY_RULE), z.null(MONEY_RULE)], {
  error: MONEY_RULE,
});
/** Documented but never read here: a bad value must not hide the record. */
export const unread = z.unknown().optional();
/** A figure that a record may leave out or send empty. */
export const moneyMaybe = money.optional();
/** A figure as received; `moneyOf`, `moneyOrNull` and `priceOrNull` treat a missing one differently. */
export type MoneyField = z.output<typeof money>;

/** What a figure must be that no record can do without. */
export const NEEDED_RULE = "a plain decimal as text";

/** A figure without which a record is useless. */
export const moneyNeeded = z.union([z.string().regex(DECIMAL_PATTERN, NEEDED_RULE), z.number(NEEDED_RULE)], {
  error: NEEDED_RULE,
});

const TIME_RULE = "epoch milliseconds as text or number";

/** Epoch milliseconds as text or number. */
export const time = z.union([z.string().regex(/^\d{1,16}$/, TIME_RULE), z.number(TIME_RULE).nonnegative(TIME_RULE)], {
  error: TIME_RULE,
});
/** A time that may be missing, empty or null; `timeOf` and `timeOrNull` read it. */
export const timeMaybe = z.union([time, z.literal(""), z.null()]).optional();

const ID_RULE = "an identifier of letters, digits, dashes and underscores";

/** Text that may be missing. */
export const textMaybe = z.string().nullish();
/** An identifier that some endpoints send as a JSON number (records §0.2). */
export const idMaybe = z.union([z.string(), z.number()]).nullish();
/** Neither zero, which the venue uses for "none", nor a number in exponent form, which may have lost digits. */
const ID = /^(?!0+$|\d+e\d+$)[\w-]{1,64}$/i;
/** An identifier that later requests will name. */
export const idNeeded = z.string(ID_RULE).regex(ID, ID_RULE);
/** A whole number sent as text or number. */
const whole = z.union([z.string().regex(/^\d{1,9}$/), z.int()], { error: "a whole number as text or number" });
/** A whole number that may be missing, empty or null. */
export const wholeMaybe = z.union([whole, z.literal(""), z.null()]).optional();
/** A flag in any of its spellings: true, "true", "TRUE". */
export const flagMaybe = z.union([z.boolean(), z.string()]).nullish();

/** Null where the venue gives none. */
export function moneyOrNull(value: MoneyField | undefined): Decimal | null {
  return value === null || value === undefined || value === "" ? null : dec(value);
}

/** Zero where the venue gives none: for sums such as fees, where a missing value means no charge. */
export const moneyOf = (value: MoneyField | undefined): Decimal => moneyOrNull(value) ?? ZERO;

/** The venue uses a price of zero for "none". */
export function priceOrNull(value: MoneyField | undefined): Decimal | null {
  const price = moneyOrNull(value);
  return price === null || price.isZero() ? null : price;
}

/** Epoch ms; null where the venue gives none. */
export function timeOrNull(value: string | number | null | undefined): number | null {
  return value === null || value === undefined || value === "" ? null : Number(value);
}

/** Zero where the venue gives none. */
export const timeOf = (value: string | number | null | undefined): number => timeOrNull(value) ?? 0;

/** True for any spelling of true; a missing flag is false. */
export const isTrue = (value: boolean | string | null | undefined): boolean =>
  value === true || (typeof value === "string" && value.toLowerCase() === "true");

/** Empty where the venue sends none. */
export const textOf = (value: string | null | undefined): string => value ?? "";

/** An identifier; `null`, `""`, `"0"` and any other form of "none" read as null. */
export const idOrNull = (value: string | number | null | undefined): string | null =>
  value !== null && value !== undefined && ID.test(String(value)) ? String(value) : null;
