/** The capability records as data: the list of `schema` and the answer of `svc/tools`. Spec: 3 §4.1; records §17.12. */
import { z } from "zod";
import { type Capability, SCHEMA_VERSION } from "../contract/capability.ts";

type Json = Readonly<Record<string, unknown>>;

const without = (record: object, name: string): Json =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** The JSON Schema of an input. Unknown fields are refused; each required group needs one of its fields. */
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
  // MCP hosts require a plain object as the root, so the groups are under allOf.
  return groups.length > 0 ? { ...schema, allOf: groups } : schema;
}

/** JSON Schema of `data` on success, without the envelope around it. */
export const outputSchemaOf = (capability: Capability): Json => {
  return without(z.toJSONSchema(capability.output), "$schema");
};

const flags = (capability: Capability): Json => ({
  previewRequired: capability.previewRequired,
  ...(capability.containsRealOrder ? { containsRealOrder: true } : {}),
  ...(capability.requiresExplicitHumanConfirmation ? { requiresExplicitHumanConfirmation: true } : {}),
  ...(capability.confirmationMode === undefined ? {} : { confirmationMode: capability.confirmationMode }),
});

/** One entry of `schema`. It names its schemas, which the listing contains once each. */
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

/** Inputs with the same name have the same schema, taken from the first capability. */
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

/** The list that the command prints. */
export const commandListing = (all: readonly Capability[], includeExamples = false): Json => ({
  schemaVersion: SCHEMA_VERSION,
  capabilities: all.map((capability) => ({
    ...entryOf(capability),
    ...(includeExamples ? { example: capability.example } : {}),
  })),
  inputSchemas: inputSchemas(all),
  outputSchemas: outputSchemas(all),
});

/** The list that the tool returns. */
export function toolListing(all: readonly Capability[]): Json {
  const withTool = all.filter((capability) => capability.tool !== null);
  const tools = withTool.map(toolOf).sort((a, b) => String(a["name"]).localeCompare(String(b["name"])));
  return { schemaVersion: SCHEMA_VERSION, inputSchemas: inputSchemas(withTool), tools };
}
