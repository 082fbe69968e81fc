/** Parsers of option values; an invalid value is refused with the rule. */
import { InvalidArgumentError } from "commander";
import { parseInstant } from "../../core/time.ts";
import { readExchanges } from "../../domain/symbol.ts";

export const wholeNumber =
  (max: number, min = 0) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new InvalidArgumentError(`write a whole number from ${min} to ${max}.`);
    return value;
  };

/** A speed: from 0.1 to 1000. */
export const positive = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0.1 || value > 1000)
    throw new InvalidArgumentError("write a number from 0.1 to 1000.");
  return value;
};

/** Stays text, like SVC_EXCHANGES in the environment. */
export const exchanges = (text: string): string => {
  if (readExchanges(text)) return text;
  throw new InvalidArgumentError("write different upper-case identifiers, such as EXCHANGE_A,EXCHANGE_B.");
};

/** Phase of the competition. */
export const phase = (text: string): 1 | 2 => {
  if (text !== "1" && text !== "2") throw new InvalidArgumentError("write 1 or 2.");
  return text === "1" ? 1 : 2;
};

const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A UTC day or an instant, as epoch ms. */
export function instant(text: string): number {
  const atMs = INSTANT.test(text) ? parseInstant(text) : null;
  if (atMs === null)
    throw new InvalidArgumentError("write a UTC day such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z.");
  return atMs;
}
