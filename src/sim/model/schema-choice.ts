/** Chooses among the words, types or branches of a schema the one that is closest to the model's answer. */
import { isRecord } from "../../core/record.ts";
import type { Guide, JsonSchema } from "./schema-leaves.ts";
import { asSchema, listOf, whole } from "./schema-nodes.ts";

/** How the guide maps the names and words of a schema. */
export interface Vocabulary {
  /** The guide's value for a name that it does not use itself; undefined for none. `part` has no references. */
  member(guide: Guide, name: string, part: JsonSchema): Guide;
  /** The one of several words with the same meaning; undefined for none. */
  word(words: readonly unknown[], said: string | number): unknown;
}

/** Beyond this depth only the smallest values are written, so that a recursive schema ends. */
export const DEPTH_MAX = 12;

/** Where in a schema a value is being written. */
export interface FillContext {
  readonly root: JsonSchema;
  readonly vocabulary: Vocabulary;
  readonly depth: number;
}

function kindOf(guide: Guide): string {
  if (guide === null) return "null";
  if (Array.isArray(guide)) return "array";
  return typeof guide;
}

const isOfType = (type: unknown, guide: Guide): boolean =>
  type === kindOf(guide) || (type === "integer" && Number.isInteger(guide));

/** The type to write if a schema allows several: that of the guide if allowed, otherwise null before others. */
export function typeFor(schema: JsonSchema, guide: Guide, at: FillContext): string | undefined {
  const type = schema["type"];
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const found = type.find((each) => isOfType(each, guide));
    if (typeof found === "string" && at.depth < DEPTH_MAX) return found;
    return type.includes("null") ? "null" : String(type[0]);
  }
  if (isRecord(schema["properties"]) || isRecord(schema["additionalProperties"]) || "required" in schema)
    return "object";
  if ("items" in schema || "prefixItems" in schema || "minItems" in schema) return "array";
  if ("pattern" in schema || "minLength" in schema || "maxLength" in schema || "format" in schema) return "string";
  return ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].some((name) => name in schema)
    ? "number"
    : undefined;
}

/** The word with the intended meaning; undefined if the schema offers none. */
export function sameWord(words: readonly unknown[], said: Guide, vocabulary: Vocabulary): unknown {
  if (words.includes(said)) return said;
  if (typeof said === "number") return vocabulary.word(words, said);
  if (typeof said !== "string") return undefined;
  const plainly = words.find((word) => typeof word === "string" && word.toLowerCase() === said.toLowerCase());
  return plainly ?? vocabulary.word(words, said);
}

/** The same; without such a word null if allowed, else the first word. */
export function pickWord(words: readonly unknown[], guide: Guide, vocabulary: Vocabulary): unknown {
  const found = sameWord(words, guide, vocabulary);
  if (found !== undefined) return found;
  return (guide === undefined || guide === null) && words.includes(null) ? null : words[0];
}

function branchFits(schema: JsonSchema, guide: Guide, at: FillContext): boolean {
  const { root, vocabulary } = at;
  if ("const" in schema) return schema["const"] === guide;
  if (Array.isArray(schema["enum"])) return sameWord(schema["enum"], guide, vocabulary) !== undefined;
  if (isRecord(guide) && isRecord(schema["properties"])) {
    // A discriminator that contradicts the guide rules the branch out.
    return Object.entries(schema["properties"]).every(([name, each]) => {
      const part = whole(asSchema(each), root);
      if (!("const" in part)) return true;
      const said = memberOf(guide, name) ?? vocabulary.member(guide, name, part);
      return sameWord([part["const"]], said, vocabulary) !== undefined;
    });
  }
  const inner = listOf(schema["anyOf"] ?? schema["oneOf"]);
  if (inner.length > 0) return inner.some((each) => branchFits(whole(asSchema(each), root), guide, at));
  return [schema["type"]].flat().some((type) => isOfType(type, guide));
}

/** `branches` have no references at their top. At depth, a branch without references ends a recursion. */
export function pickBranch(branches: readonly JsonSchema[], guide: Guide, at: FillContext): JsonSchema {
  const isNull = (branch: JsonSchema): boolean => branch["type"] === "null";
  if (at.depth >= DEPTH_MAX)
    return (
      branches.find(isNull) ?? branches.find((each) => !JSON.stringify(each).includes('"$ref"')) ?? branches[0] ?? {}
    );
  if (guide === undefined || guide === null) return branches.find(isNull) ?? branches[0] ?? {};
  const fits = branches.find((branch) => branchFits(branch, guide, at));
  return fits ?? branches.find((branch) => !isNull(branch)) ?? branches[0] ?? {};
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Finds the guide's value for a name, ignoring case, dashes and underscores. */
export function memberOf(guide: Guide, name: string): unknown {
  if (!isRecord(guide)) return undefined;
  if (Object.hasOwn(guide, name)) return guide[name];
  const found = Object.keys(guide).find((key) => plain(key) === plain(name));
  return found === undefined ? undefined : guide[found];
}
