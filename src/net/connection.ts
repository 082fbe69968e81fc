/**
 * The only file that uses the WebSocket library: one connection from handshake to end. After `abandon` or `closed` it
 * calls no listener. Reconnecting is the caller's task.
 */
import type { Duplex } from "node:stream";
import { WebSocket, type RawData } from "ws";
import { WholeFrames } from "./whole-frames.ts";

/** No event comes before `connect` has returned or after `closed` or `abandon`. Listeners must not throw. */
export interface ConnectionEvents {
  open(): void;
  /** A buffer from a socket; a string from a service in the same process. */
  message(data: Buffer | string): void;
  /**
   * A whole binary message: the bytes `from` to `to` of a chunk as it arrived, only during this call. Who has this listener may
   * still get such a message by `message`.
   */
  frame?(chunk: Buffer, from: number, to: number): void;
  /** Called once. `retryAfterMs` is not null if the handshake was refused with 429 (0 if the reply gave no time). */
  closed(reason: string, retryAfterMs: number | null): void;
}

/** One attempt and, if it opens, one connection; it never reconnects. */
export interface Connection {
  /** False if the connection is not open or its send buffer is too full; the text is then dropped. */
  send(text: string): boolean;
  /** Ends the connection without waiting for the other side and without calling `closed`. */
  abandon(): void;
}

/** Largest frame accepted from the wire. */
const WIRE_MAX_BYTES = 1024 * 1024;
const UNSENT_MAX_BYTES = 1024 * 1024;
const HANDSHAKE_MS = 10_000;
/** Longest pause that a refused handshake can impose, as for REST. */
const RETRY_AFTER_MAX_MS = 3_600_000;

/** Allows 10 s for the handshake and frames of up to 1 MiB; a longer frame ends the connection. */
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
  let wire: Duplex | null = null;
  socket.on("upgrade", (response) => {
    wire = response.socket;
  });
  socket.on("open", () => {
    if (wire && on.frame) takeFrames(wire, on.frame, () => !over && socket.readyState === WebSocket.OPEN);
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
    // A socket that never opened may report its end only through this event.
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

/** Hands whole binary frames to `frame` and the rest to the library, for as long as the connection is open. */
function takeFrames(
  wire: Duplex,
  frame: (chunk: Buffer, from: number, to: number) => void,
  isOpen: () => boolean,
): void {
  const [library, ...more] = wire.listeners("data") as ((chunk: Buffer) => void)[];
  // Another version of the library may listen otherwise; it then reads everything.
  if (!library || more.length > 0) return;
  const frames = new WholeFrames(WIRE_MAX_BYTES, {
    frame: (chunk, from, to) => {
      if (isOpen()) frame(chunk, from, to);
    },
    others: (bytes) => {
      if (isOpen()) library.call(wire, bytes);
    },
  });
  wire.on("data", (chunk: Buffer) => frames.take(chunk));
  wire.off("data", library);
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
