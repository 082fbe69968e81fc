/**
 * One request to an OpenAI-compatible service, and the truth about its end: answered, refused (nothing billed), not sent,
 * or of unknown fate (perhaps billed). The only file that knows the `openai` library; its retries are off. Faults L1, L5,
 * L6, L7. Records §14.
 */
import OpenAI, { APIError } from "openai";
import { redactor, type Secret } from "../core/secret.ts";
import { type NetEnv, networkOf } from "../net/network.ts";
import type { HttpClient, HttpOutcome } from "../net/http.ts";
import type { ChatClient, ChatOutcome, ChatRequest } from "./chat.ts";
import { headerCostUsd, readCompletion } from "./completion.ts";
import { type Dialect, dialectBody, FIRST_DIALECT, nextDialect } from "./dialect.ts";
import { readRefusal } from "./refusal.ts";

const BODY_MAX_BYTES = 1024 * 1024;
const MESSAGE_MAX_CHARS = 300;

/** `aiUrl` is `{ai_url}`; completions are at `/v1` below it. */
export function createChatClient(env: NetEnv, aiUrl: string, apiKey: Secret): ChatClient {
  const http = networkOf(env).http(env.clock, { baseUrl: new URL(aiUrl).origin, bodyMaxBytes: BODY_MAX_BYTES });
  const link: Link = { env, http, baseUrl: `${aiUrl.replace(/\/+$/, "")}/v1`, apiKey, clean: redactor([apiKey]) };
  const dialects = new Map<string, Dialect>();
  return {
    complete: async (request) => {
      const startedMs = env.clock.monotonicMs();
      for (let dialect = dialects.get(request.model) ?? FIRST_DIALECT; ;) {
        const spentMs = (env.clock.monotonicMs() - startedMs) / env.clock.scale;
        const outcome = await exchange(link, { ...request, timeoutMs: request.timeoutMs - spentMs }, dialect);
        const next =
          outcome.kind === "refused" && outcome.why === "format" ? nextDialect(dialect, outcome.message) : null;
        if (outcome.kind === "answered") dialects.set(request.model, dialect);
        if (!next) return outcome;
        dialect = next;
      }
    },
    close: () => http.close(),
  };
}

type ChatParams = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

interface Link {
  readonly env: NetEnv;
  readonly http: HttpClient;
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly clean: (text: string) => string;
}

/** One HTTP request. What the wire said is kept beside the library, whose errors tell less. */
async function exchange(link: Link, request: ChatRequest, dialect: Dialect): Promise<ChatOutcome> {
  if (request.timeoutMs <= 0 || request.signal.aborted) return { kind: "not-sent", message: "no time was left" };
  let wire: HttpOutcome = { kind: "not-sent", message: "the request was not built" };
  const fetchOnce = async (url: unknown, init?: RequestInit): Promise<Response> => {
    // From here on it may have left, whatever is thrown on the way.
    wire = { kind: "unknown", message: "the request did not come to its end" };
    wire = await send(link, String(url), init, request);
    if (wire.kind !== "done") throw new Error("no answer");
    return asResponse(wire);
  };
  const client = new OpenAI({
    apiKey: link.apiKey.reveal(),
    baseURL: link.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    // Ours ends it first, in real time also where practice time runs faster; this one is a second line.
    timeout: request.timeoutMs + 5_000,
    logLevel: "off",
    fetch: fetchOnce as typeof fetch,
  });
  try {
    const body = await client.chat.completions.create(dialectBody(dialect, request) as ChatParams, {
      signal: request.signal,
    });
    return answered(wire, body);
  } catch (error) {
    return describe(link, wire, error);
  }
}

async function send(
  link: Link,
  url: string,
  init: RequestInit | undefined,
  request: ChatRequest,
): Promise<HttpOutcome> {
  const { pathname, search } = new URL(url);
  return link.http.send({
    method: "POST",
    path: pathname + search,
    headers: {
      ...Object.fromEntries(new Headers(init?.headers)),
      ...(request.requestId ? { "x-client-request-id": request.requestId } : {}),
    },
    ...(typeof init?.body === "string" ? { body: init.body } : {}),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    fresh: true,
  });
}

/** What is JSON is called JSON, whatever the service calls it; anything else reaches us as text. */
function asResponse(wire: Extract<HttpOutcome, { kind: "done" }>): Response {
  let type = "application/json";
  try {
    JSON.parse(wire.text);
  } catch {
    type = "text/plain";
  }
  const bodiless = [101, 204, 205, 304].includes(wire.status);
  return new Response(bodiless ? null : wire.text, {
    status: Math.max(200, wire.status),
    headers: { "content-type": type },
  });
}

function answered(wire: HttpOutcome, body: unknown): ChatOutcome {
  const costUsd = wire.kind === "done" ? headerCostUsd(wire.headers) : null;
  const { text, finishReason, usage } = readCompletion(body);
  if (text === null) return { kind: "unknown", message: "the answer is no completion", costUsd, retryAfterMs: null };
  return { kind: "answered", text, finishReason, usage, costUsd };
}

function describe(link: Link, wire: HttpOutcome, error: unknown): ChatOutcome {
  if (wire.kind === "not-sent") return { kind: "not-sent", message: link.clean(wire.message) };
  if (wire.kind === "unknown") {
    return { kind: "unknown", message: link.clean(wire.message), costUsd: null, retryAfterMs: null };
  }
  const message = link.clean(error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_MAX_CHARS);
  const body = error instanceof APIError ? error.error : undefined;
  const refusal = readRefusal({ status: wire.status, headers: wire.headers, body, message }, link.env.clock.nowMs());
  if (refusal.why) return { kind: "refused", why: refusal.why, message, retryAfterMs: refusal.retryAfterMs };
  const costUsd = headerCostUsd(wire.headers);
  return { kind: "unknown", message, costUsd, retryAfterMs: refusal.retryAfterMs };
}
