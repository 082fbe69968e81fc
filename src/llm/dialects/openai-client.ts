/**
 * One request to an OpenAI-compatible service, with four possible results: answered, refused (nothing billed), not
 * sent, or unknown (perhaps billed). The only file that uses the `openai` library; its retries are off. Faults L1,
 * L5, L6, L7. Records §14.
 */
import OpenAI, { APIError } from "openai";
import type { Decimal } from "../../core/decimal.ts";
import { redactor, type Secret } from "../../core/secret.ts";
import { type NetEnv, networkOf } from "../../net/network.ts";
import type { HttpClient, HttpOutcome } from "../../net/http.ts";
import type { ChatClient, ChatOutcome, ModelRequest, OnStep } from "./chat.ts";
import { bodyKind, headerCostUsd, readCompletion } from "./completion.ts";
import { describeStep, type Dialect, dialectBody, FIRST_DIALECT, nextDialect } from "./dialect.ts";
import { readRefusal } from "./refusal.ts";
import { isEventStream, joinedEvents } from "./event-stream.ts";

const BODY_MAX_BYTES = 1024 * 1024;
const MESSAGE_MAX_CHARS = 300;

/**
 * `aiUrl` is `{ai_url}`; completions are at `/v1` below it. `onStep` is called for every change in how a model is
 * asked.
 */
export function createChatClient(env: NetEnv, aiUrl: string, apiKey: Secret, onStep: OnStep): ChatClient {
  const http = networkOf(env).http(env.clock, { baseUrl: new URL(aiUrl).origin, bodyMaxBytes: BODY_MAX_BYTES });
  const link: Link = { env, http, baseUrl: `${aiUrl.replace(/\/+$/, "")}/v1`, apiKey, clean: redactor([apiKey]) };
  const manners = new Map<string, Manner>();
  return {
    complete: async (request) => {
      const startedMs = env.clock.monotonicMs();
      const manner = manners.get(request.model) ?? { dialect: firstDialect(request), blameless: false, thinks: false };
      for (let { dialect } = manner; ;) {
        const spentMs = (env.clock.monotonicMs() - startedMs) / env.clock.scale;
        const outcome = await exchange(link, { ...request, timeoutMs: request.timeoutMs - spentMs }, dialect);
        const next = plainer(outcome, { dialect, request, manner });
        if (next) {
          dialect = next;
          continue;
        }
        if (outcome.kind === "answered") {
          if (dialect !== manner.dialect) onStep(request.model, describeStep(manner.dialect, dialect));
          const thinks = outcome.answeredIn === "thoughts";
          if (thinks && !manner.thinks) onStep(request.model, "its answer is read from its reasoning");
          manners.set(request.model, { dialect, blameless: false, thinks: thinks || manner.thinks });
          // Every dialect was refused, so the dialect was not the reason; the next question does not try all of them
          // again.
        } else if (outcome.kind === "refused" && dialect !== manner.dialect)
          manners.set(request.model, { ...manner, blameless: true });
        return outcome;
      }
    },
    close: () => http.close(),
  };
}

/** How one model is asked, as far as known. */
interface Manner {
  readonly dialect: Dialect;
  /** A refusal without an explanation was found to have another reason than the dialect. */
  readonly blameless: boolean;
  /** An answer was found in the reasoning before. */
  readonly thinks: boolean;
}

const firstDialect = ({ replyFormat }: ModelRequest): Dialect =>
  replyFormat === undefined ? FIRST_DIALECT : { ...FIRST_DIALECT, format: replyFormat };

interface Walk {
  readonly dialect: Dialect;
  readonly request: ModelRequest;
  readonly manner: Manner;
}

/** The next dialect, if the refusal may blame this one. */
function plainer(outcome: ChatOutcome, { dialect, request, manner }: Walk): Dialect | null {
  if (outcome.kind !== "refused") return null;
  const blamed = outcome.why === "format";
  const plain = outcome.why === "request" && (outcome.status === 400 || outcome.status === 422) && !manner.blameless;
  if (!blamed && !plain) return null;
  return nextDialect(dialect, { message: outcome.message, blamed, forced: request.replyFormat !== undefined });
}

