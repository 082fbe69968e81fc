/**
 * A WebSocket that reconnects by itself: back-off, heartbeat, silence watchdog, frames as parsed JSON. It has no send
 * queue: a message that cannot be sent now is refused, and the owner sends what matters after each `onOpen`.
 * Channels, logins and orders belong to the owner. Spec: 1 §4.7, §4.8, §8.2, §8.3; 2 §8.
 */
import type { Clock, Stop } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Backoff, decorrelatedBackoff } from "./retry.ts";
import type { Connection } from "./connection.ts";
import { type FrameRefusal, frameJson, frameText, isGzip, isPong } from "./frames.ts";
import { sharedInflater } from "./inflate.ts";
import { type NetEnv, type Network, networkOf } from "./network.ts";
import { watchConnection } from "./watch-connection.ts";

/** `json`: `{"ping": ms}` answered by `{"pong": ms}`; `text`: the bare words ping and pong. */
export interface Heartbeat {
  readonly style: "json" | "text";
  readonly everyMs: number;
}

/** Times are on the given clock, so that they scale with a faster practice clock. */
export interface SocketOptions {
  readonly url: string;
  /** For the log. */
  readonly name: string;
  readonly heartbeat: Heartbeat;
  /** The connection is given up after this time without any message. */
  readonly silenceMs: number;
  /** Shortest wait after the service refused the handshake with 429. Default 30,000. */
  readonly crowdedWaitMs?: number;
  readonly on: SocketEvents;
}

/** The owner's listeners. They must not throw: no caller could handle it. */
export interface SocketEvents {
  open(): void;
  /**
   * The first `length` of these bytes are a frame as it was sent, inflated, before anything is parsed; they change with the next
   * frame. True if it is dealt with; otherwise `frame` follows with the same frame, parsed.
   */
  bytes?(bytes: Uint8Array, length: number, atMs: number): boolean;
  /** A parsed frame other than a heartbeat, with our time of arrival. */
  frame(value: unknown, atMs: number): void;
  down(reason: string): void;
  /** The service's time from a pong, with our times of sending and receiving. */
  pong?(venueMs: number, sentAtMs: number, receivedAtMs: number): void;
}

/** For status and uptime. Counts cover the life of the object, not of one connection. */
export interface SocketHealth {
  readonly state: "stopped" | "connecting" | "up" | "down";
  /** Why the socket is not up; empty when it is. */
  readonly reason: string;
  readonly connects: number;
  readonly frames: number;
  readonly refusedFrames: number;
  readonly lastFrameAtMs: number | null;
}

/** A socket to one address, over as many connections as needed. */
export interface Socket {
  start(): void;
  stop(): void;
  /** True if the text went to a connected socket. False means it was not and will not be sent. */
  send(message: object | string): boolean;
  /** Closes this connection and opens a new one, no earlier than `atLeastMs` from now. */
  rebuild(reason: string, atLeastMs?: number): void;
  health(): SocketHealth;
}

const STABLE_MS = 20_000;
/** This many unreadable frames end a connection. */
const REFUSED_FRAMES_MAX = 20;
const REFUSED_LOGGED_MAX = 3;
const CROWDED_WAIT_MS = 30_000;

/** A socket that is idle until `start`. */
export const createSocket = (env: NetEnv, log: Log, options: SocketOptions): Socket =>
  new ReconnectingSocket(env, log, options);

class ReconnectingSocket implements Socket {
  readonly #clock: Clock;
  readonly #network: Network;
  readonly #log: Log;
  readonly #options: SocketOptions;
  readonly #backoff: Backoff;
  #state: SocketHealth["state"] = "stopped";
  #reason = "";
  #connection: Connection | null = null;
  #stopWait: Stop = () => undefined;
  #stopTimers: Stop = () => undefined;
  #connects = 0;
  #frames = 0;
  #refused = 0;
  /** Unreadable frames of this connection. */
  #refusedHere = 0;
  #lastFrameAtMs: number | null = null;
  /** Monotonic ms. */
  #upSince = 0;
  #lastHeard = 0;
  #pingedAtMs = 0;

  constructor(env: NetEnv, log: Log, options: SocketOptions) {
    this.#clock = env.clock;
    this.#network = networkOf(env);
    this.#log = log;
    this.#options = options;
    this.#backoff = decorrelatedBackoff(env.entropy.fork(`socket:${options.name}`), 500, 30_000);
  }

