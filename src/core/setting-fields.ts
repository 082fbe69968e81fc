/**
 * Field types of settings. A file contains text; `parse` converts it to exact values, and `z.encode` converts them back. Amounts become `Decimal`, spans milliseconds, instants epoch milliseconds.
 */
import { z } from "zod";
import { dec, Decimal, DECIMAL_PATTERN, toWire } from "./decimal.ts";
import { invariant } from "./invariant.ts";
import { exactSpan, isoTime, parseInstant, parseSpan, SPAN } from "./time.ts";

const DECIMAL_RULE = 'write it as a quoted plain decimal, for example "100" or "0.5"';
const SPAN_RULE = "write a span such as 30s, 5m, 2h or 1d";

const exact = z.custom<Decimal>((value) => Decimal.isDecimal(value));

/** The schema has validated the text already. */
function parsed<T>(value: T | null, text: string): T {
  invariant(value !== null, `the schema let a bad setting through: ${text}`);
  return value;
}

/** Money and quantities are written as quoted decimals, so that no float represents them. */
export const decimal = (what: string) =>
  z
    .codec(z.string(DECIMAL_RULE).regex(DECIMAL_PATTERN, DECIMAL_RULE), exact, {
      decode: (text) => dec(text),
      encode: toWire,
    })
    .describe(what);

/** Written such as `30s` or `2h`. */
export const span = (what: string) =>
  z
    .codec(z.string(SPAN_RULE).regex(SPAN, SPAN_RULE), z.number(), {
      decode: (text) => parsed(parseSpan(text), text),
      encode: exactSpan,
    })
    .describe(what);

/** `2026-01-31T09:30:00Z`: milliseconds only where there are some. */
export const instantText = (atMs: number): string => isoTime(atMs).replace(".000Z", "Z");

/** Written as ISO 8601 with an offset. */
export const instant = (what: string) =>
  z
    .codec(z.iso.datetime({ offset: true }), z.number(), {
      decode: (text) => parsed(parseInstant(text), text),
      encode: instantText,
    })
    .describe(what);

/** A number of the file that money is multiplied by. */
const factor = (number: z.ZodNumber) =>
  z.codec(number, exact, { decode: (value) => new Decimal(value), encode: (value) => value.toNumber() });

/** 0 to `most` times an amount of money. */
export const share = (what: string, most = 1) => factor(z.number().min(0).max(most)).describe(what);

/** From 0 to 1 inclusive. For signals and bounds that do not multiply money. */
export const fraction = (what: string) => z.number().min(0).max(1).describe(what);
