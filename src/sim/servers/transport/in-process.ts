/**
 * The service for callers in its own process: without ports and sockets, and only on the given clock, so that a whole
 * day takes seconds and is reproducible. The behaviour is that of a port: the same handlers, refused handshakes, cut
 * connections, hanging replies, frames that are too large.
 */
import { setMaxListeners } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../../core/clock.ts";
import type { Connection, ConnectionEvents } from "../../../net/connection.ts";
import {
  BODY_MAX_BYTES,
  type HttpClient,
  type HttpOptions,
  type HttpOutcome,
  type HttpRequest,
} from "../../../net/http.ts";
import type { Network } from "../../../net/network.ts";
import { type Handlers, serveHttp } from "./handlers.ts";
import type { HttpAnswer, HttpCall, RawReply } from "../../wire/http-call.ts";
import { BODY_HOPELESS, bodyWithin } from "../../wire/http-io.ts";
import { type Deliver, dial, type Dialled, type DialEvents } from "./in-process-socket.ts";

/** How a call ended; with "hung" the caller gets nothing and waits for its own timeout. */
export type CallEnd = { readonly kind: "answered"; readonly reply: RawReply } | { readonly kind: "cut" };

/** `target` is path and query; header names may have any case. */
export interface RawCall {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The raw entry points, for tests that write HTTP and WebSocket by hand, and the port that ordinary clients use. */
export interface InProcess extends Network {
  /** Never rejects; does not resolve if the reply hangs. */
  call(url: string, call: Omit<RawCall, "target">): Promise<CallEnd>;
  dial(url: string, headers: Readonly<Record<string, string>>, on: DialEvents): Dialled;
}

/** Hosts without an entry have no handlers: calls to them get 404. */
export interface InProcessOptions {
  readonly clock: Clock;
  /** By host name, as in the addresses that the service reports. */
  readonly hosts: Readonly<Record<string, Handlers>>;
  /** The delay to the other side in clock milliseconds. 0: it arrives as soon as the sender is done. */
  readonly latencyMs?: number;
  /** The interval of market steps, if it is long. */
  readonly stepMs?: number;
}

const CALLER_ADDRESS = "127.0.0.1";
/** The same maximum as the real client's (`net/connection.ts`). */
const FRAME_MAX_BYTES = 1024 * 1024;
/** A UTF-16 unit takes at most three bytes, so that most texts need no counting. */
const longerThan = (maxBytes: number, data: Buffer | string): boolean =>
  data.length > maxBytes ||
  (typeof data === "string" && data.length * 3 > maxBytes && Buffer.byteLength(data) > maxBytes);
const NO_HANDLERS: Handlers = { http: {}, sockets: [] };

const lowerCased = (headers: Readonly<Record<string, string>>): IncomingHttpHeaders => ({
  host: "localhost",
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
});

const targetOf = (url: URL): string => url.pathname + url.search;

/** A network for clients of `net/network.ts`. Its gates are always open. */
export function inProcess({ clock, hosts, latencyMs = 0, stepMs }: InProcessOptions): InProcess {
  const deliver: Deliver = latencyMs > 0 ? (arrive) => void clock.after(latencyMs, arrive) : queueMicrotask;
  const handlersOf = ({ hostname }: URL): Handlers =>
    (Object.hasOwn(hosts, hostname) ? hosts[hostname] : null) ?? NO_HANDLERS;
  const dialUrl: InProcess["dial"] = (text, headers, on) => {
    const url = new URL(text);
    const call = { target: targetOf(url), headers: lowerCased(headers), remoteAddress: CALLER_ADDRESS };
    return dial(handlersOf(url), call, deliver, on);
  };
  return {
    ...(stepMs === undefined ? {} : { stepMs }),
    call: (text, given) => {
      const url = new URL(text);
      return exchange(handlersOf(url), { ...given, target: targetOf(url) }, deliver);
    },
    dial: dialUrl,
    http: (own, options) => httpClient(own, options, { deliver, handlersOf }),
    connect: (url, on) => connection((events) => dialUrl(url, {}, events), on),
    // Nothing is limited in one process, so nobody waits.
    gate: () => ({ run: (_priority, work) => work(), waiting: () => 0 }),
  };
}

/** `awaits` is false once the caller has given up. */
function exchange(
  handlers: Handlers,
  given: RawCall,
  deliver: Deliver,
  awaits: () => boolean = () => true,
): Promise<CallEnd> {
  return new Promise((resolve) => {
    let answered = false;
    const end = (how: CallEnd | null): void => {
      if (answered) return;
      answered = true;
      if (how) deliver(() => resolve(how));
    };
    const answer: HttpAnswer = {
      send: (reply) => end({ kind: "answered", reply }),
      sendHalf: () => end(null),
      cut: () => end({ kind: "cut" }),
      isAwaited: () => !answered && awaits(),
    };
    deliver(
      () =>
        void serveHttp(
          handlers,
          callOf(given, () => answer.cut()),
          answer,
        ),
    );
  });
}

function callOf({ method, target, headers, body = "" }: RawCall, cut: () => void): HttpCall {
  return {
    method,
    target,
    headers: lowerCased(headers),
    remoteAddress: CALLER_ADDRESS,
    body: (capBytes) => {
      const size = Buffer.byteLength(body);
      if (size > capBytes * BODY_HOPELESS) cut();
      return Promise.resolve(bodyWithin(capBytes, size, () => body));
    },
  };
}

/** The same outcomes as the client of `net/http.ts`: a sent request may have arrived, even without a reply. */
function httpClient(
  clock: Clock,
  { baseUrl, bodyMaxBytes = BODY_MAX_BYTES }: HttpOptions,
  at: { readonly deliver: Deliver; readonly handlersOf: (url: URL) => Handlers },
): HttpClient {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, "");
  const closing = new AbortController();
  // Each pending request adds a listener; this is no leak.
  setMaxListeners(0, closing.signal);
  const send = (request: HttpRequest): Promise<HttpOutcome> =>
    new Promise((resolve) => {
      const unknown = (message: string) => (): void => end({ kind: "unknown", message });
      let over = false;
      const end = (outcome: HttpOutcome): void => {
        over = true;
        stopDeadline();
        request.signal?.removeEventListener("abort", aborted);
        closing.signal.removeEventListener("abort", closed);
        resolve(outcome);
      };
      const timeoutMs = request.timeoutMs ?? 10_000;
      const [aborted, closed] = [unknown("aborted"), unknown("the client was closed")];
      const stopDeadline = clock.after(timeoutMs * clock.scale, unknown(`no complete answer within ${timeoutMs} ms`));
      request.signal?.addEventListener("abort", aborted, { once: true });
      closing.signal.addEventListener("abort", closed, { once: true });
      const { method, headers, body } = request;
      const call = { method, headers, target: prefix + request.path, ...(body === undefined ? {} : { body }) };
      const awaits = (): boolean => !over;
      void exchange(at.handlersOf(url), call, at.deliver, awaits).then((how) => {
        if (how.kind === "cut") return end({ kind: "unknown", message: "the connection was cut" });
        const { status, headers: replied, body: text } = how.reply;
        if (longerThan(bodyMaxBytes, text)) unknown(`the answer is longer than ${bodyMaxBytes} bytes`)();
        else end({ kind: "done", status, headers: { ...replied }, text });
      });
    });
  return {
    send: (request) => {
      if (closing.signal.aborted) return Promise.resolve({ kind: "not-sent", message: "the client is closed" });
      if (request.signal?.aborted) return Promise.resolve({ kind: "not-sent", message: "aborted before it was sent" });
      return send(request);
    },
    close: () => {
      closing.abort();
      return Promise.resolve();
    },
  };
}

function connection(open: (events: DialEvents) => Dialled, on: ConnectionEvents): Connection {
  let over = false;
  const end = (reason: string, retryAfterMs: number | null): void => {
    if (over) return;
    over = true;
    dialled.terminate();
    on.closed(reason, retryAfterMs);
  };
  const dialled = open({
    open: () => {
      if (!over) on.open();
    },
    message: (data) => {
      if (over) return;
      if (longerThan(FRAME_MAX_BYTES, data)) end("Max payload size exceeded", null);
      else on.message(data);
    },
    refused: (status) => end(`handshake refused with ${status}`, status === 429 ? 0 : null),
    closed: (code, reason) => end(`closed with ${code} ${reason}`.trim(), null),
  });
  return {
    send: (text) => {
      if (over || !dialled.isOpen()) return false;
      dialled.send(text);
      return true;
    },
    abandon: () => {
      over = true;
      dialled.terminate();
    },
  };
}
