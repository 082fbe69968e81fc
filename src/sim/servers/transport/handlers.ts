/**
 * The entry points of the service, independent of the transport: HTTP by first path segment, WebSockets by path. A port
 * (`listening-port.ts`) and in-process callers (`in-process.ts`) use the same handlers.
 */
import type { HttpAnswer, HttpCall } from "../../wire/http-call.ts";
import { jsonReply, requestUrl } from "../../wire/http-io.ts";

/** Frames of clients are small; anything larger ends the connection. */
export const CLIENT_FRAME_MAX = 256 * 1024;

/** The parts of a WebSocket that the service uses; one of the library `ws` has them. */
export interface PeerSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Bytes waiting because the other side does not read. */
  readonly bufferedAmount: number;
  send(data: string | Buffer, options: { readonly binary: boolean }): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: "message", heard: (data: unknown) => void): unknown;
  on(event: "close" | "error", ended: () => void): unknown;
}

/** Must answer each call once; an exception becomes a 500 with code 40000. */
export type HttpHandler = (call: HttpCall, answer: HttpAnswer) => Promise<void>;

/** `path` is matched exactly. `address` is that of the client, for limits and allow-lists. */
export interface SocketHandler {
  readonly path: string;
  /** HTTP status that refuses the handshake; null accepts it. */
  refuse(address: string): number | null;
  accept(socket: PeerSocket, address: string, query: URLSearchParams): void;
}

/** The handlers of a port or an in-process network. Participants and control have separate ones. */
export interface Handlers {
  /** By first path segment; "" takes the rest. */
  readonly http: Readonly<Record<string, HttpHandler>>;
  readonly sockets: readonly SocketHandler[];
}

/** Routes a request to its handler. Never rejects: an internal error is answered too. */
export async function serveHttp(handlers: Handlers, call: HttpCall, answer: HttpAnswer): Promise<void> {
  const segment = call.target.split(/[/?]/)[1] ?? "";
  // Own names only: a path such as /constructor must not reach inherited properties.
  const handler = handlers.http[Object.hasOwn(handlers.http, segment) ? segment : ""];
  if (!handler) return answer.send(jsonReply(404, { code: 404, message: "not found", data: null }));
  try {
    await handler(call, answer);
  } catch (error) {
    answer.send(jsonReply(500, { code: 40000, message: `internal error: ${String(error)}`, data: {} }));
  }
}

/** The result of a handshake: accepted by a handler, or refused with an HTTP status. */
export type Handshake =
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "let-in"; readonly enter: (socket: PeerSocket) => void };

/** 404 if no handler has the path. `enter` must be called once, with the opened socket. */
export function shakeHands(
  handlers: Handlers,
  call: Pick<HttpCall, "target" | "headers" | "remoteAddress">,
): Handshake {
  const url = requestUrl(call.target);
  const handler = handlers.sockets.find(({ path }) => path === url.pathname);
  if (!handler) return { kind: "refused", status: 404 };
  const address = clientAddress(call);
  const status = handler.refuse(address);
  if (status !== null) return { kind: "refused", status };
  return { kind: "let-in", enter: (socket) => handler.accept(socket, address, url.searchParams) };
}

const first = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? (header[0] ?? "") : (header ?? "")).split(",")[0]?.trim() ?? "";

/** The client's address as text, IPv4 without the IPv6 mapping prefix. Headers can be forged: only good for limits. */
export function clientAddress(call: Pick<HttpCall, "headers" | "remoteAddress">): string {
  const claimed = first(call.headers["x-forwarded-for"]) || first(call.headers["x-real-ip"]);
  return bareAddress(claimed || call.remoteAddress);
}

const bareAddress = (address: string): string => address.replace(/^::ffff:/, "").slice(0, 64);
