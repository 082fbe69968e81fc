/** Readers of request texts. Each returns the value, or a refusal 400001 that names field, value and rule. */
import { dec, type Decimal } from "../../../core/decimal.ts";
import { ok } from "../../../core/result.ts";
import { parseSymbol } from "../../../domain/symbol.ts";
import type { VenueResult } from "../contract/api.ts";
import { refuse } from "../contract/refuse.ts";
import type { Instrument, World } from "../state/state.ts";

const POSITIVE = /^(?=.*[1-9])\d{1,20}(\.\d{1,20})?$/;

/** Absent in any of the forms by which clients omit a field. */
export const isAbsent = (value: unknown): value is undefined | null | "" =>
  value === undefined || value === null || value === "";

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "nothing";

/** The refusal of all readers. `rule` ends a sentence: "FIELD is VALUE, must be RULE". */
export function badField(field: string, value: unknown, rule: string): VenueResult<never> {
  return refuse(400001, `${field} is ${isAbsent(value) ? "missing" : shown(value)}, must be ${rule}`);
}

/** Text only, at most 20 digits before and after the point: a JSON number, a sign or an exponent is refused. */
export function readPositive(field: string, value: unknown): VenueResult<Decimal> {
  if (typeof value !== "string" || !POSITIVE.test(value))
    return badField(field, value, "a positive plain decimal as text");
  return ok(dec(value));
}

/** Whether a value is one of the words, in exact spelling. */
export const isOneOf = <Word extends string>(value: unknown, words: readonly Word[]): value is Word =>
  words.includes(value as Word);

/** Accepts the word in any case; returns it as in `words`, which must be upper case. */
export function readWord<Word extends string>(
  field: string,
  value: unknown,
  words: readonly Word[],
): VenueResult<Word> {
  // The usual case: the exact spelling.
  if (isOneOf(value, words)) return ok(value);
  const found = typeof value === "string" ? words.find((word) => word === value.toUpperCase()) : undefined;
  return found === undefined ? badField(field, value, words.join(", ")) : ok(found);
}

/** True, "true" and "TRUE" mean yes; absent means no. */
export const readFlag = (value: unknown): boolean =>
  value === true || (typeof value === "string" && value.toLowerCase() === "true");

/** A symbol of the venue. 400009 for a malformed one, 401011 for an unknown one. */
export function readInstrument(world: World, sym: unknown): VenueResult<Instrument> {
  const instrument = typeof sym === "string" ? world.instruments.get(sym) : undefined;
  if (instrument !== undefined) return ok(instrument);
  if (typeof sym !== "string" || !parseSymbol(sym).ok) return refuse(400009, shown(sym));
  return refuse(401011, sym);
}

/** From 1 to 999,999,999, as text or as number. */
export function readWhole(field: string, value: unknown): VenueResult<number> {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^[1-9]\d{0,8}$/.test(text)) return badField(field, value, "a whole number from 1");
  return ok(Number(text));
}

/** Epoch milliseconds or seconds as text or number; null where absent. */
export function readTime(field: string, value: unknown): VenueResult<number | null> {
  if (isAbsent(value)) return ok(null);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !/^\d{1,16}$/.test(text)) return badField(field, value, "an epoch time in digits");
  return ok(Number(text));
}