  start(): void {
    if (this.#state === "stopped") this.#open();
  }
  stop(): void {
    this.#stopWait();
    this.#stopTimers();
    this.#connection?.abandon();
    this.#connection = null;
    this.#state = "stopped";
    this.#reason = "stopped";
  }
  send(message: object | string): boolean {
    if (this.#state !== "up" || !this.#connection) return false;
    return this.#connection.send(typeof message === "string" ? message : JSON.stringify(message));
  }
  rebuild(reason: string, atLeastMs = 0): void {
    const closing = this.#connection;
    if (!closing) return;
    closing.abandon();
    this.#lost(reason, atLeastMs);
  }
  health(): SocketHealth {
    return {
      state: this.#state,
      reason: this.#reason,
      connects: this.#connects,
      frames: this.#frames,
      refusedFrames: this.#refused,
      lastFrameAtMs: this.#lastFrameAtMs,
    };
  }

  #open(): void {
    this.#state = "connecting";
    this.#connects++;
    this.#lastHeard = this.#clock.monotonicMs();
    this.#refusedHere = 0;
    this.#connection = this.#network.connect(this.#options.url, {
      open: () => this.#opened(),
      message: (data) => this.#heard(data),
      frame: (chunk, from, to) => this.#heardIn(chunk, from, to),
      closed: (reason, retryAfterMs) => this.#closed(reason, retryAfterMs),
    });
    this.#stopTimers = this.#watch();
  }
  #opened(): void {
    const { name } = this.#options;
    this.#state = "up";
    this.#reason = "";
    this.#upSince = this.#lastHeard = this.#clock.monotonicMs();
    this.#log.event("info", "stream.up", `${name} is connected`, { stream: name });
    this.#ping();
    this.#options.on.open();
  }
  #closed(reason: string, retryAfterMs: number | null): void {
    const crowdedWaitMs = this.#options.crowdedWaitMs ?? CROWDED_WAIT_MS;
    this.#lost(reason, retryAfterMs === null ? 0 : Math.max(retryAfterMs, crowdedWaitMs));
  }
  #lost(reason: string, atLeastMs: number): void {
    const { name, on } = this.#options;
    this.#connection = null;
    this.#stopTimers();
    const wasUp = this.#state === "up";
    this.#state = "down";
    this.#reason = reason;
    if (wasUp && this.#clock.monotonicMs() - this.#upSince > STABLE_MS) this.#backoff.reset();
    const waitMs = Math.max(this.#backoff.nextMs(), atLeastMs);
    const fields = { stream: name, reason, retryInMs: Math.round(waitMs) };
    // Log the loss at a visible level, and the failing attempts after it at a lower one.
    this.#log.event(
      wasUp ? "warn" : "debug",
      "stream.down",
      `${name} is down: ${reason}; next try in ${(waitMs / 1_000).toFixed(1)} s`,
      fields,
    );
    this.#stopWait = this.#clock.after(waitMs, () => this.#open());
    if (wasUp) on.down(reason);
  }

  #watch(): Stop {
    const { name, silenceMs, heartbeat } = this.#options;
    const pace = { silenceMs, pingEveryMs: heartbeat.everyMs, stepMs: this.#network.stepMs ?? 0 };
    return watchConnection(this.#clock, pace, {
      lastHeardMs: () => this.#lastHeard,
      ping: () => this.#ping(),
      jumped: (ms) => this.rebuild(`the process or its clock jumped by ${ms} ms`),
      silent: (silentMs) => {
        const text = `${name} is silent for ${(silentMs / 1_000).toFixed(1)} s`;
        this.#log.event("warn", "stream.stale", text, { stream: name, silentMs });
        this.rebuild(`silent for ${silentMs} ms`);
      },
    });
  }
  #ping(): void {
    if (this.#state !== "up") return;
    this.#pingedAtMs = this.#clock.nowMs();
    const { style } = this.#options.heartbeat;
    this.#connection?.send(style === "text" ? "ping" : JSON.stringify({ ping: Math.floor(this.#pingedAtMs) }));
  }

  #heard(data: Buffer | string): void {
    return typeof data === "string" ? this.#read(data, this.#arrived()) : this.#heardIn(data, 0, data.length);
  }
  #heardIn(chunk: Buffer, from: number, to: number): void {
    const atMs = this.#arrived();
    if (!this.#isDealtWith(chunk, from, to, atMs)) this.#read(chunk.subarray(from, to), atMs);
  }
  #arrived(): number {
    this.#lastHeard = this.#clock.monotonicMs();
    this.#frames++;
    return (this.#lastFrameAtMs = this.#clock.nowMs());
  }
  #isDealtWith(chunk: Buffer, from: number, to: number, atMs: number): boolean {
    const { on } = this.#options;
    if (!on.bytes) return false;
    if (!isGzip(chunk, from, to)) return on.bytes(from === 0 ? chunk : chunk.subarray(from), to - from, atMs);
    const inflater = sharedInflater();
    const length = inflater?.inflate(chunk, from, to) ?? -1;
    return inflater !== null && length !== -1 && on.bytes(inflater.bytes, length, atMs);
  }
  #read(data: Buffer | string, atMs: number): void {
    const { on } = this.#options;
    const text = frameText(data);
    if (!text.ok) return this.#refuse(text.error);
    if (text.value === "pong" || text.value === "ping") return;
    const json = frameJson(text.value);
    if (!json.ok) return this.#refuse(json.error);
    if (isPong(json.value)) on.pong?.(json.value.pong, this.#pingedAtMs, atMs);
    else on.frame(json.value, atMs);
  }
  #refuse(refusal: FrameRefusal): void {
    const { name } = this.#options;
    this.#refused++;
    this.#refusedHere++;
    const fields = { stream: name, ...refusal, refused: this.#refused };
    if (this.#refusedHere <= REFUSED_LOGGED_MAX)
      this.#log.event("warn", "frame.refused", `${name} sent an unreadable frame`, fields);
    if (this.#refusedHere > REFUSED_FRAMES_MAX) this.rebuild(`${this.#refusedHere} unreadable frames`);
  }
}
