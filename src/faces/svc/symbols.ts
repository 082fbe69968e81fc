/**
 * Symbols as people write them, to canonical ones: any letter case, SWAP for PERP, and a bare pair for the perpetual on
 * the first exchange. What cannot be read is refused with the form that was expected. Spec: 3 §7.2; records §17.11.
 */
import { err, ok, type Result } from "../../core/result.ts";
import { parseSymbol, perpSymbol } from "../../domain/symbol.ts";
import { type Failure, failure } from "./statuses.ts";

const BARE_PAIR = /^([A-Z0-9]+?)[/_-]?USDT(?:[_-]?(?:PERP|SWAP))?$/;

/** The canonical symbol that the text stands for. */
export function canonicalSymbol(text: string, exchanges: readonly string[]): Result<string, Failure> {
  const upper = text
    .trim()
    .toUpperCase()
    .replace(/_SWAP_/, "_PERP_");
  if (parseSymbol(upper).ok) return ok(upper);
  const [exchange = "EXCHANGE_A"] = exchanges;
  const base = BARE_PAIR.exec(upper)?.[1];
  if (base) return ok(perpSymbol(exchange, base));
  const expected = perpSymbol(exchange, "BTC");
  return err(failure("INVALID_INPUT", "12001", `symbol ${JSON.stringify(text)} is not canonical; write ${expected}`));
}

/** Canonical forms for every field of an input that holds symbols. */
export function canonicalInput(
  input: Readonly<Record<string, unknown>>,
  exchanges: readonly string[],
): Result<Record<string, unknown>, Failure> {
  const result: Record<string, unknown> = { ...input };
  for (const field of ["symbol", "symbols", "symbolList", "sym"]) {
    const value = input[field];
    const texts = typeof value === "string" ? value.split(field === "symbolList" ? "," : "\n") : value;
    if (!Array.isArray(texts)) continue;
    const symbols: string[] = [];
    for (const text of texts) {
      const symbol = canonicalSymbol(String(text), exchanges);
      if (!symbol.ok) return symbol;
      symbols.push(symbol.value);
    }
    result[field] = typeof value === "string" ? symbols.join(",") : symbols;
  }
  return ok(result);
}
