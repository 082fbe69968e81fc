/** Texts, figures and words for a JSON schema: the intended one if it fits, else the first candidate that does. */
import { patternSamples } from "./pattern-sample.ts";

/** A schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;
/** Any JSON value; undefined if nothing is intended. */
export type Guide = unknown;

export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const FORMAT_SAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00",
  duration: "PT1M",
  email: "nobody@example.com",
  uri: "https://example.com/",
  hostname: "example.com",
  uuid: "00000000-0000-4000-8000-000000000000",
  ipv4: "127.0.0.1",
  ipv6: "::1",
  e164: "+12025550100",
  ulid: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  nanoid: "V1StGXR8_Z5jdHi6B-myT",
  cuid: "cjld2cjxh0000qzrmn831i7rn",
};

/** Used if a text is required and none was intended; the further entries fit common patterns. */
const IDLE_TEXTS = ["none", "", "0", "1", "0.1", "a", "A", ...Object.values(FORMAT_SAMPLES)];

/** Filler for a text of a required length. */
const FILLER = "-";

/** A text that the schema accepts. If no attempt matches a pattern, one of the right length. */
export function fillString(schema: JsonSchema, guide: Guide): string {
  const least = numberOf(schema["minLength"]) ?? 0;
  const most = numberOf(schema["maxLength"]) ?? Infinity;
  const format = typeof schema["format"] === "string" ? FORMAT_SAMPLES[schema["format"]] : undefined;
  const pattern = patternOf(schema);
  const fits = (text: string): boolean => text.length >= least && text.length <= most && (pattern?.test(text) ?? true);
  const said = typeof guide === "string" || typeof guide === "number" ? String(guide) : undefined;
  const cut = said?.slice(0, most);
  if (said !== undefined && cut !== undefined && fits(cut) && (format === undefined || isLike(format, said)))
    return cut;
  if (format !== undefined && fits(format)) return format;
  const found = IDLE_TEXTS.find(fits);
  if (found !== undefined) return found;
  if (pattern) for (const text of patternSamples(pattern)) if (fits(text)) return text;
  return (cut ?? "").padEnd(least, FILLER).slice(0, most);
}

/** Texts that match a pattern, for lists that need several different ones. */
export const textsFor = (schema: JsonSchema): readonly string[] => {
  const pattern = patternOf(schema);
  return pattern === null ? [] : [...new Set(patternSamples(pattern))];
};

function patternOf(schema: JsonSchema): RegExp | null {
  if (typeof schema["pattern"] !== "string") return null;
  try {
    return new RegExp(schema["pattern"], "u");
  } catch {
    return null;
  }
}

/** A text for a format without a pattern is accepted if it has the form of the sample, digit for digit. */
const isLike = (sample: string, said: string): boolean => said.replace(/\d/g, "0") === sample.replace(/\d/g, "0");

/** A figure inside the bounds and on the steps of the schema, as close to the intended one as possible. */
export function fillNumber(schema: JsonSchema, guide: Guide, whole: boolean): number {
  const step = numberOf(schema["multipleOf"]) ?? (whole ? 1 : 0);
  const least = numberOf(schema["minimum"]) ?? -Infinity;
  const most = numberOf(schema["maximum"]) ?? Infinity;
  const above = numberOf(schema["exclusiveMinimum"]) ?? -Infinity;
  const below = numberOf(schema["exclusiveMaximum"]) ?? Infinity;
  const low = Math.max(least, above);
  const high = Math.min(most, below);
  const fits = (value: number): boolean =>
    value >= least && value <= most && value > above && value < below && (!whole || Number.isInteger(value));
  const meant = typeof guide === "number" ? guide : typeof guide === "string" && guide !== "" ? Number(guide) : 0;
  const near = Math.min(high, Math.max(low, Number.isFinite(meant) ? meant : 0));
  const finite = [near, near + 1e-6, near - 1e-6, (low + high) / 2, near + 1, near - 1, low + 1, high - 1];
  const candidates = finite.filter(Number.isFinite).flatMap((value) => (step > 0 ? stepsNear(value, step) : [value]));
  return candidates.find(fits) ?? (Number.isFinite(near) ? near : 0);
}

/** The nearest multiple, then its neighbours; rounded to the decimals of the step. */
function stepsNear(value: number, step: number): readonly number[] {
  const nearest = Math.round(value / step);
  const places = Math.min(100, Math.max(0, Math.ceil(-Math.log10(step)) + 6));
  return [nearest, nearest + 1, nearest - 1].map((count) =>
    Number.isInteger(step) ? count * step : Number((count * step).toFixed(places)),
  );
}
