/** Canonical symbols `{EXCHANGE}_{TYPE}_{BASE}_{QUOTE}` and a symbol's trading rules. Spec: 1 §2.1, records §9.1. */
import { type Decimal, isMultipleOf } from "../core/decimal.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The TYPE part of a canonical symbol. */
export type InstrumentType = "PERP" | "SPOT";

/** What `parseSymbol` takes a symbol apart into; `symbol` is the whole again. */
export interface SymbolParts {
  readonly symbol: string;
  /** May itself hold underscores: operators configure the exchange identifiers. */
  readonly exchange: string;
  readonly type: InstrumentType;
  readonly base: string;
  readonly quote: string;
}

const CANONICAL = /^([A-Z0-9]+(?:_[A-Z0-9]+)*)_(PERP|SPOT)_([A-Z0-9]+)_([A-Z0-9]+)$/;

/** Reads a canonical symbol. The error says what was expected. */
export function parseSymbol(symbol: string): Result<SymbolParts, string> {
  const match = CANONICAL.exec(symbol);
  if (!match)
    return err(`${JSON.stringify(symbol)} is not a symbol of the form EXCHANGE_TYPE_BASE_QUOTE in upper case`);
  const [, exchange = "", type = "", base = "", quote = ""] = match;
  return ok({ symbol, exchange, type: type as InstrumentType, base, quote });
}

/** The coin of a canonical symbol; any other name is its own. */
export function baseOf(symbol: string): string {
  const parsed = parseSymbol(symbol);
  return parsed.ok ? parsed.value.base : symbol;
}

const EXCHANGE = /^[A-Z0-9]+(_[A-Z0-9]+)*$/;
const EXCHANGES_MAX = 4;

/** One to four different identifiers separated by commas; null for anything else. A name twice would be one exchange. */
export function readExchanges(text: string): readonly string[] | null {
  const names = text.split(",").map((name) => name.trim());
  const sound = names.length <= EXCHANGES_MAX && names.every((name) => EXCHANGE.test(name));
  return sound && new Set(names).size === names.length ? names : null;
}

/** What the documents call the two exchanges, where the operator names none. Spec: 3 §1. */
export const DEFAULT_EXCHANGES = ["EXCHANGE_A", "EXCHANGE_B"] as const;

/** The exchange that is traded on in Phase I and completes bare coins: the first that the operator names. */
export const homeExchange = ([first = DEFAULT_EXCHANGES[0]]: readonly string[]): string => first;

/** Always against USDT; both parts must be in upper case already. */
export const perpSymbol = (exchange: string, base: string): string => `${exchange}_PERP_${base}_USDT`;

/** What the venue demands of orders in one symbol. Quantities are in the venue's order unit (base or contracts). */
export interface SymbolRules {
  readonly symbol: string;
  /** Tradable when "live". */
  readonly state: string;
  readonly tickSize: Decimal;
  readonly pricePrecision: number;
  readonly lotSize: Decimal;
  readonly qtyPrecision: number;
  readonly minSize: Decimal;
  /** Smallest order value in quote currency; zero when the venue states none. */
  readonly minNotional: Decimal;
  readonly maxLimitSize: Decimal;
  readonly maxMarketSize: Decimal;
  readonly maxNumOrders: number;
  /** Base units per 1 of order quantity. */
  readonly contractSize: Decimal;
  readonly defaultLeverage: number;
}

/** Order value in quote currency: quantity x contract size x price. */
export const notionalOf = (qty: Decimal, price: Decimal, rules: SymbolRules): Decimal =>
  qty.mul(rules.contractSize).mul(price);

/** The first rule that an order breaks, for a person to read: plain figures, `rule` says what was demanded. */
export type RuleBreach = {
  readonly field: "price" | "qty" | "notional";
  readonly found: string;
  readonly rule: string;
};

/** Checks price and quantity against tick, lot, size and notional. `price` is null for a MARKET order. */
export function checkOrderShape(
  rules: SymbolRules,
  order: { qty: Decimal; price: Decimal | null; referencePrice: Decimal; reduceOnly: boolean },
): RuleBreach | null {
  const { qty, price } = order;
  if (price && (!price.gt(0) || !isMultipleOf(price, rules.tickSize))) {
    return {
      field: "price",
      found: price.toFixed(),
      rule: `a positive multiple of the tick ${rules.tickSize.toFixed()}`,
    };
  }
  if (!qty.gt(0) || !isMultipleOf(qty, rules.lotSize)) {
    return { field: "qty", found: qty.toFixed(), rule: `a positive multiple of the lot ${rules.lotSize.toFixed()}` };
  }
  if (qty.lt(rules.minSize)) {
    return { field: "qty", found: qty.toFixed(), rule: `at least ${rules.minSize.toFixed()}` };
  }
  const maxSize = price ? rules.maxLimitSize : rules.maxMarketSize;
  if (qty.gt(maxSize)) return { field: "qty", found: qty.toFixed(), rule: `at most ${maxSize.toFixed()}` };
  const notional = notionalOf(qty, price ?? order.referencePrice, rules);
  if (!order.reduceOnly && notional.lt(rules.minNotional)) {
    return { field: "notional", found: notional.toFixed(), rule: `at least ${rules.minNotional.toFixed()}` };
  }
  return null;
}
