/**
 * The tool server: the capabilities as MCP tools, with resources and prompts, through the maintained SDK. Every failure
 * is an envelope with isError, never a protocol error, so that a model can read it. Spec: 3 §1, §5; records §17.14.
 */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { nearestWord } from "../../core/nearest.ts";
import type { Client } from "../contract/client.ts";
import { failed, type Envelope } from "../contract/envelope.ts";
import { runCapability } from "../svc/run-capability.ts";
import { failure } from "../contract/statuses.ts";
import { WORKFLOWS } from "./prompts.ts";
import { RESOURCES } from "./resources.ts";
import { TOOL_CAPABILITIES, toolCalled, toolName, toolsList } from "./tools.ts";

/** `underscoreNames` offers `svc_order_place` to hosts that refuse `svc/order/place`. */
export interface McpServerOptions {
  readonly client: Client;
  readonly underscoreNames: boolean;
}

const INSTRUCTIONS =
  "Every write is previewed first: call the preview, show it, then submit the same parameters with previewId and " +
  "continueConsentId (the preview's confirmation.submitToken). Read status, code, message and data of every answer. " +
  "NOT_VERIFIED means that a write may have happened: look it up, never repeat it.";

/** Every list has one page, so a cursor is always invalid. */
function onePage(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor is unknown: the list has one page");
}

/** A host must initialize first: once, or in later revisions of the protocol with each request. */
function requireInitialized(server: Server, { envelope }: { readonly envelope?: object }): void {
  if (envelope !== undefined || server.getNegotiatedProtocolVersion() !== undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "the connection is not initialized: send initialize first");
}

interface ProgressSink {
  readonly token: string | number | undefined;
  notify(progress: number, total: number, message: string): void;
}

async function callTool(
  { client, underscoreNames }: McpServerOptions,
  name: string,
  input: unknown,
  at: { readonly signal: AbortSignal; readonly progress: ProgressSink },
): Promise<Envelope> {
  const capability = toolCalled(name);
  if (!capability) {
    const known = TOOL_CAPABILITIES.map((each) => toolName(each, underscoreNames));
    const near = nearestWord(name, known);
    const remedy = near === null ? "svc/tools lists all" : `did you mean ${near}?`;
    const unknown = failure("FAIL", "30002", `unknown tool ${name}; ${remedy}`);
    const atMs = client.env.clock.nowMs();
    return failed(unknown, { face: client.face, called: name, real: false, atMs, auditId: null });
  }
  return runCapability(capability, input, {
    client,
    called: capability.tool ?? name,
    signal: at.signal,
    progress: (done, total, message) => {
      if (at.progress.token !== undefined) at.progress.notify(done, total, message);
    },
  });
}

function serveResources(server: Server, { client }: McpServerOptions): void {
  const mimeType = "application/json";
  server.setRequestHandler("resources/list", ({ params }) => {
    onePage(params);
    return { resources: RESOURCES.map(({ uri, name, description }) => ({ uri, name, description, mimeType })) };
  });
  server.setRequestHandler("resources/templates/list", ({ params }) => {
    onePage(params);
    return { resourceTemplates: [] };
  });
  server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
    requireInitialized(server, mcpReq);
    const resource = RESOURCES.find(({ uri }) => uri === params.uri);
    if (!resource) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${params.uri}`);
    const text = JSON.stringify(await resource.read(client, mcpReq.signal));
    return { contents: [{ uri: resource.uri, mimeType, text }] };
  });
}

function servePrompts(server: Server): void {
  server.setRequestHandler("prompts/list", ({ params }) => {
    onePage(params);
    return {
      prompts: WORKFLOWS.map(({ name, description, arguments: wanted }) => ({
        name,
        description,
        arguments: [...wanted],
      })),
    };
  });
  server.setRequestHandler("prompts/get", ({ params }) => {
    const workflow = WORKFLOWS.find(({ name }) => name === params.name);
    if (!workflow) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${params.name}`);
    const given = params.arguments ?? {};
    const missing = workflow.arguments.filter(({ name, required }) => required && !given[name]?.trim());
    if (missing.length > 0)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `prompt ${params.name} needs ${missing.map(({ name, description }) => `${name} (${description})`).join(", ")}`,
      );
    const text = workflow.text(given);
    return {
      description: workflow.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  });
}

/** A server for one connection. Previews, sessions and the service belong to the client and outlive it. */
export function createMcpServer(options: McpServerOptions): Server {
  const { client, underscoreNames } = options;
  const server = new Server(
    { name: "svc", version: client.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    onePage(params);
    return { tools: [...toolsList(underscoreNames)] };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    requireInitialized(server, mcpReq);
    const token = mcpReq._meta?.progressToken;
    const notify = (progress: number, total: number, message: string): void => {
      if (token === undefined) return;
      const sent = mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress, total, message },
      });
      // A disconnected host needs no progress.
      sent.catch(() => undefined);
    };
    const envelope = await callTool(options, params.name, params.arguments ?? {}, {
      signal: mcpReq.signal,
      progress: { token, notify },
    });
    return {
      content: [{ type: "text" as const, text: JSON.stringify(envelope) }],
      structuredContent: { ...envelope },
      isError: !envelope.ok,
    };
  });
  serveResources(server, options);
  servePrompts(server);
  return server;
}
