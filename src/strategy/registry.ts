/**
 * Finds strategies by name and checks their settings. A strategy is a file in `strategies/`, found beside this module's own
 * root, so that the sources and the compiled program each find their own. Knows no strategy by name.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { z } from "zod";
import { nearestWord } from "../core/nearest.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { ArmedStrategy } from "./guarded.ts";
import type { Strategy } from "./strategy.ts";

const NAME = /^[a-z0-9-]+$/;
const EXTENSION = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
const HOME = fileURLToPath(new URL("../../strategies/", import.meta.url));

/** Names of all strategies there are, in order. `root` is another folder to look in. */
export function listStrategies(root: string = HOME): readonly string[] {
  try {
    return readdirSync(root)
      .filter((file) => file.endsWith(EXTENSION) && !file.endsWith(".d.ts"))
      .map((file) => file.slice(0, -EXTENSION.length))
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

/**
 * Loads a strategy and validates its settings. The error names the strategy, the field, the value found and the rule.
 * `settings` is what the configuration says under the strategy's name; undefined means all defaults.
 */
export async function loadStrategy(
  name: string,
  settings: unknown,
  root: string = HOME,
): Promise<Result<ArmedStrategy, string>> {
  if (!NAME.test(name)) return err(`strategy ${JSON.stringify(name)}: a name is lower-case letters, digits and dashes`);
  const known = listStrategies(root);
  if (!known.includes(name)) {
    const hint = nearestWord(name, known);
    return err(
      `strategy ${name} is not known${hint ? `; did you mean ${hint}?` : ""} (there are: ${known.join(", ")})`,
    );
  }
  const strategy = await importStrategy(name, root);
  if (!strategy.ok) return strategy;
  const checked = readSettings(strategy.value, settings ?? {});
  return checked.ok ? ok({ strategy: strategy.value, settings: checked.value }) : checked;
}

async function importStrategy(name: string, root: string): Promise<Result<Strategy, string>> {
  try {
    const loaded = (await import(pathToFileURL(resolve(root, `${name}${EXTENSION}`)).href)) as { default?: unknown };
    const strategy = loaded.default as Partial<Strategy> | undefined;
    const whole = typeof strategy?.decide === "function" && typeof strategy.settings?.safeParse === "function";
    if (!whole || strategy.name !== name)
      return err(`strategy ${name}: its file has no strategy of that name as default export`);
    if (strategy.needsModel && !strategy.interpret)
      return err(`strategy ${name}: it needs a model and cannot read a reply`);
    return ok(strategy as Strategy);
  } catch (error) {
    return err(
      `strategy ${name} could not be loaded: ${(error instanceof Error ? error.message : String(error)).slice(0, 300)}`,
    );
  }
}

/** Settings as the strategy's own schema takes them, with every default filled in. */
export function readSettings(strategy: Strategy, settings: unknown): Result<unknown, string> {
  const parsed = strategy.settings.safeParse(settings);
  if (parsed.success) return ok(parsed.data);
  const problems = parsed.error.issues.map((issue) => problemText(strategy, issue, settings));
  return err(`settings of strategy ${strategy.name}: ${problems.join("; ")}`);
}

function problemText(strategy: Strategy, issue: z.core.$ZodIssue, settings: unknown): string {
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
  const value = (JSON.stringify(found) ?? String(found)).slice(0, 80);
  return `${issue.path.join(".") || "settings"} is ${value}: ${issue.message}`;
}

/** The setting names of a strategy, read off its schema. */
export function settingNames(strategy: Strategy): readonly string[] {
  const schema = z.toJSONSchema(strategy.settings, { io: "input", unrepresentable: "any" });
  return Object.keys(schema.properties ?? {});
}
