/** One WebSocket without a network: two ends in one process, each behaving like a real one. */
import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { CLIENT_FRAME_MAX, type Handlers, type PeerSocket, shakeHands } from "./handlers.ts";

/** Delivers something to the other side, later and in order. */
export type Deliver = (arrive: () => void) => void;

/** The events of the client's end. None follows `refused` or `closed`. */
export interface DialEvents {
  open(): void;
  /** Text stays text, to avoid converting it to bytes and back. */
  message(data: Buffer | string, binary: boolean): void;
  refused(status: number): void;
  closed(code: number, reason: string): void;
}

/** The client's end. `send` is ignored after the close; `terminate` sends no close frame. */
export interface Dialled {
  isOpen(): boolean;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

/** The caller as the handshake sees it. `target` is path and query. */
export interface Dialling {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

/** RFC 6455: no close frame arrived, or a frame was too large. */
const ABNORMAL = 1006;
const TOO_LARGE = 1009;

/** Returns at once; `open` or `refused` follows through `deliver`. */
export function dial(handlers: Handlers, call: Dialling, deliver: Deliver, on: DialEvents): Dialled {
  const link = new Link(deliver, on);
  deliver(() => {
    if (link.over) return;
    const handshake = shakeHands(handlers, call);
    if (handshake.kind === "refused") {
      link.over = true;
      return deliver(() => on.refused(handshake.status));
    }
    deliver(() => link.opened());
    handshake.enter(link.serverEnd);
  });
  return link.clientEnd;
}

interface Frame {
  readonly data: string | Buffer;
  readonly binary: boolean;
}

class Link {
  over = false;
  /** Frames that are being sent; null when the next one begins a packet. */
  #packet: Frame[] | null = null;
  #isOpen = false;
  #callerGone = false;
  readonly #deliver: Deliver;
  readonly #on: DialEvents;
  readonly #server = new EventEmitter();
  readonly clientEnd: Dialled;
  readonly serverEnd: PeerSocket;

  constructor(deliver: Deliver, on: DialEvents) {
    this.#deliver = deliver;
    this.#on = on;
    this.clientEnd = {
      isOpen: () => this.#isOpen && !this.over,
      send: (text) => this.#fromClient(text),
      close: (code = 1000, reason = "") => this.#end(code, reason),
      terminate: () => this.#dropByClient(),
    };
    this.serverEnd = this.#serverEnd();
  }

  opened(): void {
    if (this.#callerGone) return;
    this.#isOpen = true;
    this.#on.open();
  }

  #serverEnd(): PeerSocket {
    const server = this.#server;
    const isOver = (): boolean => this.over;
    return {
      OPEN: 1,
      get readyState() {
        return isOver() ? 3 : 1;
      },
      bufferedAmount: 0,
      send: (data, { binary }) => this.#fromServer(data, binary),
      close: (code = 1000, reason = "") => this.#end(code, reason),
      terminate: () => this.#end(ABNORMAL, ""),
      on: (event, hear) => server.on(event, hear),
    };
  }

  #fromClient(text: string): void {
    if (this.over) return;
    if (Buffer.byteLength(text) > CLIENT_FRAME_MAX) return this.#end(TOO_LARGE, "");
    this.#deliver(() => {
      if (!this.over) this.#server.emit("message", text);
    });
  }

  /** What is sent in one go arrives together, as the frames of one packet do. */
  #fromServer(data: string | Buffer, binary: boolean): void {
    if (this.over) return;
    if (this.#packet) return void this.#packet.push({ data, binary });
    const packet: Frame[] = [{ data, binary }];
    this.#packet = packet;
    queueMicrotask(() => {
      this.#packet = null;
    });
    this.#deliver(() => {
      for (const frame of packet) if (this.#isOpen) this.#on.message(frame.data, frame.binary);
    });
  }

  /** Frames in flight still arrive before the close frame. */
  #end(code: number, reason: string): void {
    if (this.over) return;
    this.over = true;
    this.#deliver(() => {
      this.#isOpen = false;
      if (!this.#callerGone) this.#on.closed(code, reason);
    });
    this.#deliver(() => this.#server.emit("close"));
  }

  /** The client is gone at once and gets no more events; the service notices a little later. */
  #dropByClient(): void {
    this.#callerGone = true;
    this.#isOpen = false;
    if (this.over) return;
    this.over = true;
    this.#deliver(() => this.#server.emit("close"));
  }
}
