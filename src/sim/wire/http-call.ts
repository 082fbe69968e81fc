/** One HTTP exchange as the service sees it, independent of the transport. */
import type { IncomingHttpHeaders } from "node:http";

/** One request, its body not yet read. */
export interface HttpCall {
  readonly method: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** A body over the cap is read to its end and discarded, so that a reply can be sent. */
  body(capBytes: number): Promise<BodyRead>;
}

/** The body as text, or why it is not available. */
export type BodyRead = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The reply to the client. `body` is the exact text; faults may have damaged it on purpose. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How to reply to the caller. Only the first call of any of these counts. */
export interface HttpAnswer {
  send(reply: RawReply): void;
  /** Sends the head and the first half of the body, and then nothing: a hanging reply (fault R8). */
  sendHalf(reply: RawReply): void;
  /** Ends the connection without a reply. */
  cut(): void;
  /** False once it was answered or cut, or the client has gone. */
  isAwaited(): boolean;
}
