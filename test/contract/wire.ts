/** A raw WebSocket for cards: keeps every frame, and waits for the one that a card asks for. */
import { gunzipSync } from "node:zlib";
import { systemClock } from "../../src/core/clock.ts";
import { type Json, parseJson } from "./json.ts";
import type { RawSocket, Transport } from "./transport.ts";

export interface Frame {
  /** Parsed JSON, or null for a raw text such as `pong`. */
  readonly json: Json;
  readonly text: string;
  /** A binary frame, which must be GZIP. */
  readonly binary: boolean;
}

export interface Wire {
  say(message: unknown): void;
  sayText(text: string): void;
  /** The next frame that matches, counted from the one last returned; frames before it are passed over. */
  next(match: (frame: Frame) => boolean, what?: string): Promise<Frame>;
  /** A frame that matches, whether it came already or is still to come. */
  some(match: (frame: Frame) => boolean, what?: string): Promise<Frame>;
  /** Every frame so far. */
  seen(): readonly Frame[];
  readonly closed: Promise<Closed>;
  isOpen(): boolean;
  close(): void;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** The handshake was answered with an HTTP status instead. */
export interface Refused {
  readonly status: number;
}

/** Real time that a card waits for a frame. */
const PATIENCE_MS = 12_000;

const readFrame = (data: Buffer, binary: boolean): Frame => {
  const text = binary ? gunzipSync(data).toString("utf8") : data.toString("utf8");
  return { json: parseJson(text), text, binary };
};

export function openWire(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Wire | Refused> {
  return new Promise((resolve, reject) => {
    const frames: Frame[] = [];
    const wakers = new Set<() => void>();
    const wake = (): void => {
      for (const waker of [...wakers]) waker();
    };
    let end: (how: Closed) => void = () => undefined;
    const closed = new Promise<Closed>((reported) => (end = reported));
    let isClosed = false;
    const socket = transport.socket(url, headers, {
      open: () => resolve(wireOf({ socket, frames, wakers, closed, isClosed: () => isClosed })),
      message: (data, binary) => {
        frames.push(readFrame(typeof data === "string" ? Buffer.from(data) : data, binary));
        wake();
      },
      refused: (status) => resolve({ status }),
      closed: (code, reason) => {
        isClosed = true;
        end({ code, reason });
        wake();
      },
      failed: reject,
    });
  });
}

function wireOf(parts: {
  readonly socket: RawSocket;
  readonly frames: readonly Frame[];
  readonly wakers: Set<() => void>;
  readonly closed: Promise<Closed>;
  isClosed(): boolean;
}): Wire {
  const { socket, frames, wakers, closed } = parts;
  let cursor = 0;
  const find = (match: (frame: Frame) => boolean): Frame | undefined => {
    const index = frames.findIndex((frame, place) => place >= cursor && match(frame));
    if (index < 0) return undefined;
    cursor = index + 1;
    return frames[index];
  };
  const waitFor = (look: () => Frame | undefined, what = "a frame"): Promise<Frame> =>
    new Promise((resolve, reject) => {
      const last = (): string => frames.at(-1)?.text.slice(0, 300) ?? "nothing";
      const finish = (): void => {
        wakers.delete(attempt);
        giveUp();
      };
      const attempt = (): void => {
        const frame = look();
        if (!frame && !parts.isClosed()) return;
        finish();
        if (frame) resolve(frame);
        else reject(new Error(`socket closed while waiting for ${what}; last: ${last()}`));
      };
      const giveUp = systemClock().after(PATIENCE_MS, () => {
        wakers.delete(attempt);
        reject(new Error(`no ${what} within ${PATIENCE_MS} ms; last: ${last()}`));
      });
      wakers.add(attempt);
      attempt();
    });
  return {
    say: (message) => socket.send(JSON.stringify(message)),
    sayText: (text) => socket.send(text),
    seen: () => frames,
    closed,
    isOpen: () => socket.isOpen(),
    close: () => socket.close(),
    next: (match, what) => waitFor(() => find(match), what),
    some: (match, what) => waitFor(() => frames.find(match), what),
  };
}
