/**
 * Makes a value for a JSON schema, guided by what the model wants to say. Members are found by name, whatever their
 * order or depth; what the guide does not say gets the least value the schema allows. Knows nothing of trading.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Any JSON value; undefined means that there is nothing to say. */
export type Guide = unknown;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const asSchema = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Beyond this depth only the least values are written, so that a recursive schema ends. */
const DEPTH_MAX = 12;

interface Fill {
  readonly root: JsonSchema;
  readonly depth: number;
}

/** A value that conforms to `schema`, as close to `guide` as the schema allows. */
export function fillSchema(schema: unknown, guide: Guide): unknown {
  const root = asSchema(schema);
  return fill(root, guide, { root, depth: 0 });
}

function fill(given: JsonSchema, guide: Guide, at: Fill): unknown {
  const schema = resolve(given, at.root);
  const deeper = { root: at.root, depth: at.depth + 1 };
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return pickWord(schema["enum"], guide);
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(branches)) return fill(pickBranch(branches.map(asSchema), guide, at), guide, deeper);
  if (Array.isArray(schema["allOf"])) return fill(mergeAll(schema, at.root), guide, deeper);
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

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; hops < 20 && typeof current["$ref"] === "string"; hops++) {
    const path = current["$ref"].replace(/^#\/?/, "").split("/").filter(Boolean);
    const named = path.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    current = asSchema(named.reduce<unknown>((node, part) => (isRecord(node) ? node[part] : undefined), root));
  }
  return current;
}

function mergeAll(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema;
  const parts = (allOf as unknown[]).map((part) => resolve(asSchema(part), root));
  return parts.reduce<JsonSchema>(
    (merged, part) => ({
      ...merged,
      ...part,
      properties: { ...asSchema(merged["properties"]), ...asSchema(part["properties"]) },
      required: [...requiredOf(merged), ...requiredOf(part)],
    }),
    rest,
  );
}

const requiredOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema["required"]) ? schema["required"].filter((name) => typeof name === "string") : [];

function kindOf(guide: Guide): string {
  if (guide === null) return "null";
  if (Array.isArray(guide)) return "array";
  return typeof guide;
}

/** The type to write when a schema allows several: that of the guide if it is among them, null before invention. */
function typeFor(schema: JsonSchema, guide: Guide, at: Fill): string | undefined {
  const type = schema["type"];
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const kind = kindOf(guide);
    const found = type.find((name) => name === kind || (name === "integer" && kind === "number"));
    if (typeof found === "string" && at.depth < DEPTH_MAX) return found;
    return type.includes("null") ? "null" : String(type[0]);
  }
  if (isRecord(schema["properties"])) return "object";
  return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

function pickWord(words: readonly unknown[], guide: Guide): unknown {
  if (words.includes(guide)) return guide;
  if (typeof guide === "string") {
    const found = words.find((word) => typeof word === "string" && word.toLowerCase() === guide.toLowerCase());
    if (found !== undefined) return found;
  }
  if ((guide === undefined || guide === null) && words.includes(null)) return null;
  return words[0];
}

function branchFits(branch: JsonSchema, guide: Guide, root: JsonSchema): boolean {
  const schema = resolve(branch, root);
  if ("const" in schema) return schema["const"] === guide;
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(guide);
  const kind = kindOf(guide);
  if (isRecord(guide) && isRecord(schema["properties"])) {
    // A discriminator that contradicts the guide rules the branch out.
    return Object.entries(schema["properties"]).every(
      ([name, part]) => !("const" in asSchema(part)) || asSchema(part)["const"] === guide[name],
    );
  }
  const types = [schema["type"]].flat();
  return types.some((type) => type === kind || (type === "integer" && kind === "number"));
}

function pickBranch(branches: readonly JsonSchema[], guide: Guide, at: Fill): JsonSchema {
  const isNull = (branch: JsonSchema): boolean => resolve(branch, at.root)["type"] === "null";
  if (guide === undefined || guide === null || at.depth >= DEPTH_MAX) {
    return branches.find(isNull) ?? branches[0] ?? {};
  }
  const fits = branches.find((branch) => branchFits(branch, guide, at.root));
  return fits ?? branches.find((branch) => !isNull(branch)) ?? branches[0] ?? {};
}

/** Finds what the guide says under a name, ignoring case, dashes and underscores. */
function memberOf(guide: Guide, name: string): unknown {
  if (!isRecord(guide)) return undefined;
  if (Object.hasOwn(guide, name)) return guide[name];
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const found = Object.keys(guide).find((key) => plain(key) === plain(name));
  return found === undefined ? undefined : guide[found];
}