type ChatParams = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

interface Link {
  readonly env: NetEnv;
  readonly http: HttpClient;
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly clean: (text: string) => string;
}

/** One HTTP request. Keeps the raw response, because the library's errors contain less. */
async function exchange(link: Link, request: ModelRequest, dialect: Dialect): Promise<ChatOutcome> {
  if (request.timeoutMs <= 0 || request.signal.aborted) return { kind: "not-sent", message: "no time was left" };
  const startedMs = link.env.clock.monotonicMs();
  const late = (): boolean =>
    request.signal.aborted ||
    (link.env.clock.monotonicMs() - startedMs) / link.env.clock.scale >= request.timeoutMs - 5;
  let wire: HttpOutcome = { kind: "not-sent", message: "the request was not built" };
  const fetchOnce = async (url: unknown, init?: RequestInit): Promise<Response> => {
    // From here on the request may have left, even if something throws.
    wire = { kind: "unknown", message: "the request did not finish" };
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
    // Our own deadline ends it first, in real time also on a faster practice clock; this one is a fallback.
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
    return describe(link, wire, { error, late: late() });
  }
}

async function send(
  link: Link,
  url: string,
  init: RequestInit | undefined,
  request: ModelRequest,
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

/** Marks JSON as JSON regardless of its content type, and joins an unrequested stream. */
function asResponse(wire: Extract<HttpOutcome, { kind: "done" }>): Response {
  const text = isEventStream(wire.text) ? joinedEvents(wire.text) : wire.text;
  let type = "application/json";
  try {
    JSON.parse(text);
  } catch {
    type = "text/plain";
  }
  const bodiless = [101, 204, 205, 304].includes(wire.status);
  return new Response(bodiless ? null : text, {
    status: Math.max(200, wire.status),
    headers: { "content-type": type },
  });
}

function answered(wire: HttpOutcome, body: unknown): ChatOutcome {
  const done = wire.kind === "done" ? wire : { status: 0, headers: {}, text: "" };
  const costUsd = headerCostUsd(done.headers);
  const { text, ...read } = readCompletion(body);
  if (text === null) return noCompletion(done, costUsd);
  return { kind: "answered", text, ...read, costUsd };
}

const noCompletion = ({ status, text }: { status: number; text: string }, costUsd: Decimal | null): ChatOutcome => ({
  kind: "unknown",
  how: "no-completion",
  status,
  message: `${status} with ${bodyKind(text)}`,
  costUsd,
  retryAfterMs: null,
});

interface Thrown {
  readonly error: unknown;
  /** The exchange ran out of time. */
  readonly late: boolean;
}

function describe(link: Link, wire: HttpOutcome, { error, late }: Thrown): ChatOutcome {
  if (wire.kind === "not-sent") return { kind: "not-sent", message: link.clean(wire.message) };
  if (wire.kind === "unknown") {
    const how = late ? "timeout" : "broken";
    return { kind: "unknown", how, status: 0, message: link.clean(wire.message), costUsd: null, retryAfterMs: null };
  }
  const costUsd = headerCostUsd(wire.headers);
  if (wire.status === 200) return noCompletion(wire, costUsd);
  const message = link.clean(wordsOf(wire, error)).slice(0, MESSAGE_MAX_CHARS);
  const body = error instanceof APIError ? error.error : undefined;
  const { status } = wire;
  const refusal = readRefusal({ status, headers: wire.headers, body, message }, link.env.clock.nowMs());
  if (refusal.why) return { kind: "refused", why: refusal.why, status, message, retryAfterMs: refusal.retryAfterMs };
  return { kind: "unknown", how: "server", status, message, costUsd, retryAfterMs: refusal.retryAfterMs };
}

/** The service's message; for a redirect, its target. */
function wordsOf({ status, headers }: Extract<HttpOutcome, { kind: "done" }>, error: unknown): string {
  const location = headers["location"];
  if (status < 400 && location !== undefined) return `${status} to ${location}`;
  return error instanceof Error ? error.message : String(error);
}
