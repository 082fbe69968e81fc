/** A raw WebSocket for cards: keeps every frame, and waits for the one that a card asks for. */
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { systemClock } from "../../src/core/clock.ts";
import { type Json, parseJson } from "./json.ts";

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
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  isOpen(): boolean;
  close(): void;
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

export function openWire(url: string, headers: Readonly<Record<string, string>>): Promise<Wire | Refused> {
  const socket = new WebSocket(url, { headers: { ...headers }, perMessageDeflate: false });
  const frames: Frame[] = [];
  const wakers = new Set<() => void>();
  const wake = (): void => {
    for (const waker of [...wakers]) waker();
  };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => {
      resolve({ code, reason: reason.toString("utf8") });
      wake();
    });
  });
  socket.on("message", (data: Buffer, binary: boolean) => {
    frames.push(readFrame(data, binary));
    wake();
  });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("unexpected-response", (_request, response) => {
      resolve({ status: response.statusCode ?? 0 });
      socket.terminate();
    });
    socket.on("open", () => resolve(wireOf({ socket, frames, wakers, closed })));
  });
}

function wireOf(parts: {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  readonly wakers: Set<() => void>;
  readonly closed: Promise<{ code: number; reason: string }>;
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
        if (!frame && socket.readyState !== WebSocket.CLOSED) return;
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
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.close(),
    next: (match, what) => waitFor(() => find(match), what),
    some: (match, what) => waitFor(() => frames.find(match), what),
  };
}
