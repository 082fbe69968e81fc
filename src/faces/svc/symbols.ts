/**
 * Converts symbols as people write them to canonical ones: any letter case, SWAP for PERP, and a bare pair or a known
 * coin for the perpetual on the first exchange. An unreadable symbol is refused with the expected form. Spec: 3 §7.2;
 * records §17.11.
 */
import { nearestWord } from "../../core/nearest.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { PHASE_ONE_BASES } from "../../domain/competition.ts";
import { homeExchange, parseSymbol, perpSymbol } from "../../domain/symbol.ts";
import { type Failure, failure } from "../contract/statuses.ts";

const BARE_PAIR = /^([A-Z0-9]+?)[/_-]?USDT(?:[_-]?(?:PERP|SWAP))?$/;

/** Nearly all short words are similar, so the first two letters must match. SHIB means 1000SHIB. */
function nearestBase(base: string): string | null {
  const multiple = base.length > 2 ? PHASE_ONE_BASES.find((known) => known.endsWith(base)) : undefined;
  const near = multiple ?? nearestWord(base, PHASE_ONE_BASES);
  return multiple !== undefined || near?.slice(0, 2) === base.slice(0, 2) ? near : null;
}

/** The known symbol nearest to a misspelt one; null if none is close. */
export function nearestSymbol(text: string, exchanges: readonly string[]): string | null {
  const exchange = homeExchange(exchanges);
  const upper = text.trim().toUpperCase();
  const parts = parseSymbol(upper);
  const base = parts.ok ? parts.value.base : upper.includes("_") ? null : (BARE_PAIR.exec(upper)?.[1] ?? upper);
  if (base === null)
    return nearestWord(
      upper,
      PHASE_ONE_BASES.map((known) => perpSymbol(exchange, known)),
    );
  if (PHASE_ONE_BASES.includes(base)) return null;
  const near = nearestBase(base);
  return near && perpSymbol(parts.ok ? parts.value.exchange : exchange, near);
}

/** The canonical symbol for the text. A coin alone is unambiguous only if it is known. */
export function canonicalSymbol(text: string, exchanges: readonly string[]): Result<string, Failure> {
  const upper = text
    .trim()
    .toUpperCase()
    .replace(/_SWAP_/, "_PERP_");
  if (parseSymbol(upper).ok) return ok(upper);
  const exchange = homeExchange(exchanges);
  const base = PHASE_ONE_BASES.includes(upper) ? upper : BARE_PAIR.exec(upper)?.[1];
  if (base) return ok(perpSymbol(exchange, base));
  const near = nearestSymbol(text, exchanges);
  const remedy = near === null ? `write ${perpSymbol(exchange, "BTC")}` : `did you mean ${near}?`;
  return err(failure("INVALID_INPUT", "12001", `symbol ${JSON.stringify(text)} is not canonical; ${remedy}`));
}

const FIELDS = ["symbol", "symbols", "symbolList", "sym"];

const textsOf = (field: string, value: unknown): readonly unknown[] | null => {
  const texts: unknown = typeof value === "string" ? value.split(field === "symbolList" ? "," : "\n") : value;
  return Array.isArray(texts) ? texts : null;
};

/** An input with canonical symbols; `completed` lists the ones that were expanded. */
export interface CanonicalInput {
  readonly input: Record<string, unknown>;
  readonly completed: readonly string[];
}

/** Makes every symbol field of an input canonical. */
export function canonicalInput(
  given: Readonly<Record<string, unknown>>,
  exchanges: readonly string[],
): Result<CanonicalInput, Failure> {
  const input: Record<string, unknown> = { ...given };
  const completed: string[] = [];
  for (const field of FIELDS) {
    const texts = textsOf(field, given[field]);
    if (!texts) continue;
    const symbols: string[] = [];
    for (const text of texts) {
      const symbol = canonicalSymbol(String(text), exchanges);
      if (!symbol.ok) return symbol;
      symbols.push(symbol.value);
      if (symbol.value !== String(text).trim().toUpperCase())
        completed.push(`symbol ${String(text).trim()} is read as ${symbol.value}`);
    }
    input[field] = typeof given[field] === "string" ? symbols.join(",") : symbols;
  }
  return ok({ input, completed });
}

/** The service's codes for an unknown symbol, by REST and on the stream. */
const UNKNOWN_SYMBOL: ReadonlySet<string> = new Set(["401011", "11250"]);

/** Adds a hint if the service does not know the symbol and a known one is similar. */
export function hintedSymbol(refused: Failure, given: unknown, exchanges: readonly string[]): Failure {
  const named = refused.digits === "12001" && /symbol/i.test(refused.message);
  const unknown = named || UNKNOWN_SYMBOL.has(refused.details?.upstreamCode ?? "");
  if (!unknown || refused.details?.hint !== undefined || given === null || typeof given !== "object") return refused;
  const text = (given as Readonly<Record<string, unknown>>)["symbol"];
  const near = typeof text === "string" ? nearestSymbol(text, exchanges) : null;
  if (near === null || refused.message.includes(near)) return refused;
  return { ...refused, details: { ...refused.details, hint: `did you mean ${near}?` } };
}
