/**
 * The one file that knows the WebSocket library: a single connection, from handshake to its one end. After `abandon` or
 * `closed` it calls nobody any more. Knows nothing of reconnecting.
 */
import { WebSocket, type RawData } from "ws";

/** None comes before `connect` has returned, none after `closed` or `abandon`. None may throw. */
export interface ConnectionEvents {
  open(): void;
  /** As bytes from a wire; as text from a service of the same process, where there is none. */
  message(data: Buffer | string): void;
  /** Once. `retryAfterMs` is not null when the handshake was refused with 429 (0 when no time was told). */
  closed(reason: string, retryAfterMs: number | null): void;
}

/** One attempt and, if it opens, one life; it does not come back. */
export interface Connection {
  /** False when it is not open or too much waits to be sent; nothing is kept for later. */
  send(text: string): boolean;
  /** Ends it without waiting for the other side, silently. */
  abandon(): void;
}

/** Largest frame taken from the wire. */
const WIRE_MAX_BYTES = 1024 * 1024;
const UNSENT_MAX_BYTES = 1024 * 1024;
const HANDSHAKE_MS = 10_000;
/** The longest time that a refused handshake can keep us away, as over REST. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/** Gives the handshake 10 s and takes frames of 1 MiB at most; a longer one ends the connection. */
export function connect(url: string, on: ConnectionEvents): Connection {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: WIRE_MAX_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
  });
  let over = false;
  let failure = "";
  const end = (reason: string, retryAfterMs: number | null): void => {
    if (over) return;
    over = true;
    socket.terminate();
    on.closed(reason, retryAfterMs);
  };
  socket.on("open", () => {
    if (!over) on.open();
  });
  socket.on("message", (data) => {
    if (!over) on.message(bytesOf(data));
  });
  socket.on("unexpected-response", (request, response) => {
    response.resume();
    request.destroy();
    const crowded = response.statusCode === 429;
    const retryAfterS = Number(response.headers["retry-after"] ?? 0);
    const retryAfterMs = Number.isFinite(retryAfterS) ? Math.min(retryAfterS * 1_000, RETRY_AFTER_MAX_MS) : 0;
    end(`handshake refused with ${String(response.statusCode)}`, crowded ? retryAfterMs : null);
  });
  socket.on("error", (error) => {
    failure = error.message || error.name;
    // A socket that never opened may report its end by this event alone.
    if (socket.readyState !== WebSocket.OPEN) end(failure, null);
  });
  socket.on("close", (code, text) => end(failure || `closed with ${code} ${text.toString("utf8")}`.trim(), null));
  return {
    send: (text) => {
      if (over || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNSENT_MAX_BYTES) return false;
      socket.send(text);
      return true;
    },
    abandon: () => {
      over = true;
      socket.terminate();
    },
  };
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
