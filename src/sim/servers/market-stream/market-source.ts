/** The part of the exchange that the market stream uses. */
import type { Exchange } from "../../exchange/contract/api.ts";
import type { BookView, PublicEvent, SymbolSpec } from "../../exchange/contract/market-api.ts";

/** `spec` is null for an unknown symbol; `book` is empty for one without levels. */
export interface MarketSource {
  readonly symbols: readonly SymbolSpec[];
  spec(symbol: string): SymbolSpec | null;
  /** The best levels of the visible book, best first. */
  book(symbol: string, levels: number): BookView;
  /** Calls `listener` for each public event until the returned function is called. */
  onPublic(listener: (event: PublicEvent) => void): () => void;
}

/** Looks the specs up once: the symbols of a running service do not change. */
export function marketSourceOf(exchange: Exchange): MarketSource {
  const specs = new Map(exchange.symbols.map((spec) => [spec.rules.symbol, spec]));
  return {
    symbols: exchange.symbols,
    spec: (symbol) => specs.get(symbol) ?? null,
    book: (symbol, levels) => exchange.book(symbol, levels),
    onPublic: (listener) => exchange.onPublic(listener),
  };
}
