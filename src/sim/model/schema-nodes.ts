/** The nodes of a JSON schema: resolves references, merges `allOf`, and intersects two schemas. */
import { isRecord } from "../../core/record.ts";
import type { JsonSchema } from "./schema-leaves.ts";

export const asSchema = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const requiredOf = (schema: JsonSchema): readonly string[] =>
  listOf(schema["required"]).filter((name) => typeof name === "string");

/** With its reference resolved and the parts of `allOf` merged. */
export function whole(schema: JsonSchema, root: JsonSchema, hops = 0): JsonSchema {
  const { $ref, allOf, ...rest } = schema;
  if (hops > 20) return rest;
  const parts = listOf(allOf).map((part) => whole(asSchema(part), root, hops + 1));
  if (typeof $ref === "string") parts.unshift(whole(named($ref, root), root, hops + 1));
  return parts.length === 0 ? schema : [...parts, rest].reduce(merge, {});
}

function named(ref: string, root: JsonSchema): JsonSchema {
  const path = ref.replace(/^#\/?/, "").split("/").filter(Boolean);
  const names = path.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  return asSchema(names.reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), root));
}

/** A schema for values that conform to both, by keywords: the tighter bound, the common words, all members. */
export function merge(a: JsonSchema, b: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...a, ...b };
  for (const name of Object.keys(a)) {
    const [one, other] = [a[name], b[name]];
    if (other === undefined) merged[name] = one;
    else if (typeof one === "number" && typeof other === "number")
      merged[name] = /^(?:min|exclusiveMin)/.test(name) ? Math.max(one, other) : Math.min(one, other);
    else if (name === "enum") merged[name] = listOf(one).filter((word) => listOf(other).includes(word));
    else if (name === "type") merged[name] = commonTypes([one].flat(), [other].flat());
    else if (name === "required") merged[name] = [...listOf(one), ...listOf(other)];
    else if (name === "properties") merged[name] = { ...asSchema(one), ...asSchema(other) };
  }
  return merged;
}

function commonTypes(one: readonly unknown[], other: readonly unknown[]): unknown {
  const both = [...one, ...other].filter(
    (type) =>
      (one.includes(type) || (type === "integer" && one.includes("number"))) &&
      (other.includes(type) || (type === "integer" && other.includes("number"))),
  );
  return both.length === 1 ? both[0] : [...new Set(both)];
}
