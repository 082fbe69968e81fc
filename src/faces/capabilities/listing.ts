/** The capability records as data: what `schema` lists and `svc/tools` answers. Spec: 3 §4.1; records §17.12. */
import { z } from "zod";
import type { Capability } from "../contract/capability.ts";
import { SCHEMA_VERSION } from "./versions.ts";

type Json = Readonly<Record<string, unknown>>;

const without = (record: object, name: string): Json =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** The JSON Schema of an input. Unknown fields are refused; of each needed group one field must be there. */
export function inputSchemaOf(capability: Capability): Json {
  const schema = without(z.toJSONSchema(capability.input, { io: "input" }), "$schema");
  const { needsOneOf = [], needsUnless = [] } = capability;
  const anyOf = (names: readonly string[]): Json[] => names.map((name) => ({ required: [name] }));
  const groups = [
    ...needsOneOf.map((names) => ({ anyOf: anyOf(names) })),
    ...needsUnless.map(({ oneOf, unless: { field, is } }) => ({
      anyOf: [...anyOf(oneOf), { properties: { [field]: { const: is } }, required: [field] }],
    })),
  ];
  // MCP hosts want the root to be a plain object, so groups stand under allOf.
  return groups.length > 0 ? { ...schema, allOf: groups } : schema;
}

/** JSON Schema of `data` on success; the envelope around it is not part of it. */
export const outputSchemaOf = (capability: Capability): Json => {
  return without(z.toJSONSchema(capability.output), "$schema");
};

const flags = (capability: Capability): Json => ({
  previewRequired: capability.previewRequired,
  ...(capability.containsRealOrder ? { containsRealOrder: true } : {}),
  ...(capability.requiresExplicitHumanConfirmation ? { requiresExplicitHumanConfirmation: true } : {}),
  ...(capability.confirmationMode === undefined ? {} : { confirmationMode: capability.confirmationMode }),
});

/** One line of `schema`: it names its schemas, which the listing states once each beside the lines. */
export const entryOf = (capability: Capability): Json => ({
  capabilityId: capability.id,
  cliCommand: `svc ${capability.command.join(" ")}`,
  ...(capability.tool === null ? {} : { mcpTool: capability.tool }),
  summary: capability.summary,
  operationType: capability.operationType,
  riskLevel: capability.riskLevel,
  inputSchema: capability.inputName,
  outputSchema: capability.outputName,
  ...flags(capability),
});

const toolOf = (capability: Capability): Json => ({
  name: capability.tool,
  riskLevel: capability.riskLevel,
  inputSchema: capability.inputName,
  outputSchema: capability.outputName,
  previewRequired: capability.previewRequired,
  containsRealOrder: capability.containsRealOrder,
  requiresExplicitHumanConfirmation: capability.requiresExplicitHumanConfirmation,
  ...(capability.confirmationMode === undefined ? {} : { confirmationMode: capability.confirmationMode }),
});

/** Inputs that share a name are one schema; the first capability of the name is asked. */
function inputSchemas(all: readonly Capability[]): Json {
  const schemas: Record<string, Json> = {};
  for (const capability of all) schemas[capability.inputName] ??= inputSchemaOf(capability);
  return schemas;
}

function outputSchemas(all: readonly Capability[]): Json {
  const schemas: Record<string, Json> = {};
  for (const capability of all) schemas[capability.outputName] ??= outputSchemaOf(capability);
  return schemas;
}

/** What the command lists. */
export const commandListing = (all: readonly Capability[], includeExamples = false): Json => ({
  schemaVersion: SCHEMA_VERSION,
  capabilities: all.map((capability) => ({
    ...entryOf(capability),
    ...(includeExamples ? { example: capability.example } : {}),
  })),
  inputSchemas: inputSchemas(all),
  outputSchemas: outputSchemas(all),
});

/** What the tool answers. */
export function toolListing(all: readonly Capability[]): Json {
  const withTool = all.filter((capability) => capability.tool !== null);
  const tools = withTool.map(toolOf).sort((a, b) => String(a["name"]).localeCompare(String(b["name"])));
  return { schemaVersion: SCHEMA_VERSION, inputSchemas: inputSchemas(withTool), tools };
}
