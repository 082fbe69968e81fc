/** Parsers of option values; an invalid value is refused with the rule. */
import { InvalidArgumentError } from "commander";
import { readExchanges } from "../../domain/symbol.ts";

/** From 0 to `max`. */
export const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0 || value > max)
      throw new InvalidArgumentError(`write a whole number from 0 to ${max}.`);
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
