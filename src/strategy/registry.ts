/**
 * Finds strategies by name and validates their settings. A strategy is a file in `strategies/` relative to this
 * module's root, so that sources and compiled program each find their own; or a user's file in the `strategies/` of
 * the program's location (`/app/strategies` in the container).
 */
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { z } from "zod";
import { hashOf } from "../core/hash.ts";
import { ruleText } from "../core/issues.ts";
import { nearestWord } from "../core/nearest.ts";
import { err, ok, type Result } from "../core/result.ts";
import { answersLater } from "./at-once.ts";
import { type ForeignModule, importForeign } from "./foreign-file.ts";
import type { ArmedStrategy, Composite, Strategy } from "./strategy.ts";

const NAME = /^[a-z0-9-]+$/;
const EXTENSION = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const HOME = fileURLToPath(new URL("../../strategies/", import.meta.url));
/** Only `dist/` has a folder of sources above it. */
const OUTSIDE = EXTENSION === ".ts" ? null : fileURLToPath(new URL("../../../strategies/", import.meta.url));
/** Deeper nesting of strategies would be impossible to explain. */
const NESTING_MAX = 2;

interface Found {
  readonly path: string;
  /** The folder of the file, unless it is one of the program's own. */
  readonly outside: string | null;
}

interface Candidate extends Found {
  readonly name: string;
}

/** Every file that could hold a strategy, the program's own first. */
function candidates(roots: readonly string[]): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const root of roots) {
    const own = root === HOME;
    for (const file of filesIn(root)) {
      const extension = own ? EXTENSION : ([".ts", ".js", ".mjs"].find((each) => file.endsWith(each)) ?? EXTENSION);
      const name = file.slice(0, -extension.length);
      if (!file.endsWith(extension) || file.endsWith(".d.ts") || !NAME.test(name)) continue;
      found.push({ name, path: resolve(root, file), outside: own ? null : root });
    }
  }
  return found;
}

/** All strategy files by name. The program's own come before files of the same name elsewhere. */
function findFiles(roots: readonly string[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const { name, ...file } of candidates(roots)) if (!found.has(name)) found.set(name, file);
  return found;
}

function filesIn(root: string): readonly string[] {
  try {
    return readdirSync(root).sort();
  } catch {
    return [];
  }
}

const rootsWith = (root: string | undefined): readonly string[] =>
  [HOME, OUTSIDE, root].filter((each) => each !== null && each !== undefined);

/** Names of all strategies, sorted. `root` adds another folder to the program's own. */
export const listStrategies = (root?: string): readonly string[] => [...findFiles(rootsWith(root)).keys()].sort();

export interface StrategyFile {
  readonly name: string;
  readonly path: string;
  /** Its folder. */
  readonly root: string;
  readonly isShipped: boolean;
}

/** All strategy files with their folders. */
export const strategyFiles = (root?: string): readonly StrategyFile[] =>
  [...findFiles(rootsWith(root))].map(([name, { path, outside }]) => ({
    ...{ name, path, root: outside ?? HOME, isShipped: outside === null },
  }));

/**
 * Files of `root` that are never used because `by` has their name. Sources beside the compiled program share the
 * names of their compiled files, so the other folders are not checked.
 */
export function hiddenStrategies(
  root: string,
): readonly { readonly name: string; readonly path: string; readonly by: string }[] {
  const used = findFiles(rootsWith(root));
  return candidates([root]).flatMap(({ name, path }) => {
    const by = used.get(name)?.path ?? path;
    return by === path ? [] : [{ name, path, by }];
  });
}

/**
 * Loads a strategy and validates its settings. The error names the strategy, the field, the value found and the rule.
 * `settings` is the configuration under the strategy's name; undefined means all defaults.
 */
export const loadStrategy = (name: string, settings: unknown, root?: string): Promise<Result<ArmedStrategy, string>> =>
  load(name, settings, { files: findFiles(rootsWith(root)), within: [] });

/** The error in a strategy's file, independent of settings; null if it can be loaded. */
export async function strategyFileProblem(name: string, root?: string): Promise<string | null> {
  const described = await describeStrategy(name, root);
  return described.ok ? null : described.error;
}

/** What a file says of its strategy, independent of any configuration. */
export interface StrategyFacts extends Pick<Strategy, "name" | "description" | "settings"> {
  /** False for a composite: that depends on its members. */
  readonly needsModel: boolean;
}

/** Reads a strategy's file without its settings. The error is for people. */
export async function describeStrategy(name: string, root?: string): Promise<Result<StrategyFacts, string>> {
  const file = findFiles(rootsWith(root)).get(name);
  const loaded = file ? await importStrategy(name, file) : err(`strategy ${name} is unknown`);
  if (!loaded.ok) return loaded;
  const { exported } = loaded.value;
  const { description, settings } = exported;
  return ok({ name, description, settings, needsModel: "needsModel" in exported && exported.needsModel });
}

interface Loading {
  readonly files: ReadonlyMap<string, Found>;
  /** The composite strategies for which this one is loaded. */
  readonly within: readonly string[];
}

