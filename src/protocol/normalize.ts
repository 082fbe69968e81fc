/**
 * Small steps that an endpoint combines into its `normalize`: they turn the spellings of real clients (records §18)
 * into those of the documents. For servers; a step leaves a value that it does not understand for the schema to refuse.
 */
import type { Normalize } from "./endpoint.ts";

type Params = Readonly<Record<string, unknown>>;

/** Runs the steps in order. */
export const inOrder =
  (...steps: readonly Normalize[]): Normalize =>
  (params) =>
    steps.reduce<Record<string, unknown>>((current, step) => step(current), { ...params });

/** Moves a value from an alias to the documented name, unless the documented name is there already. */
export const renamed =
  (aliases: Readonly<Record<string, string>>): Normalize =>
  (params) => {
    const result: Record<string, unknown> = { ...params };
    for (const [alias, name] of Object.entries(aliases)) {
      if (result[name] === undefined && result[alias] !== undefined) result[name] = result[alias];
    }
    return result;
  };

function changed(
  params: Params,
  fields: readonly string[],
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...params };
  for (const field of fields) if (result[field] !== undefined) result[field] = change(result[field]);
  return result;
}

/** Enum words in any case. Records §0.2 [guess]. */
export const upperCased =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) => (typeof value === "string" ? value.toUpperCase() : value));

/** Numbers and flags that the wire carries as text. */
export const asText =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) =>
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    );

/** Flag texts in lower case. */
export const lowerCased =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) => (typeof value === "string" ? value.toLowerCase() : value));

/** `"true"`, `"TRUE"` and `"false"` as JSON booleans. */
export const asBoolean =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) => {
      const word = typeof value === "string" ? value.toLowerCase() : value;
      return word === "true" ? true : word === "false" ? false : value;
    });

/** Whole numbers sent as text. */
export const asInteger =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value));

const TRIGGER_SPELLINGS: Readonly<Record<string, string>> = {
  LASTPRICE: "LAST_PRICE",
  MARKPRICE: "MARK_PRICE",
  // Used by one SDK; read as the last traded price, which is also the default [guess].
  MARKET_PRICE: "LAST_PRICE",
};

/** Trigger types in the spellings of records §5.1: LastPrice, MarkPrice, MARKET_PRICE. */
export const triggerTypes =
  (...fields: readonly string[]): Normalize =>
  (params) =>
    changed(params, fields, (value) => {
      if (typeof value !== "string") return value;
      const upper = value.toUpperCase();
      return TRIGGER_SPELLINGS[upper] ?? upper;
    });

/** What every paged list accepts: numbers as text or number, enum words in any case. */
export const listSpellings: Normalize = inOrder(
  asText("page", "pageSize", "limit", "begin", "end", "startTime", "endTime"),
  upperCased("sym", "exchange", "exchangeType", "businessType"),
);
