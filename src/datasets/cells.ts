/** Times and figures as the cells of a dump hold them. */
import { dec } from "../core/decimal.ts";
import { parseInstant } from "../core/time.ts";

/** Digits of epoch seconds, milliseconds, microseconds and nanoseconds of this century, and what they are divided by. */
const UNITS: Readonly<Record<number, number>> = { 10: 0.001, 13: 1, 16: 1_000, 19: 1_000_000 };

/** Epoch ms; null when it is none, or a time of day without its zone. */
export function readTime(text: string): number | null {
  const whole = /^(\d+)(?:\.\d+)?$/.exec(text)?.[1];
  if (whole !== undefined) {
    const unit = UNITS[whole.length];
    return unit === undefined ? null : Math.round(Number(text) / unit);
  }
  return /(Z|UTC|[+-]\d{2}:?\d{2})$/i.test(text) ? parseInstant(text) : null;
}

/** The same figure without exponent and without zeros that say nothing; null when it is none. */
export function plainFigure(text: string): string | null {
  if (!/^-?\d{1,30}(\.\d{0,30})?(e[+-]?\d{1,2})?$/i.test(text)) return null;
  return (/e/i.test(text) ? dec(Number(text)) : dec(text.replace(/\.$/, ""))).toFixed();
}
