/**
 * The business parameters of a write in canonical form, so that 0.10 and 0.1 are equal. A preview shows and hashes them,
 * and a submit is compared with them field by field. Records §17.5.
 */
import { dec, type Decimal, DECIMAL_PATTERN, toWire } from "../../../core/decimal.ts";
import type { BusinessParams } from "../../../desk/action.ts";
import { NOT_BUSINESS } from "../fields.ts";

const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
  "price",
  "quantity",
  "notional",
  "maxNotional",
  "triggerPrice",
  "takeProfitPrice",
  "takeProfitLimitPrice",
  "stopLossPrice",
  "stopLossLimitPrice",
]);

/** Document 1's names of algo fields, and other synonyms. Records §17.4, end. */
const SYNONYM: Readonly<Record<string, string>> = {
  sym: "symbol",
  orderQty: "quantity",
  algoOrderType: "algoType",
  conditionalTriggerPrice: "triggerPrice",
  conditionalTriggerType: "triggerType",
  tpTriggerType: "triggerType",
  slTriggerType: "triggerType",
  tpTriggerPrice: "takeProfitPrice",
  tpPrice: "takeProfitLimitPrice",
  slTriggerPrice: "stopLossPrice",
  slPrice: "stopLossLimitPrice",
  exchangeType: "exchange",
};

/** Reads the canonical fields by type. An absent field is null. */
export interface Business {
  readonly params: BusinessParams;
  text(field: string): string | null;
  decimal(field: string): Decimal | null;
  flag(field: string): boolean;
}

function canonical(field: string, value: string | number | boolean): string | number | boolean {
  if (typeof value !== "string" || !DECIMAL_FIELDS.has(field) || !DECIMAL_PATTERN.test(value)) return value;
  return toWire(dec(value));
}

/** Resolves synonyms, makes decimals canonical, and drops the fields of consent and preview. */
export function businessOf(input: Readonly<Record<string, unknown>>): Business {
  const params: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(input)) {
    if (NOT_BUSINESS.has(name) || value === undefined || value === null) continue;
    const field = SYNONYM[name] ?? name;
    params[field] = canonical(field, value as string | number | boolean);
  }
  const text = (field: string): string | null => {
    const value = params[field];
    return value === undefined ? null : String(value);
  };
  return {
    params,
    text,
    decimal: (field) => {
      const value = text(field);
      return value === null ? null : dec(value);
    },
    flag: (field) => params[field] === true,
  };
}

/** Describes two names of one parameter with different values, one of which would be ignored. Null if there are none. */
export function contradiction(input: Readonly<Record<string, unknown>>): string | null {
  const said = new Map<string, { readonly name: string; readonly value: string | number | boolean }>();
  for (const [name, given] of Object.entries(input)) {
    if (NOT_BUSINESS.has(name) || given === undefined || given === null) continue;
    const field = SYNONYM[name] ?? name;
    const value = canonical(field, given as string | number | boolean);
    const before = said.get(field);
    if (before && before.value !== value)
      return `${before.name} is ${before.value} and ${name} is ${value}, but both name ${field}`;
    said.set(field, { name, value });
  }
  return null;
}

/** Names of the fields in which two sets of parameters differ. */
export function differingFields(a: BusinessParams, b: BusinessParams): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => a[field] !== b[field]).sort();
}
