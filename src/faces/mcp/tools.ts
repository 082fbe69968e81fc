/**
 * Capability records as MCP tools: names, schemas, annotations. Slash names are the documented ones; an option
 * replaces slashes by underscores, and calls under either name work. Spec: 3 §4; records §17.14.
 */
import type { Tool } from "@modelcontextprotocol/server";
import { CAPABILITIES } from "../capabilities/all.ts";
import type { Capability } from "../contract/capability.ts";
import { inputSchemaOf, outputSchemaOf } from "../capabilities/listing.ts";
import { STATUSES } from "../contract/statuses.ts";

/** All capabilities except command-only ones. */
export const TOOL_CAPABILITIES: readonly Capability[] = CAPABILITIES.filter(({ tool }) => tool !== null);

const underscored = (name: string): string => name.replaceAll("/", "_");

/** Empty for a command-only capability. */
export const toolName = (capability: Capability, underscoreNames: boolean): string =>
  underscoreNames ? underscored(capability.tool ?? "") : (capability.tool ?? "");

/** Finds a tool by either spelling of its name. */
export const toolCalled = (name: string): Capability | undefined =>
  TOOL_CAPABILITIES.find(({ tool }) => tool === name || underscored(tool ?? "") === name);

/** The envelope around a capability's output. Loose, because failures carry no such data. */
const envelopeSchema = (capability: Capability): Tool["outputSchema"] => ({
  type: "object",
  properties: {
    ok: { type: "boolean" },
    status: { type: "string", enum: [...STATUSES] },
    data: { anyOf: [outputSchemaOf(capability), {}] },
    code: { type: "string" },
    message: { type: "string" },
    details: { type: "object" },
    auditId: { type: "string" },
    evidence: { type: "array", items: { type: "object" } },
  },
  required: ["ok", "status", "evidence"],
});

/** Writes with the same effect when repeated. */
const IDEMPOTENT: ReadonlySet<string> = new Set([
  "position.set-leverage",
  "portfolio.set-position-mode",
  "order.cancel",
  "order.cancel-all",
  "algo.cancel",
  "automation.stop",
]);

function annotationsOf(capability: Capability): NonNullable<Tool["annotations"]> {
  const previews = capability.id.endsWith("preview");
  const reads = capability.operationType !== "TRADE_WRITE" && capability.riskLevel !== "write-config";
  return {
    title: capability.summary,
    readOnlyHint: reads || previews,
    destructiveHint: capability.previewRequired || capability.containsRealOrder,
    idempotentHint: reads || IDEMPOTENT.has(capability.id),
    openWorldHint: !capability.id.startsWith("automation.") && !capability.id.startsWith("schema."),
  };
}

function descriptionOf(capability: Capability): string {
  const notes = [
    capability.previewRequired ? "Preview first; send the same parameters with previewId and continueConsentId." : "",
    capability.requiresExplicitHumanConfirmation ? "Needs the user's explicit agreement." : "",
    `Risk: ${capability.riskLevel}.`,
  ];
  return [capability.summary, ...notes].filter(Boolean).join(" ");
}

/** The answer to `tools/list`: schemas of input and envelope, and hints about destructive tools. */
export function toolsList(underscoreNames: boolean): readonly Tool[] {
  return TOOL_CAPABILITIES.map((capability) => ({
    name: toolName(capability, underscoreNames),
    title: capability.summary,
    description: descriptionOf(capability),
    inputSchema: inputSchemaOf(capability) as Tool["inputSchema"],
    outputSchema: envelopeSchema(capability),
    annotations: annotationsOf(capability),
  })) as readonly Tool[];
}
