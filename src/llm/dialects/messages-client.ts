/**
 * The gateway's second dialect: one system text, one user message, and the answer as the input of a forced tool call.
 * The results are those of the chat dialect. Requests no reasoning budget. Records §14.1.
 */
import { redactor, type Secret } from "../../core/secret.ts";
import type { HttpClient, HttpOutcome } from "../../net/http.ts";
import { type NetEnv, networkOf } from "../../net/network.ts";
import type { ChatClient, ChatOutcome, ModelRequest, OnStep } from "./chat.ts";
import { bodyKind, headerCostUsd } from "./completion.ts";
import { readMessage } from "./message.ts";
import { readRefusal } from "./refusal.ts";

const BODY_MAX_BYTES = 1024 * 1024;
const MESSAGE_MAX_CHARS = 300;
/** Upper end of this dialect's range; the chat dialect's is 2. */
const TEMPERATURE_MAX = 1;

interface Link {
  readonly env: NetEnv;
  readonly http: HttpClient;
  readonly apiKey: Secret;
  readonly clean: (text: string) => string;
}

/** What a service has refused, remembered per model. */
interface Manner {
  readonly tool: boolean;
  readonly temperature: boolean;
}

/** `aiUrl` is `{ai_url}`; messages are at `/v1/messages` below it, and the key is sent as `x-api-key`. */
export function createMessagesClient(env: NetEnv, aiUrl: string, apiKey: Secret, onStep: OnStep): ChatClient {
  const http = networkOf(env).http(env.clock, { baseUrl: aiUrl, bodyMaxBytes: BODY_MAX_BYTES });
  const link: Link = { env, http, apiKey, clean: redactor([apiKey]) };
  const manners = new Map<string, Manner>();
  return {
    complete: async (request) => {
      const startedMs = env.clock.monotonicMs();
      const first: Manner = manners.get(request.model) ?? { tool: request.replyFormat !== "plain", temperature: true };
      for (let manner = first; ;) {
        const spentMs = (env.clock.monotonicMs() - startedMs) / env.clock.scale;
        const outcome = await exchange(link, { ...request, timeoutMs: request.timeoutMs - spentMs }, manner);
        if (outcome.kind === "answered") {
          if (manner !== first) onStep(request.model, describeStep(first, manner));
          manners.set(request.model, manner);
        }
        const forced = request.replyFormat !== undefined;
        const next =
          outcome.kind === "refused" && outcome.why === "format" ? plainer(manner, outcome.message, forced) : null;
        if (!next) return outcome;
        manner = next;
      }
    },
    close: () => http.close(),
  };
}

function plainer(manner: Manner, message: string, forced: boolean): Manner | null {
  if (manner.temperature && /temperature/i.test(message)) return { ...manner, temperature: false };
  return manner.tool && !forced ? { ...manner, tool: false } : null;
}

const describeStep = (from: Manner, to: Manner): string =>
  from.tool === to.tool ? "no temperature is sent" : "the answer is requested as plain instead of tool";

function bodyOf(request: ModelRequest, { tool, temperature }: Manner): Readonly<Record<string, unknown>> {
  const { model, system, user, schema, schemaName: name, maxOutputTokens } = request;
  const warmth = temperature && request.temperature !== undefined;
  return {
    model,
    max_tokens: maxOutputTokens,
    system,
    messages: [{ role: "user", content: user }],
    ...(warmth ? { temperature: Math.min(TEMPERATURE_MAX, request.temperature ?? 0) } : {}),
    ...(tool ? { tools: [{ name, input_schema: schema }], tool_choice: { type: "tool", name } } : {}),
  };
}

async function exchange(link: Link, request: ModelRequest, manner: Manner): Promise<ChatOutcome> {
  if (request.timeoutMs <= 0 || request.signal.aborted) return { kind: "not-sent", message: "no time was left" };
  const { clock } = link.env;
  const startedMs = clock.monotonicMs();
  const wire = await link.http.send({
    method: "POST",
    path: "/v1/messages",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-api-key": link.apiKey.reveal(),
      ...(request.requestId ? { "x-client-request-id": request.requestId } : {}),
    },
    body: JSON.stringify(bodyOf(request, manner)),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    fresh: true,
  });
  if (wire.kind === "not-sent") return { kind: "not-sent", message: link.clean(wire.message) };
  if (wire.kind === "unknown") {
    const late = request.signal.aborted || (clock.monotonicMs() - startedMs) / clock.scale >= request.timeoutMs - 5;
    const how = late ? "timeout" : "broken";
    return { kind: "unknown", how, status: 0, message: link.clean(wire.message), costUsd: null, retryAfterMs: null };
  }
  return wire.status === 200 ? answered(wire) : refused(link, wire);
}

type Done = Extract<HttpOutcome, { kind: "done" }>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

function answered(wire: Done): ChatOutcome {
  const costUsd = headerCostUsd(wire.headers);
  const { text, ...read } = readMessage(parsed(wire.text));
  if (text !== null) return { kind: "answered", text, ...read, costUsd };
  const message = `${wire.status} with ${bodyKind(wire.text)}`;
  return { kind: "unknown", how: "no-completion", status: wire.status, message, costUsd, retryAfterMs: null };
}

function refused(link: Link, wire: Done): ChatOutcome {
  const { status, headers } = wire;
  const body = (parsed(wire.text) as { error?: { message?: unknown } } | null)?.error;
  const said = typeof body?.message === "string" ? body.message : wire.text;
  const words = status < 400 && headers["location"] !== undefined ? `to ${headers["location"]}` : said;
  const message = link.clean(`${status} ${words}`).slice(0, MESSAGE_MAX_CHARS);
  const { why, retryAfterMs } = readRefusal({ status, headers, body, message }, link.env.clock.nowMs());
  if (why) return { kind: "refused", why, status, message, retryAfterMs };
  return { kind: "unknown", how: "server", status, message, costUsd: headerCostUsd(headers), retryAfterMs };
}
