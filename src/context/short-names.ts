/**
 * Short names of symbols for prompts: the base asset, and for a further instrument of the same base the exchange as well.
 * They go by the whole universe, so that a name means the same in every question.
 */
import { parseSymbol } from "../domain/symbol.ts";

export interface ShortNames {
  /** The symbol itself where it is not among them. */
  short(symbol: string): string;
  /** Undefined for a name that is none. The canonical symbol is a name too. */
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
