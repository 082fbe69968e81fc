/** One WebSocket without a network: two ends in one process, each meeting what it would meet on a real one. */
import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { CLIENT_FRAME_MAX, type Doors, type PeerSocket, shakeHands } from "./doors.ts";

/** Hands something over to the other side, later and in order. */
export type Deliver = (arrive: () => void) => void;

/** What the calling end hears. After `refused` or `closed` it hears nothing more. */
export interface DialEvents {
  open(): void;
  /** Text as text: turning it into bytes and back again would be work for nobody. */
  message(data: Buffer | string, binary: boolean): void;
  refused(status: number): void;
  closed(code: number, reason: string): void;
}

/** The calling end. `send` drops what comes after the end; `terminate` gives no farewell. */
export interface Dialled {
  isOpen(): boolean;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

/** What the handshake sees of the caller. `target` is path and query. */
export interface Dialling {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

/** RFC 6455: no close frame came; a frame was too large. */
const ABNORMAL = 1006;
const TOO_LARGE = 1009;

/** Answers at once; `open` or `refused` is heard later, by way of `deliver`. */
export function dial(doors: Doors, call: Dialling, deliver: Deliver, on: DialEvents): Dialled {
  const link = new Link(deliver, on);
  deliver(() => {
    if (link.over) return;
    const handshake = shakeHands(doors, call);
    if (handshake.kind === "refused") {
      link.over = true;
      return deliver(() => on.refused(handshake.status));
    }
    deliver(() => link.opened());
    handshake.enter(link.serverEnd);
  });
  return link.clientEnd;
}

class Link {
  over = false;
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

  #fromServer(data: string | Buffer, binary: boolean): void {
    if (this.over) return;
    this.#deliver(() => {
      if (this.#isOpen) this.#on.message(data, binary);
    });
  }

  /** Frames on their way still arrive before the farewell. */
  #end(code: number, reason: string): void {
    if (this.over) return;
    this.over = true;
    this.#deliver(() => {
      this.#isOpen = false;
      if (!this.#callerGone) this.#on.closed(code, reason);
    });
    this.#deliver(() => this.#server.emit("close"));
  }

  /** The caller is gone at once and hears nothing more; the service learns of it a little later. */
  #dropByClient(): void {
    this.#callerGone = true;
    this.#isOpen = false;
    if (this.over) return;
    this.over = true;
    this.#deliver(() => this.#server.emit("close"));
  }
}
