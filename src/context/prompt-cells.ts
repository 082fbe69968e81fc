/** Cells of prompt tables: figures rounded for reading, and short names of symbols. */
import { parseSymbol } from "../domain/symbol.ts";

/** Figures are already rounded text; null and an empty text print as a dash. */
export type Cell = string | number | null;
/** Cells by column, in print order. */
export type Row = Readonly<Record<string, Cell>>;

/** With its sign; null for what is not known. */
export const signed = (value: number | null | undefined, digits: number, scale = 1): string | null => {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const text = (value * scale).toFixed(digits);
  return value > 0 && !text.startsWith("+") ? `+${text}` : text;
};

/** Without one. */
export const plain = (value: number | null, digits: number, scale = 1): string | null =>
  value === null || !Number.isFinite(value) ? null : (value * scale).toFixed(digits);

/** Six significant digits, never an exponent. */
export const price = (value: number | null): string | null => {
  if (value === null || !(value > 0)) return null;
  const decimals = Math.max(0, Math.min(10, 5 - Math.floor(Math.log10(value))));
  return value.toFixed(decimals);
};

/** Symbols by short names, so that a prompt spends fewer tokens on them. */
export interface ShortNames {
  /** The symbol itself if it has no short name. */
  short(symbol: string): string;
  /** Undefined for an unknown name. The canonical symbol is a name too. */
  symbolOf(name: string): string | undefined;
}

/** In the order of the universe: the first instrument of a base has the bare name. */
export function shortNames(symbols: readonly string[]): ShortNames {
  const names = new Map<string, string>();
  const meant = new Map<string, string>();
  for (const symbol of symbols) {
    const parsed = parseSymbol(symbol);
    const base = parsed.ok ? parsed.value.base : symbol;
    const name = !meant.has(base) ? base : parsed.ok ? `${base}@${parsed.value.exchange}` : symbol;
    names.set(symbol, name);
    meant.set(name, symbol);
    meant.set(symbol, symbol);
  }
  return { short: (symbol) => names.get(symbol) ?? symbol, symbolOf: (name) => meant.get(name) };
}
