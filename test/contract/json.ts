/** Reading loosely typed JSON in cards without trusting its shape. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** JSON, or null for what is none. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a path, null where the path leads nowhere. */
export function at(value: Json, ...path: readonly (string | number)[]): Json {
  let current: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === "number") current = (current as readonly Json[])[step];
    else if (isObject(current) && typeof step === "string")
      current = Object.hasOwn(current, step) ? current[step] : null;
    else return null;
  }
  return current ?? null;
}

/** The items of an array or of a page object's list. */
export function rows(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  const list = at(value, "list");
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

export const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
export const num = (value: Json): number => Number(value);
