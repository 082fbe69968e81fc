/**
 * The ways in which a model gateway can be odd: each answers in one way of its own, and says what `ballast status` must name
 * as the cause, or that the answer can be used all the same.
 */
import type { ServerResponse } from "node:http";
import { answer } from "../../src/sim/model/answer.ts";
import type { ChatRequest } from "../../src/sim/model/chat-request.ts";

/** The only model that an odd gateway lists. */
export const ODD_MODEL = "odd-1";

/** One question as it came, and the answer that a good gateway would give. */
export interface OddCall {
  readonly body: ChatRequest & Readonly<Record<string, unknown>>;
  readonly response: ServerResponse;
  /** The text of a sound answer. */
  readonly good: string;
}

export interface OddBehaviour {
  readonly about: string;
  /** What status must name; null where the answer is to be used. */
  readonly cause: RegExp | null;
  complete(call: OddCall): void;
  /** What the model list and the key's figures are answered with, where that is the odd thing. */
  readonly models?: (response: ServerResponse) => void;
  readonly keyInfo?: (response: ServerResponse) => void;
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const refuse = (
  { response }: OddCall,
  status: number,
  error: Readonly<Record<string, unknown>> | string,
  headers: Readonly<Record<string, string>> = {},
): void => reply(response, status, typeof error === "string" ? error : { error }, headers);

const USAGE = { prompt_tokens: 1_200, completion_tokens: 90, total_tokens: 1_290 };

interface Said {
  readonly message?: Readonly<Record<string, unknown>>;
  readonly finish?: string;
  /** Null leaves it out. */
  readonly usage?: unknown;
}

const completion = ({ message = {}, finish = "stop", usage = USAGE }: Said) => ({
  id: "odd",
  object: "chat.completion",
  model: ODD_MODEL,
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: finish }],
  ...(usage === null ? {} : { usage }),
});

const say = ({ response }: OddCall, said: Said): void => reply(response, 200, completion(said));

/** A sound answer, which a service may give to what it does take. */
export const sound = (call: OddCall): void => say(call, { message: { content: call.good } });

/** As the practice model would answer. */
export function goodText(body: ChatRequest): string {
  const { text, tool } = answer(body, false);
  return text ?? tool?.args ?? "";
}

const usable = (about: string, complete: OddBehaviour["complete"]): OddBehaviour => ({ about, cause: null, complete });
const odd = (about: string, cause: RegExp, complete: OddBehaviour["complete"]): OddBehaviour => ({
  about,
  cause,
  complete,
});

const has = ({ body }: OddCall, ...members: readonly string[]): boolean => members.some((name) => body[name] != null);

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const listOthers = (response: ServerResponse): void =>
  reply(response, 200, { object: "list", data: [{ id: "other-1" }, { id: "other-2" }] });

