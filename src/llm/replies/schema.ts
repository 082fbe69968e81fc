/**
 * The strict JSON schema sent with a question, derived from the zod schema that validates the reply. Uses the subset
 * that services with structured outputs accept: every member required, no additional ones, few keywords.
 */
import { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";

/** Plain data; created by `strictJsonSchema`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schema keywords that are kept; zod validates everything else after the reply. */
const KEPT = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "description",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "minItems",
  "maxItems",
  "$ref",
  "$defs",
]);

/** Errors name what strict schemas cannot express: a root that is not an object, types without a JSON form. */
export function strictJsonSchema(schema: z.ZodType): Result<JsonSchema, string> {
  let made: unknown;
  try {
    // What the model writes, before a schema transforms it.
    made = z.toJSONSchema(schema, { io: "input" });
  } catch (error) {
    return err(`the reply schema has no JSON form: ${error instanceof Error ? error.message : String(error)}`);
  }
  const strict = tighten(made);
  return isNode(strict) && strict["type"] === "object"
    ? ok(strict)
    : err("the root of a reply schema must be an object");
}

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tighten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tighten);
  if (!isNode(value)) return value;
  const node: Record<string, unknown> = {};
  for (const [keyword, inner] of Object.entries(value)) {
    if (!KEPT.has(keyword)) continue;
    node[keyword] = tightened(keyword, inner);
  }
  if (value["oneOf"] !== undefined) node["anyOf"] = tighten(value["oneOf"]);
  return node["type"] === "object" ? closed(node) : node;
}

function tightened(keyword: string, inner: unknown): unknown {
  if (keyword === "properties" || keyword === "$defs") return each(inner);
  // The schema is in the stable part of the prompt: symbols in another order must not change the prefix.
  if (keyword === "enum" && Array.isArray(inner)) return [...(inner as unknown[])].sort();
  return keyword === "enum" || keyword === "const" || keyword === "required" ? inner : tighten(inner);
}

const each = (nodes: unknown): unknown =>
  isNode(nodes) ? Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, tighten(node)])) : nodes;

const closed = (node: Record<string, unknown>): Record<string, unknown> => ({
  ...node,
  required: Object.keys(isNode(node["properties"]) ? node["properties"] : {}),
  additionalProperties: false,
});
