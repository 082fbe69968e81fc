/**
 * Finds the file of a source by name and checks its settings. Sources are the owner's own: the program ships none. A file
 * is imported under the same rules as a strategy's (`foreign-file.ts`).
 */
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { nearestWord } from "../core/nearest.ts";
import { err, ok, type Result } from "../core/result.ts";
import { answersLater } from "./at-once.ts";
import { importForeign } from "./foreign-file.ts";
import { readSettings } from "./registry.ts";
import type { ArmedReader, SourceReader } from "./source.ts";

const FILE = /^([a-z][a-z0-9-]{0,39})\.(?:ts|js|mjs)$/;

/** Names of all sources in the folder, in order; empty without such a folder. */
export function listSources(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  const names = readdirSync(root).flatMap((file) => (file.endsWith(".d.ts") ? [] : (FILE.exec(file)?.[1] ?? [])));
  return [...new Set(names)].sort();
}

/** The error names the source, the field, the value found and the rule. `settings` undefined means all defaults. */
export async function loadReader(name: string, settings: unknown, root: string): Promise<Result<ArmedReader, string>> {
  const known = listSources(root);
  const file = [".ts", ".js", ".mjs"].map((ending) => resolve(root, `${name}${ending}`)).find(existsSync);
  if (file === undefined) {
    const hint = nearestWord(name, known);
    const all = known.length > 0 ? `the sources are ${known.join(", ")}` : "there are none";
    return err(
      `source ${name} has no file in ${root}; ${hint ? `did you mean ${hint}?` : `write ${name}.ts there`} (${all})`,
    );
  }
  const loaded = await importForeign(file, root);
  if (!loaded.ok) return err(`source ${name} could not be loaded: ${loaded.error}; correct ${file}`);
  const reader = (loaded.value.exports as { default?: unknown }).default as Partial<SourceReader> | undefined;
  const whole = typeof reader?.read === "function" && typeof reader.settings?.safeParse === "function";
  if (!whole || reader.name !== name)
    return err(
      `source ${name}: ${file} has no source of that name as default export; export defineSource({ name: "${name}", ... })`,
    );
  const later = answersLater(reader, ["read"]);
  if (later !== null) return err(`source ${name}: ${later}; correct ${file}`);
  const found = reader as SourceReader;
  const checked = readSettings(found, settings ?? {}, "source");
  return checked.ok ? ok({ reader: found, settings: checked.value }) : checked;
}
