/**
 * One HTTP exchange with three possible results: answered, certainly not sent, or unknown. This file never sends a
 * request twice. Envelope, signature and limits belong to the callers.
 */
import type { Agent, Dispatcher } from "undici";
import type { Clock } from "../core/clock.ts";

/** Sent unchanged and once: no retry, no redirect. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with query, relative to the host's root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Real milliseconds for the whole exchange, connecting included. Default 10,000. */
  readonly timeoutMs?: number;
  /** Use a new connection. For writes, because a kept connection may be half closed (fault R8). */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

/** Any complete answer is "done", regardless of its status. Header names are lower case; the text is UTF-8. */
export type HttpOutcome =
  | {
      readonly kind: "done";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** No byte of it reached the other side. */
  | { readonly kind: "not-sent"; readonly message: string }
  /** Part of the request may have left, and no complete answer arrived. */
  | { readonly kind: "unknown"; readonly message: string };

/** A client for one host. Waiting for a connection counts against the request's own deadline. */
export interface HttpClient {
  /** Never throws. */
  send(request: HttpRequest): Promise<HttpOutcome>;
  /** Closes every connection; running requests end as "unknown", later ones as "not-sent". */
  close(): Promise<void>;
}

/** `connectTimeoutMs` is in real milliseconds, default 5,000. */
export interface HttpOptions {
  /** `http(s)://host[:port]`, optionally with a path prefix. */
  readonly baseUrl: string;
  /** A longer answer ends the exchange as "unknown". Default 8 MB. */
  readonly bodyMaxBytes?: number;
  readonly connectTimeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** Default cap on an answer's length. */
export const BODY_MAX_BYTES = 8 * 1024 * 1024;

/** Two pools: kept connections for reads, and one connection per request for `fresh`. */
interface Pools {
  readonly kept: Agent;
  readonly fresh: Agent;
}

/** Loading the library takes longer than most commands do, and many of them never send anything. */
async function openPools(connectTimeoutMs: number): Promise<Pools> {
  // In a bundle of several files the package comes with its default export alone.
  const { Agent: Pool } = (await import("undici")).default;
  const shared = { connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 };
  return {
    kept: new Pool({ ...shared, connections: 8, pipelining: 1, keepAliveTimeout: 4_000 }),
    fresh: new Pool({ ...shared, connections: 8, pipelining: 0 }),
  };
}

/** A client for one host. Its pools are opened by the first request. */
export function createHttpClient(clock: Clock, options: HttpOptions): HttpClient {
  const url = new URL(options.baseUrl);
  const prefix = url.pathname.replace(/\/+$/, "");
  const bodyMaxBytes = options.bodyMaxBytes ?? BODY_MAX_BYTES;
  let opening: Promise<Pools> | null = null;
  let pools: Pools | null = null;
  let closed = false;

  const open = async (): Promise<Pools> => (pools = await (opening ??= openPools(options.connectTimeoutMs ?? 5_000)));
  const sendBy = ({ kept, fresh }: Pools, request: HttpRequest): Promise<HttpOutcome> => {
    if (closed) return Promise.resolve({ kind: "not-sent", message: "the client is closed" });
    if (request.signal?.aborted) return Promise.resolve({ kind: "not-sent", message: "aborted before it was sent" });
    const dispatcher = request.fresh ? fresh : kept;
    return exchange(clock, dispatcher, { request, origin: url.origin, path: prefix + request.path, bodyMaxBytes });
  };
  return {
    // Once they are open a request goes out in the same turn.
    send: (request) => (pools ? sendBy(pools, request) : open().then((opened) => sendBy(opened, request))),
    close: async () => {
      closed = true;
      if (opening === null) return;
      const { kept, fresh } = await open();
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

interface Exchange {
  readonly request: HttpRequest;
  readonly origin: string;
  readonly path: string;
  readonly bodyMaxBytes: number;
}

function exchange(clock: Clock, dispatcher: Dispatcher, given: Exchange): Promise<HttpOutcome> {
  const { request } = given;
  return new Promise((resolve) => {
    const run: Run = { controller: null, ended: false, status: 0, headers: {}, chunks: [], bytes: 0 };
    const end = (outcome: HttpOutcome): void => {
      if (run.ended) return;
      run.ended = true;
      stopDeadline();
      request.signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const giveUp = (why: string): void => {
      end(lost(run, why));
      run.controller?.abort(new Error(why));
    };
    const onAbort = (): void => giveUp("aborted");
    const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
    // Deadlines of the network are in real time, even if the practice clock runs faster.
    const stopDeadline = clock.after(timeoutMs * clock.scale, () =>
      giveUp(`no complete answer within ${timeoutMs} ms`),
    );
    request.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const { origin, path } = given;
      dispatcher.dispatch(
        { origin, path, method: request.method, headers: { ...request.headers }, body: request.body ?? null },
        handlerOf(run, end, given.bodyMaxBytes),
      );
    } catch (error) {
      end(lost(run, messageOf(error)));
    }
  });
}

interface Run {
  /** Set when the request is handed to a connected socket; from then on it may have left. */
  controller: Dispatcher.DispatchController | null;
  ended: boolean;
  status: number;
  headers: Record<string, string>;
  chunks: Buffer[];
  bytes: number;
}

const lost = (run: Run, message: string): HttpOutcome => ({ kind: run.controller ? "unknown" : "not-sent", message });

function handlerOf(run: Run, end: (outcome: HttpOutcome) => void, bodyMaxBytes: number): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => {
      // The deadline passed while the request waited for a connection, and "not-sent" was reported: it must not leave
      // now.
      if (run.ended) return controller.abort(new Error("too late"));
      run.controller = controller;
    },
    onResponseStart: (_controller, status, headers) => {
      run.status = status;
      for (const [name, value] of Object.entries(headers)) {
        run.headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : (value ?? "");
      }
    },
    onResponseData: (controller, chunk) => {
      run.bytes += chunk.length;
      if (run.bytes <= bodyMaxBytes) return void run.chunks.push(chunk);
      end({ kind: "unknown", message: `the answer is longer than ${bodyMaxBytes} bytes` });
      controller.abort(new Error("answer too long"));
    },
    onResponseEnd: () => {
      const text = Buffer.concat(run.chunks).toString("utf8");
      end({ kind: "done", status: run.status, headers: run.headers, text });
    },
    onResponseError: (_controller, error) => end(lost(run, messageOf(error))),
  };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  return code && !error.message.includes(code) ? `${code}: ${error.message}` : error.message || (code ?? error.name);
}
