/**
 * Creates a value for a JSON schema from the model's answer, the guide. Members are matched by name in any order or
 * depth, then by the vocabulary's meaning of a name; members without a meaning get the smallest value that the schema
 * allows. Independent of trading.
 */
import { isRecord } from "../../core/record.ts";
import { fillNumber, fillString, type Guide, type JsonSchema, numberOf, textsFor } from "./schema-leaves.ts";

import { asSchema, listOf, merge, requiredOf, whole } from "./schema-nodes.ts";
import {
  DEPTH_MAX,
  type FillContext,
  memberOf,
  pickBranch,
  pickWord,
  sameWord,
  typeFor,
  type Vocabulary,
} from "./schema-choice.ts";

export type { Guide, JsonSchema } from "./schema-leaves.ts";

const NO_VOCABULARY: Vocabulary = { member: () => undefined, word: () => undefined };
/** Attempts to find another value for a list whose entries must differ. */
const DISTINCT_TRIES = 200;

/** A value that conforms to `schema`, as close to `guide` as the schema allows. */
export function fillSchema(schema: unknown, guide: Guide, vocabulary: Vocabulary = NO_VOCABULARY): unknown {
  const root = asSchema(schema);
  return fill(root, guide, { root, vocabulary, depth: 0 });
}

function fill(given: JsonSchema, guide: Guide, at: FillContext): unknown {
  const schema = whole(given, at.root);
  const deeper = { ...at, depth: at.depth + 1 };
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return pickWord(schema["enum"], guide, at.vocabulary);
  const { anyOf, oneOf, ...rest } = schema;
  const branches = listOf(anyOf ?? oneOf);
  if (branches.length > 0) {
    const branch = pickBranch(
      branches.map((each) => whole(asSchema(each), at.root)),
      guide,
      at,
    );
    return fill(merge(rest, branch), guide, deeper);
  }
  switch (typeFor(schema, guide, at)) {
    case "object":
      return fillObject(schema, guide, deeper);
    case "array":
      return fillArray(schema, guide, deeper);
    case "string":
      return fillString(schema, guide);
    case "integer":
      return fillNumber(schema, guide, true);
    case "number":
      return fillNumber(schema, guide, false);
    case "boolean":
      return typeof guide === "boolean" ? guide : false;
    case "null":
      return null;
    default:
      return guide ?? null;
  }
}

