/** How row values are worded in the sentences about them. */
import { Decimal, toWire } from "../core/decimal.ts";
import { oneLine } from "../core/safe-text.ts";

/** Text as it is, decimals as on the wire, null as a dash, anything else as JSON. */
export const shown = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : typeof value === "string"
      ? value
      : Decimal.isDecimal(value)
        ? toWire(value as Decimal)
        : JSON.stringify(value);

/** One line, at most `length` characters, without characters that could draw on a terminal. */
export function line(sentence: string, length = Infinity): string {
  const text = oneLine(sentence);
  return text.length > length ? `${text.slice(0, length)}...` : text;
}

export const bps = (value: number | null | undefined): string =>
  typeof value === "number" ? `${value.toFixed(2)} bp` : "not known";
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
/** `name value, name value` for the parameters of a write. */
export const paramsText = (params: Readonly<Record<string, unknown>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(", ");
