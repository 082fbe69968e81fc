/** Scenarios are written without knowing the operator's exchange names: a bare base means its first perpetual. */
import { parseSymbol } from "../../domain/symbol.ts";
import type { FaultWorld } from "./fault.ts";

/** The symbol of that name, or the first perpetual of that base; the text itself when the service carries neither. */
export function namedSymbol({ exchange }: Pick<FaultWorld, "exchange">, name: string): string {
  const symbols = exchange.symbols.map(({ rules }) => rules.symbol);
  if (symbols.includes(name)) return name;
  const byBase = symbols.find((symbol) => {
    const parts = parseSymbol(symbol);
    return parts.ok && parts.value.type === "PERP" && parts.value.base === name;
  });
  return byBase ?? name;
}
