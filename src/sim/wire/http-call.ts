/** One HTTP exchange as the service sees it, whichever way its bytes travel. */
import type { IncomingHttpHeaders } from "node:http";

/** One request, its body not yet read. */
export interface HttpCall {
  readonly method: string;
  /** Path and query as the request line has them. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** A body over the cap is read to its end and forgotten, so that a reply can be sent. */
  body(capBytes: number): Promise<BodyRead>;
}

/** The body as text, or why it cannot be had. */
export type BodyRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** What goes back to the client. `body` is the exact text; faults may have damaged it on purpose. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The way back to the caller. The first call of any of these is the answer; later ones do nothing. */
export interface HttpAnswer {
  send(reply: RawReply): void;
  /** The head and the first half of the body, and then nothing more: a reply that hangs (fault R8). */
  sendHalf(reply: RawReply): void;
  /** Ends the connection without an answer. */
  cut(): void;
}
