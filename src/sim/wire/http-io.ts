/** Reads requests and writes replies of plain HTTP: bodies with a cap, JSON replies. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyRead, HttpAnswer, HttpCall, RawReply } from "./http-call.ts";

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

/** `headers` are added to the content type, and take precedence over it. */
export const jsonReply = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): RawReply => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(value),
});

/** Wraps a request of Node; the body is read on demand. */
export function callOf(message: IncomingMessage): HttpCall {
  return {
    method: message.method ?? "GET",
    target: message.url ?? "/",
    headers: message.headers,
    remoteAddress: message.socket.remoteAddress ?? "unknown",
    body: (capBytes) => readBody(message, capBytes),
  };
}

/** The body within its cap, or the reason for the caller. */
export const bodyWithin = (capBytes: number, size: number, text: () => string): BodyRead =>
  size <= capBytes
    ? { ok: true, text: text() }
    : { ok: false, reason: `request body of ${size} bytes is over the limit of ${capBytes}` };

/** A body this many times over its cap is not even read to its end. */
export const BODY_HOPELESS = 8;

function readBody(request: IncomingMessage, capBytes: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= capBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > capBytes * BODY_HOPELESS) request.destroy();
    });
    request.on("end", () => resolve(bodyWithin(capBytes, size, () => Buffer.concat(chunks).toString("utf8"))));
    request.on("error", () => resolve({ ok: false, reason: "request body was cut off" }));
    request.on("close", () => resolve({ ok: false, reason: "request body was cut off" }));
  });
}

const headOf = (reply: RawReply): Record<string, string> => ({
  ...reply.headers,
  "content-length": String(Buffer.byteLength(reply.body)),
});

/** The part of its body that a stalled reply sends. */
export const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** Wraps a response of Node. Nothing is sent after the head was sent or the client has gone. */
export function answerOver(response: ServerResponse): HttpAnswer {
  const over = (): boolean => response.headersSent || response.destroyed;
  return {
    send: (reply) => {
      if (over()) return;
      response.writeHead(reply.status, headOf(reply));
      response.end(reply.body);
    },
    sendHalf: (reply) => {
      if (over()) return;
      response.writeHead(reply.status, headOf(reply));
      response.write(firstHalf(reply.body));
    },
    cut: () => response.destroy(),
    isAwaited: () => !over(),
  };
}

/**
 * No documented request nests deeper than three; serialising a value of many thousand levels would overflow the stack.
 */
const DEPTH_MAX = 64;

/** Whether brackets outside strings nest deeper than `DEPTH_MAX`. */
function tooDeep(text: string): boolean {
  if (text.length <= DEPTH_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (quoted) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      if (++depth > DEPTH_MAX) return true;
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125] as const;

/** A JSON value from text; undefined if it is invalid, or nested too deeply. */
export function parseJson(text: string): unknown {
  if (tooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A path of plain characters without dot segments, which a URL parser would leave unchanged. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/;

/** Path and query of a request. Plain paths, which are the most frequent, need no URL parser. */
export function requestTarget(text: string): { readonly path: string; readonly search: URLSearchParams } {
  const mark = text.indexOf("?");
  const path = mark === -1 ? text : text.slice(0, mark);
  if (PLAIN_PATH.test(path) && !text.includes("#")) {
    return { path, search: mark === -1 ? NO_SEARCH : new URLSearchParams(text.slice(mark + 1)) };
  }
  const url = requestUrl(text);
  return { path: url.pathname, search: url.searchParams };
}

const NO_SEARCH = new URLSearchParams();

/** The URL of a request line; an unroutable path if the line has none. */
export function requestUrl(text: string): URL {
  return URL.canParse(text, "http://localhost")
    ? new URL(text, "http://localhost")
    : new URL("http://localhost/malformed");
}