/** By name; `good` is not odd at all. */
export const ODD_BEHAVIOURS = {
  good: usable("answers soundly", sound),

  // refusals
  "401": odd("refuses the key", /model: the gateway refuses the key \(401: Incorrect API key/, (call) =>
    refuse(call, 401, {
      message: "Incorrect API key provided",
      type: "invalid_request_error",
      code: "invalid_api_key",
    }),
  ),
  "403": odd("forbids the key, without a body", /model: the gateway refuses the key \(403\); put a valid key/, (call) =>
    refuse(call, 403, ""),
  ),
  "402-quota": odd("says 402: no money", /model: the gateway says that this key's budget is spent \(402/, (call) =>
    refuse(call, 402, { message: "Insufficient balance", type: "billing" }),
  ),
  "429-quota": odd("says in a 429 that the quota is used up", /this key's budget is spent \(429/, (call) =>
    refuse(call, 429, {
      message: "You exceeded your current quota",
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
  ),
  "404-path": odd(
    "has nothing at this address",
    /has no model service at this path \(404: .*check AI_BASE_URL/,
    (call) => refuse(call, 404, "404 page not found"),
  ),
  "404-model": {
    ...odd(
      "does not know the model",
      /model: the gateway does not know the model "odd-1" \(404\); name one of: other-1, other-2 under model\.names/,
      (call) =>
        refuse(call, 404, { message: `The model \`${call.body.model}\` does not exist`, code: "model_not_found" }),
    ),
    models: listOthers,
  },
  "400-model": {
    ...odd("calls the model's name invalid in a 400", /does not know the model "odd-1" \(400\)/, (call) =>
      refuse(call, 400, {
        message: `Invalid model name passed in model=${call.body.model}`,
        type: "invalid_request_error",
      }),
    ),
    models: listOthers,
  },
  "400-always": odd("refuses every question with a plain 400", /refuses the question \(400: Bad Request\)/, (call) =>
    refuse(call, 400, { message: "Bad Request" }),
  ),
  "429-wait": odd("takes no more, come back in two seconds", /refuses more questions for now \(429/, (call) =>
    refuse(call, 429, { message: "Rate limit reached", type: "rate_limit_error" }, { "retry-after": "2" }),
  ),
  "429-bare": odd("takes no more, without a word", /refuses more questions for now \(429\)/, (call) =>
    refuse(call, 429, ""),
  ),
  redirect: odd(
    "sends everybody on",
    /redirects every question to another address \(302: to https:\/\/new\.example/,
    (call) => refuse(call, 302, "", { location: "https://new.example/v1/chat/completions" }),
  ),

  // ways of asking
  "400-format-plain": usable("refuses response_format with a plain 400", (call) =>
    has(call, "response_format") ? refuse(call, 400, { message: "Bad Request" }) : sound(call),
  ),
  "400-format-said": usable("refuses json_schema and json_object in words", (call) =>
    has(call, "response_format", "tools")
      ? refuse(call, 400, { message: "response_format and tools are not supported by this model" })
      : sound(call),
  ),
  "400-max-tokens": usable("wants max_completion_tokens", (call) =>
    has(call, "max_tokens")
      ? refuse(call, 400, { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." })
      : sound(call),
  ),
  "400-temperature": usable("takes no temperature", (call) =>
    has(call, "temperature")
      ? refuse(call, 400, { message: "Unsupported value: 'temperature' does not support 0.2 with this model." })
      : sound(call),
  ),

  // a service that fails
  "500": odd("fails", /model: the gateway failed \(500: internal error\)/, (call) =>
    refuse(call, 500, { message: "internal error" }),
  ),
  "503": odd("is overloaded, with a page", /model: the gateway failed \(503, with a page of HTML\)/, ({ response }) =>
    reply(response, 503, "<html><body>503 Service Unavailable</body></html>", { "content-type": "text/html" }),
  ),
  "529": odd("is overloaded, in its own number", /model: the gateway failed \(529: overloaded\)/, (call) =>
    refuse(call, 529, { message: "overloaded", type: "overloaded_error" }),
  ),
  hang: odd(
    "takes the question and says nothing",
    /gave no complete answer within \d+(\.\d)? s; wait/,
    () => undefined,
  ),
  "hang-mid-body": odd("stops in the middle of the answer", /gave no complete answer within/, ({ response, good }) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
    response.write(JSON.stringify(completion({ message: { content: good } })).slice(0, 50));
  }),
  reset: odd(
    "breaks the connection off",
    /the connection to the gateway broke before the answer was complete/,
    (call) => call.response.socket?.resetAndDestroy(),
  ),

  // answers that are none
  "html-200": odd(
    "answers with a web page",
    /the gateway answered 200 with a page of HTML; check AI_BASE_URL/,
    (call) =>
      reply(call.response, 200, "<!doctype html><html><title>Sign in</title></html>", { "content-type": "text/html" }),
  ),
  "empty-body": odd("answers 200 with nothing", /the gateway answered 200 with an empty body/, ({ response }) =>
    reply(response, 200, ""),
  ),
  "cut-json": odd("answers with JSON that is cut", /answered 200 with JSON that is cut off/, ({ response, good }) =>
    reply(response, 200, JSON.stringify(completion({ message: { content: good } })).slice(0, 90)),
  ),
  "other-json": odd("answers with other JSON", /answered 200 with JSON that is not a completion/, ({ response }) =>
    reply(response, 200, { status: "ok" }),
  ),
  "empty-content": odd("answers with an empty text", /model: the model's answer is empty/, (call) =>
    say(call, { message: { content: "" } }),
  ),
  "cut-content": odd("stops at its output limit", /answer was cut off at its output limit/, (call) =>
    say(call, { message: { content: call.good.slice(0, 20) }, finish: "length" }),
  ),
  prose: odd("answers in prose", /does not fit the reply schema \(the answer contains no JSON object/, (call) =>
    say(call, { message: { content: "I would rather wait and see." } }),
  ),
  "wrong-schema": odd("answers with another object", /does not fit the reply schema \(/, (call) =>
    say(call, { message: { content: '{"decision":"hold"}' } }),
  ),
  refusal: odd("declines", /model: the model declined to answer \(I cannot help with trading\.\)/, (call) =>
    say(call, { message: { refusal: "I cannot help with trading." } }),
  ),

  // answers that can be used
  reasoning: usable("leaves content empty and answers in reasoning_content", (call) =>
    say(call, { message: { content: "", reasoning_content: call.good } }),
  ),
  fenced: usable("answers in a fenced block, with prose around it", (call) =>
    say(call, { message: { content: `Here you are:\n\n\`\`\`json\n${call.good}\n\`\`\`\nGood luck!` } }),
  ),
  stream: usable("streams although nobody asked for it", ({ response, good }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < good.length; at += 40) response.write(chunk({ content: good.slice(at, at + 40) }));
    response.end(`${chunk({}, "stop")}data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`);
  }),
  "wrong-type": usable("calls its JSON text/html", (call) =>
    reply(call.response, 200, completion({ message: { content: call.good } }), { "content-type": "text/html" }),
  ),
  "no-usage": usable("states no usage", (call) => say(call, { message: { content: call.good }, usage: null })),
  "absurd-usage": usable("states a usage that no count can be", (call) =>
    say(call, { message: { content: call.good }, usage: { prompt_tokens: 1e300, completion_tokens: -4 } }),
  ),
  "no-key-info": {
    ...usable("has no figures of the key", sound),
    keyInfo: (response: ServerResponse) => reply(response, 404, { error: { message: "Not Found" } }),
  },
  "list-without": {
    ...usable("answers, though its list lacks the model", sound),
    models: listOthers,
  },
} satisfies Readonly<Record<string, OddBehaviour>>;

export type OddName = keyof typeof ODD_BEHAVIOURS;
export const ODD_NAMES = Object.keys(ODD_BEHAVIOURS) as readonly OddName[];
export const behaviourOf = (name: OddName): OddBehaviour => ODD_BEHAVIOURS[name];