async function load(name: string, settings: unknown, loading: Loading): Promise<Result<ArmedStrategy, string>> {
  if (!NAME.test(name)) return err(`strategy ${JSON.stringify(name)}: a name is lower-case letters, digits and dashes`);
  const file = loading.files.get(name);
  if (!file) {
    const known = [...loading.files.keys()].sort();
    const hint = nearestWord(name, known);
    return err(`strategy ${name} is unknown${hint ? `; did you mean ${hint}?` : ""} (there are: ${known.join(", ")})`);
  }
  const loaded = await importStrategy(name, file);
  if (!loaded.ok) return loaded;
  const { exported, code } = loaded.value;
  const checked = readSettings(exported, settings ?? {});
  if (!checked.ok) return checked;
  if (!("compose" in exported)) return ok({ strategy: exported, settings: checked.value, ...coded([code]) });
  const members = await loadMembers(exported, checked.value, loading);
  if (!members.ok) return members;
  const strategy = exported.compose(members.value);
  return ok({ strategy, settings: checked.value, ...coded([code, ...members.value.map((member) => member.code)]) });
}

const coded = (codes: readonly (string | undefined)[]): Pick<ArmedStrategy, "code"> => {
  const known = codes.filter((code) => code !== undefined);
  return known.length === 0 ? {} : { code: hashOf(known) };
};

async function loadMembers(
  composite: Composite,
  settings: unknown,
  loading: Loading,
): Promise<Result<readonly ArmedStrategy[], string>> {
  const within = [...loading.within, composite.name];
  if (within.length > NESTING_MAX) return err(`strategy ${within.join(" of ")}: nested too deep`);
  const members: ArmedStrategy[] = [];
  for (const [name, given] of Object.entries(composite.members(settings))) {
    if (within.includes(name)) return err(`strategy ${composite.name}: it cannot be a member of itself`);
    const member = await load(name, given, { ...loading, within });
    if (!member.ok) return err(`strategy ${composite.name}, member ${name}: ${member.error}`);
    members.push(member.value);
  }
  return ok(members);
}

interface Loaded {
  readonly exported: Strategy | Composite;
  readonly code: string | undefined;
}

async function importStrategy(name: string, { path, outside }: Found): Promise<Result<Loaded, string>> {
  const loaded = outside === null ? await importOwn(path) : await importForeign(path, outside);
  if (!loaded.ok) return err(`strategy ${name} could not be loaded: ${loaded.error}`);
  const { exports, code } = loaded.value;
  const strategy = (exports as { default?: unknown }).default as Partial<Strategy & Composite> | undefined;
  const fault = exportFault(name, strategy);
  if (!strategy || fault !== null) return err(`strategy ${name}: ${fault}`);
  if (strategy.needsModel && !strategy.interpret)
    return err(`strategy ${name}: it needs a model and cannot read a reply`);
  return ok({ exported: strategy as Strategy | Composite, code });
}

/** What is wrong with the default export of a file, or null. */
function exportFault(name: string, strategy: Partial<Strategy & Composite> | undefined): string | null {
  if (typeof strategy !== "object" || strategy === null)
    return "its file has no strategy as default export; write export default defineStrategy({ ... })";
  if (typeof strategy.decide !== "function" && typeof strategy.compose !== "function")
    return "its default export has no function decide";
  if (typeof strategy.settings?.safeParse !== "function")
    return "settings of its default export is not a zod schema; write settings: z.strictObject({ ... })";
  if (strategy.name !== name)
    return `name is ${JSON.stringify(strategy.name)}, but its file is called ${name}; write name: ${JSON.stringify(name)}, or rename the file`;
  return answersLater(strategy, ["decide", "interpret", "members", "compose"]);
}

async function importOwn(path: string): Promise<Result<Partial<ForeignModule>, string>> {
  try {
    return ok({ exports: (await import(pathToFileURL(path).href)) as unknown });
  } catch (error) {
    return err((error instanceof Error ? error.message : String(error)).slice(0, 300));
  }
}

type Named = Pick<Strategy, "name" | "settings">;

/** Settings validated by the own schema of a strategy or source, with every default filled in. */
export function readSettings(named: Named, settings: unknown, what = "strategy"): Result<unknown, string> {
  const parsed = named.settings.safeParse(settings);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => problemText(named, issue, settings));
  return err(`settings of ${what} ${named.name}: ${problems.join("; ")}`);
}

function problemText(strategy: Named, issue: z.core.$ZodIssue, settings: unknown): string {
  if (issue.code === "unrecognized_keys") {
    const known = settingNames(strategy);
    return issue.keys
      .map((key) => {
        const hint = nearestWord(key, known);
        return `${key} is not a setting${hint ? `; did you mean ${hint}?` : ` (there are: ${known.join(", ")})`}`;
      })
      .join("; ");
  }
  let found: unknown = settings;
  for (const step of issue.path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[step];
  const name = issue.path.join(".") || "settings";
  if (found === undefined && issue.code === "invalid_type")
    return `${name} is not set and has no default: set it, or give it one in the schema with .default(...) (${issue.message})`;
  const value = (JSON.stringify(found) ?? String(found)).slice(0, 80);
  return `${name} is ${value}: ${ruleText(issue.message)}`;
}

/** The setting names from a strategy's schema. */
export function settingNames(strategy: Named): readonly string[] {
  const schema = z.toJSONSchema(strategy.settings, { io: "input", unrepresentable: "any" });
  return Object.keys(schema.properties ?? {});
}
