/** Reading and answering plain HTTP: bodies with a cap, JSON replies. Knows nothing of the endpoints. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** What goes back to the client. `body` is the exact text; faults may have damaged it on purpose. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

export const jsonReply = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): RawReply => ({
  status,
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify(value),
});

export const isJson = (reply: RawReply): boolean => reply.headers["content-type"] === JSON_HEADERS["content-type"];

/** The body as text, or why it cannot be had. Reads on (and forgets) beyond the cap, so that a reply can be sent. */
export type BodyRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export function readBody(request: IncomingMessage, capBytes: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= capBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > capBytes * 8) request.destroy();
    });
    request.on("end", () =>
      resolve(
        size <= capBytes
          ? { ok: true, text: Buffer.concat(chunks).toString("utf8") }
          : { ok: false, reason: `request body of ${size} bytes is over the limit of ${capBytes}` },
      ),
    );
    request.on("error", () => resolve({ ok: false, reason: "request body was cut off" }));
    request.on("close", () => resolve({ ok: false, reason: "request body was cut off" }));
  });
}

export function sendReply(response: ServerResponse, reply: RawReply): void {
  if (response.writableEnded || response.destroyed) return;
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(Buffer.byteLength(reply.body)) });
  response.end(reply.body);
}

/** Sends the head and the first half of the body and then nothing more: a reply that hangs (fault R8). */
export function sendHalf(response: ServerResponse, reply: RawReply): void {
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(Buffer.byteLength(reply.body)) });
  response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)));
}

/** No request of the documents nests deeper than three; writing a value of many thousand levels back would overflow the stack. */
const DEPTH_MAX = 64;

/** Whether brackets outside of strings nest deeper than `DEPTH_MAX`. */
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

/** A JSON value from text; undefined when it is none, or nests deeper than anybody needs. */
export function parseJson(text: string): unknown {
  if (tooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The URL of a request; a path that no route has when the request line holds none. */
/** A path of plain characters without dot segments, which a URL parser would hand on as it stands. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/;

/** Path and query of a request. Plain paths, which are nearly all, need no URL parser. */
export function requestTarget(message: IncomingMessage): { readonly path: string; readonly search: URLSearchParams } {
  const text = message.url ?? "/";
  const mark = text.indexOf("?");
  const path = mark === -1 ? text : text.slice(0, mark);
  if (PLAIN_PATH.test(path) && !text.includes("#")) {
    return { path, search: mark === -1 ? NO_SEARCH : new URLSearchParams(text.slice(mark + 1)) };
  }
  const url = requestUrl(message);
  return { path: url.pathname, search: url.searchParams };
}

const NO_SEARCH = new URLSearchParams();

export function requestUrl(message: IncomingMessage): URL {
  const text = message.url ?? "/";
  return URL.canParse(text, "http://localhost")
    ? new URL(text, "http://localhost")
    : new URL("http://localhost/malformed");
}