function fillObject(schema: JsonSchema, guide: Guide, at: Fill): Record<string, unknown> {
  const required = new Set(requiredOf(schema));
  const out: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(asSchema(schema["properties"]))) {
    const wanted = memberOf(guide, name);
    if (wanted === undefined && !required.has(name)) continue;
    out[name] = fill(asSchema(part), wanted, at);
  }
  const others = schema["additionalProperties"];
  if (isRecord(others) && isRecord(guide)) {
    for (const [name, value] of Object.entries(guide))
      if (!Object.hasOwn(out, name)) out[name] = fill(others, value, at);
  }
  return out;
}

/** False for an entry that names a word the schema does not offer: it is left out rather than turned into another word. */
function canBeSaid(list: JsonSchema, entry: Guide, root: JsonSchema): boolean {
  const { properties } = resolve(asSchema(list["items"]), root);
  if (!isRecord(entry) || !isRecord(properties)) return true;
  return Object.entries(properties).every(([name, part]) => {
    const words = resolve(asSchema(part), root)["enum"];
    const said = memberOf(entry, name);
    if (!Array.isArray(words) || typeof said !== "string") return true;
    return words.some((word) => typeof word === "string" && word.toLowerCase() === said.toLowerCase());
  });
}

function fillArray(schema: JsonSchema, guide: Guide, at: Fill): unknown[] {
  const fixed = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : null;
  const wanted: unknown[] = Array.isArray(guide) ? guide.filter((entry) => canBeSaid(schema, entry, at.root)) : [];
  if (fixed) return fixed.map((part, i) => fill(asSchema(part), wanted[i], at));
  const least = numberOf(schema["minItems"]) ?? 0;
  const most = numberOf(schema["maxItems"]) ?? Number.POSITIVE_INFINITY;
  const items = asSchema(schema["items"]);
  const count = Math.min(most, Math.max(least, at.depth > DEPTH_MAX ? 0 : wanted.length));
  return Array.from({ length: count }, (_, i) => fill(items, wanted[i], at));
}

const FORMAT_SAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "nobody@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};
/** Tried in turn where a pattern refuses what the guide says. */
const PATTERN_SAMPLES = [
  "",
  "0",
  "1",
  "0.1",
  "a",
  "A",
  "none",
  "NONE",
  "00",
  "a-1",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
];

function fillString(schema: JsonSchema, guide: Guide): string {
  const least = numberOf(schema["minLength"]) ?? 0;
  const most = numberOf(schema["maxLength"]) ?? Number.POSITIVE_INFINITY;
  const format = typeof schema["format"] === "string" ? FORMAT_SAMPLES[schema["format"]] : undefined;
  const said = typeof guide === "string" || typeof guide === "number" ? String(guide) : undefined;
  const pattern = typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"], "u") : null;
  const fits = (text: string): boolean =>
    text.length >= least && text.length <= most && (pattern === null || pattern.test(text));
  const cut = said === undefined ? undefined : said.slice(0, most);
  if (cut !== undefined && fits(cut) && (format === undefined || said === cut)) return cut;
  const sample = [format, ...PATTERN_SAMPLES].find((text) => text !== undefined && fits(text));
  return sample ?? (cut ?? "").padEnd(least, "-");
}

function fillNumber(schema: JsonSchema, guide: Guide, whole: boolean): number {
  const step = numberOf(schema["multipleOf"]) ?? (whole ? 1 : 0);
  const nudge = step > 0 ? step : 1e-6;
  const above = numberOf(schema["exclusiveMinimum"]);
  const below = numberOf(schema["exclusiveMaximum"]);
  const least = Math.max(numberOf(schema["minimum"]) ?? -Infinity, above === undefined ? -Infinity : above + nudge);
  const most = Math.min(numberOf(schema["maximum"]) ?? Infinity, below === undefined ? Infinity : below - nudge);
  const said = typeof guide === "number" ? guide : typeof guide === "string" && guide !== "" ? Number(guide) : 0;
  const inside = Math.min(most, Math.max(least, Number.isFinite(said) ? said : 0));
  if (step <= 0) return inside;
  const rounded = Math.round(inside / step) * step;
  const fitted =
    rounded > most ? Math.floor(most / step) * step : rounded < least ? Math.ceil(least / step) * step : rounded;
  return whole && step === 1 ? fitted : Number(fitted.toFixed(10));
}
