/**
 * The JSON Schema of the configuration file, for editors. The settings of each strategy are its own, so they are put in here,
 * where both are known: under `strategy.settings`, for a shadow by its `use`, and for a member of a composite.
 */
import { z } from "zod";
import { ConfigSchema } from "../config/config.ts";
import { describeStrategy, listStrategies, type StrategyFacts } from "../strategy/registry.ts";

/** A schema in the draft that editors read. */
type Schema = z.core.JSONSchema.JSONSchema;

/** What the schema is called, and its name in `config/`. */
export const CONFIG_SCHEMA_FILE = "ballast.schema.json";
const DRAFT = { io: "input", target: "draft-7", unrepresentable: "any" } as const;

const settingsName = (strategy: string): string => `${strategy}-settings`;
const settingsOf = (strategy: string): Schema => ({ $ref: `#/definitions/${settingsName(strategy)}` });

/** A member of a schema that must be there: the settings are ours, so that a missing one is a mistake of this file. */
function member(schema: Schema, ...path: readonly string[]): Schema {
  let found: unknown = schema;
  for (const step of path) found = (found as Record<string, unknown> | undefined)?.[step];
  if (found === undefined) throw new Error(`the configuration has no ${path.join(".")}`);
  return found as Schema;
}

/** A name that an editor offers, with what it stands for; a file of the owner's has any other. */
function namesOf(strategies: readonly StrategyFacts[]): Schema[] {
  const shipped = strategies.map(({ name, description }): Schema => ({ const: name, description }));
  return [...shipped, { type: "string", pattern: "^[a-z0-9-]+$", description: "A file in own/strategies/." }];
}

/** In place of a text or a name without rules: the known names. Default and description stay. */
function offerNames(field: Schema, strategies: readonly StrategyFacts[]): void {
  delete field.type;
  delete field.minLength;
  field.anyOf = namesOf(strategies);
}

/** Where `use` names a strategy, `settings` are of that strategy. */
const bySettingsOfUse = (strategies: readonly StrategyFacts[]): Schema[] =>
  strategies.map(({ name }) => ({
    if: { properties: { use: { const: name } }, required: ["use"] },
    then: { properties: { settings: settingsOf(name) } },
  }));

/** A composite names its members as the configuration names strategies: each with settings of its own. */
function knowMembers(settings: Schema, strategies: readonly StrategyFacts[]): void {
  const members = settings.properties?.["members"] as Schema | undefined;
  const each = members?.additionalProperties;
  if (members === undefined || typeof each !== "object" || each.properties?.["settings"] === undefined) return;
  const { properties } = each;
  members.properties = Object.fromEntries(
    strategies.map(({ name }) => [name, { ...each, properties: { ...properties, settings: settingsOf(name) } }]),
  );
}

/** The schema with the settings of these strategies. */
export function configSchemaWith(strategies: readonly StrategyFacts[]): Schema {
  const schema = z.toJSONSchema(ConfigSchema, DRAFT) as Schema;
  const section = member(schema, "properties", "strategy");
  const rules = strategies.filter(({ needsModel }) => !needsModel);
  offerNames(member(section, "properties", "use"), strategies);
  offerNames(member(section, "properties", "fallback"), rules);
  member(section, "properties", "settings").properties = Object.fromEntries(
    strategies.map(({ name }) => [name, settingsOf(name)]),
  );
  const [shadowName, shadow] = member(section, "properties", "shadows", "items").anyOf as [Schema, Schema];
  offerNames(shadowName, strategies);
  offerNames(member(shadow, "properties", "use"), strategies);
  shadow.allOf = bySettingsOfUse(strategies);
  offerNames(member(section, "properties", "schedule", "items", "properties", "use"), strategies);
  const definitions = strategies.map(({ name, description, settings }) => {
    const own = z.toJSONSchema(settings, DRAFT) as Schema;
    delete own.$schema;
    knowMembers(own, strategies);
    return [settingsName(name), { description, ...own }] as const;
  });
  return { title: "Configuration of Ballast", ...schema, definitions: Object.fromEntries(definitions) };
}

/** The schema with every strategy that can be loaded; `root` adds the owner's to the shipped ones. */
export async function configSchema(root?: string): Promise<Schema> {
  const described = await Promise.all(listStrategies(root).map((name) => describeStrategy(name, root)));
  return configSchemaWith(described.flatMap((found) => (found.ok ? [found.value] : [])));
}

/** As the file holds it. */
export const configSchemaText = (schema: Schema): string => `${JSON.stringify(schema, null, 2)}\n`;
