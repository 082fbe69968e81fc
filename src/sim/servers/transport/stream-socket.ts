/**
 * One WebSocket of a client, with an idle time-out and a cap on bytes that wait for a slow reader, so that a client
 * that does not read harms neither the service nor other clients.
 */
import type { PeerSocket } from "./handlers.ts";
import type { Clock } from "../../../core/clock.ts";
import { gzipped } from "./gzip.ts";

/** Bytes waiting in the socket, and milliseconds of the service's clock. */
export interface SlowReaderLimits {
  /** Above this many waiting bytes, replaceable frames are skipped. */
  readonly conflateBytes: number;
  /** Above this many the socket is closed. */
  readonly closeBytes: number;
  /** A socket that stays above `conflateBytes` for this long is closed. */
  readonly closeAfterMs: number;
}

/** Used by the user and news streams, and by the market stream unless the service was started with other limits. */
export const SLOW_READER: SlowReaderLimits = { conflateBytes: 256_000, closeBytes: 4_000_000, closeAfterMs: 15_000 };

/** Far above every documented rate; a faster connection would slow the others down. */
const FRAMES_PER_SECOND = 4_000;

/** Created as a connection is accepted; `listen` must follow. Idle time counts from its creation. */
export class StreamSocket {
  readonly ws: PeerSocket;
  readonly address: string;
  /** Whether frames are sent compressed. */
  readonly binary: boolean;
  /** Half-open by a fault: nothing is sent, and received frames are ignored. */
  deaf = false;
  readonly #clock: Clock;
  readonly #limits: SlowReaderLimits;
  #heardMs: number;
  #slowSinceMs: number | null = null;
  #secondBeganMs = 0;
  #framesOfSecond = 0;

  constructor(ws: PeerSocket, options: { address: string; binary: boolean; clock: Clock; limits: SlowReaderLimits }) {
    this.ws = ws;
    this.address = options.address;
    this.binary = options.binary;
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#heardMs = options.clock.monotonicMs();
    // Broken peers are normal; `close` follows and cleans up.
    ws.on("error", () => ws.terminate());
  }

  get open(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  /**
   * Passes the text of each frame to `hear`. An internal error goes to `failed` and ends nothing else; a client that
   * floods is closed with 1008, one that causes replies without reading them meets the slow-reader limits.
   */
  listen(hear: (text: string) => void, failed: (error: unknown) => void): void {
    this.ws.on("message", (data) => {
      this.lagging();
      if (!this.open) return;
      if (this.#floods()) return this.ws.close(1008, "too many frames");
      try {
        hear(frameText(data));
      } catch (error) {
        failed(error);
      }
    });
  }

  #floods(): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#secondBeganMs >= 1_000) {
      this.#secondBeganMs = nowMs;
      this.#framesOfSecond = 0;
    }
    return ++this.#framesOfSecond > FRAMES_PER_SECOND;
  }

  heard(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  idleMs(): number {
    return this.#clock.monotonicMs() - this.#heardMs;
  }

  /** Whether replaceable frames should be skipped for now. Closes the socket if it lags too long. */
  lagging(): boolean {
    const waiting = this.ws.bufferedAmount;
    if (waiting <= this.#limits.conflateBytes) {
      this.#slowSinceMs = null;
      return false;
    }
    const nowMs = this.#clock.monotonicMs();
    this.#slowSinceMs ??= nowMs;
    if (waiting > this.#limits.closeBytes || nowMs - this.#slowSinceMs > this.#limits.closeAfterMs) this.ws.terminate();
    return true;
  }

  send(frame: SharedFrame): void {
    if (!this.open || this.deaf) return;
    if (this.binary) this.ws.send(frame.gzipped(), { binary: true });
    else this.ws.send(frame.text, { binary: false });
  }

  /** Sends one message to this client only. */
  say(message: unknown): void {
    this.send(sharedFrame(JSON.stringify(message)));
  }
}

/** Text of a client frame of either opcode. */
function frameText(data: unknown): string {
  if (typeof data === "string") return data;
  if (Buffer.isBuffer(data)) return data.toString("utf8");
  if (Array.isArray(data)) return Buffer.concat(data as Buffer[]).toString("utf8");
  return Buffer.from(data as ArrayBuffer).toString("utf8");
}

/** Closes sockets that have been silent for too long. The returned function ends the watch. */
export function watchIdle(
  clock: Clock,
  sockets: ReadonlySet<{ readonly socket: StreamSocket }>,
  options: { readonly idleMs: number; readonly everyMs: number },
): () => void {
  return clock.every(options.everyMs, () => {
    for (const { socket } of sockets) {
      // A half-open socket stands for a connection that was lost unnoticed: it has no peer that could close it.
      if (!socket.deaf && socket.idleMs() >= options.idleMs) socket.ws.close(1000, "idle");
    }
  });
}

/** A frame for sockets; compressed and plain readers may share one. */
export interface SharedFrame {
  readonly text: string;
  /** The GZIP form, created on first use. */
  gzipped(): Buffer;
}

/** `bytes` replaces the compressed form, for faults that damage it. */
export function sharedFrame(text: string, bytes?: Buffer): SharedFrame {
  let made = bytes;
  return { text, gzipped: () => (made ??= gzipped(text)) };
}