function fillObject(schema: JsonSchema, guide: Guide, at: FillContext): Record<string, unknown> {
  const properties = asSchema(schema["properties"]);
  const required = requiredOf(schema);
  const out: Record<string, unknown> = {};
  const put = (name: string, part: JsonSchema, wanted: unknown): void => {
    // Set as an own property, even if the name is `__proto__`.
    Object.defineProperty(out, name, {
      value: fill(part, wanted, at),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  };
  for (const [name, each] of Object.entries(properties)) {
    const part = asSchema(each);
    const wanted = memberOf(guide, name) ?? at.vocabulary.member(guide, name, whole(part, at.root));
    if (wanted !== undefined || required.includes(name)) put(name, part, wanted);
  }
  const other = (name: string): JsonSchema => otherMember(schema, name);
  for (const name of required) if (!Object.hasOwn(out, name)) put(name, other(name), memberOf(guide, name));
  const most = numberOf(schema["maxProperties"]) ?? Infinity;
  if (isRecord(schema["additionalProperties"]) && isRecord(guide))
    for (const [name, value] of Object.entries(guide))
      if (!Object.hasOwn(out, name) && mayBeCalled(schema, name, at) && Object.keys(out).length < most)
        put(name, other(name), value);
  const least = numberOf(schema["minProperties"]) ?? 0;
  const names = [...Object.keys(properties), ...namesFor(schema, least, at)];
  for (const name of names)
    if (Object.keys(out).length < least && !Object.hasOwn(out, name))
      put(name, asSchema(properties[name] ?? other(name)), undefined);
  return out;
}

/** The schema of a member that `properties` does not list. */
function otherMember(schema: JsonSchema, name: string): JsonSchema {
  const patterns = Object.entries(asSchema(schema["patternProperties"]));
  const found = patterns.find(([pattern]) => new RegExp(pattern, "u").test(name))?.[1];
  return asSchema(found ?? schema["additionalProperties"]);
}

const mayBeCalled = (schema: JsonSchema, name: string, at: FillContext): boolean =>
  schema["propertyNames"] === undefined || fill(asSchema(schema["propertyNames"]), name, at) === name;

/** Names for required members without a given name. */
function namesFor(schema: JsonSchema, least: number, at: FillContext): readonly string[] {
  const words = whole(asSchema(schema["propertyNames"]), at.root)["enum"];
  if (Array.isArray(words)) return words.map(String);
  const [pattern] = Object.keys(asSchema(schema["patternProperties"]));
  const rules = schema["propertyNames"] ?? (pattern === undefined ? { type: "string" } : { type: "string", pattern });
  const made = distinct({ type: "string", ...asSchema(rules) }, { count: least, taken: [] }, at);
  return made.filter((name) => typeof name === "string");
}

/**
 * False for an entry with a word that the schema does not offer: the entry is omitted rather than changed to another
 * word.
 */
function canBeSaid(list: JsonSchema, entry: Guide, { root, vocabulary }: FillContext): boolean {
  const { properties } = whole(asSchema(list["items"]), root);
  if (!isRecord(entry) || !isRecord(properties)) return true;
  return Object.entries(properties).every(([name, each]) => {
    const part = whole(asSchema(each), root);
    const words = part["enum"];
    const said = memberOf(entry, name) ?? vocabulary.member(entry, name, part);
    return !Array.isArray(words) || typeof said !== "string" || sameWord(words, said, vocabulary) !== undefined;
  });
}

function fillArray(schema: JsonSchema, guide: Guide, at: FillContext): unknown[] {
  const wanted: unknown[] = Array.isArray(guide) ? guide.filter((entry) => canBeSaid(schema, entry, at)) : [];
  const fixed = listOf(schema["prefixItems"]).map((part, i) => fill(asSchema(part), wanted[i], at));
  const least = numberOf(schema["minItems"]) ?? 0;
  const most = numberOf(schema["maxItems"]) ?? Infinity;
  const free = schema["items"] === false || (fixed.length > 0 && !("items" in schema)) ? 0 : Infinity;
  const target = at.depth > DEPTH_MAX ? 0 : wanted.length;
  const count = Math.min(fixed.length + free, most, Math.max(least, target));
  const items = asSchema(schema["items"]);
  const rest = Array.from({ length: Math.max(0, count - fixed.length) }, (_, i) =>
    fill(items, wanted[fixed.length + i], at),
  );
  const made = [...fixed, ...rest].slice(0, most);
  if (schema["uniqueItems"] !== true) return made;
  const unlike = made.filter((entry, i) => made.findIndex((other) => isSame(other, entry)) === i);
  return [...unlike, ...distinct(items, { count: least - unlike.length, taken: unlike }, at)];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Further values of a schema that are not yet used: its own words first, then numbers and names in turn. */
function distinct(
  schema: JsonSchema,
  { count, taken }: { readonly count: number; readonly taken: readonly unknown[] },
  at: FillContext,
): unknown[] {
  const found: unknown[] = [];
  const plainly = whole(schema, at.root);
  const words = [...listOf(plainly["enum"]), ...textsFor(plainly)];
  for (let i = 0; found.length < count && i < DISTINCT_TRIES; i++) {
    for (const guide of [words[i], i, -i, i / 100, `n${i}`, i % 2 === 0]) {
      const made = fill(schema, guide, at);
      if (found.length < count && ![...taken, ...found].some((other) => isSame(other, made))) found.push(made);
    }
  }
  return found;
}
