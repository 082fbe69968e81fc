/**
 * Converts the words of a command line to an input: JSON first, then named options, each parsed by the type of its
 * field. Spec: records §17.2.
 */
import { err, ok, type Result } from "../../core/result.ts";
import type { Capability } from "../contract/capability.ts";
import { type Failure, invalidInput } from "../contract/statuses.ts";

/** Option names are camel case without dashes; of repeated options the last counts. */
export interface Words {
  /** The words before and between the options. */
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, string | true>;
}

const camel = (name: string): string => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
/** Options that never take the word after them. */
const BARE: ReadonlySet<string> = new Set(["json", "help", "version"]);

/** Separates words from options. `--name value`, `--name=value`; a bare option is true. A lone `-` is a value. */
export function splitWords(argv: readonly string[]): Words {
  const words: string[] = [];
  const options = new Map<string, string | true>();
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "-h") options.set("help", true);
    else if (word === "-v") options.set("version", true);
    else if (!word.startsWith("--")) words.push(word);
    else {
      const [name = "", ...rest] = word.slice(2).split("=");
      const key = camel(name);
      const next = argv[at + 1];
      if (rest.length > 0) options.set(key, rest.join("="));
      else if (BARE.has(key) || next === undefined || next.startsWith("--")) options.set(key, true);
      else {
        options.set(key, next);
        at++;
      }
    }
  }
  return { words, options };
}

interface FieldType {
  readonly type: string;
  readonly entries?: Readonly<Record<string, unknown>>;
}

/** The type of a field inside its optional wrapping. */
export function typeOfField(capability: Capability, name: string): FieldType {
  let def = (capability.input.shape[name] as { def?: unknown } | undefined)?.def as
    | { type: string; innerType?: { def: unknown }; entries?: Record<string, unknown> }
    | undefined;
  while (def?.innerType) def = def.innerType.def as typeof def;
  return def ?? { type: "unknown" };
}

/** Tests whether the schema accepts undefined: a field with a default is not required. */
export const isRequired = (capability: Capability, name: string): boolean => {
  const field = capability.input.shape[name] as { safeParse(value: unknown): { success: boolean } } | undefined;
  return field !== undefined && !field.safeParse(undefined).success;
};

/** Parses an option by its field's type. Invalid text stays text, for the schema to refuse. */
export function optionValue(capability: Capability, name: string, given: string | true): unknown {
  const { type, entries } = typeOfField(capability, name);
  if (type === "boolean") return given === true || given === "true" ? true : given === "false" ? false : given;
  if (given === true) return true;
  if (type === "number") return given.trim() !== "" && Number.isFinite(Number(given)) ? Number(given) : given;
  if (type === "array") return given.split(",").map((item) => item.trim());
  if (type !== "enum") return given;
  return Object.keys(entries ?? {}).find((entry) => entry.toLowerCase() === given.toLowerCase()) ?? given;
}

/** Words after the command fill the required fields in order. */
export function positionals(capability: Capability, rest: readonly string[]): Result<Record<string, string>, Failure> {
  const required = Object.keys(capability.input.shape).filter((name) => isRequired(capability, name));
  if (rest.length === 0) return ok({});
  if (rest.length > required.length || required.length > 3) {
    return err(invalidInput(`unexpected words: ${rest.join(" ")}`, `svc ${capability.command.join(" ")} --help`));
  }
  return ok(Object.fromEntries(rest.map((word, index) => [required[index] ?? "", word])));
}

/** The JSON of `--input` or standard input as an object. */
export function jsonInput(text: string): Result<Record<string, unknown>, Failure> {
  try {
    const value = JSON.parse(text) as unknown;
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      return ok(value as Record<string, unknown>);
  } catch {
    // Handled below: invalid JSON and a value that is not an object get the same message.
  }
  return err(invalidInput("--input must be a JSON object, @file or -"));
}
