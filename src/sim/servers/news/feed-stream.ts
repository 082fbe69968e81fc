/**
 * The public news stream: subscriptions, heartbeat, and the same bytes for every subscriber. It needs no login and
 * keeps no state across connections. Spec: 2 §4, §6, §7.2, §8; records §13.
 */
import { isRecord } from "../../../core/record.ts";
import type { PeerSocket } from "../transport/handlers.ts";
import type { Clock } from "../../../core/clock.ts";
import { FEED_STREAM_LIMITS } from "../../../protocol/limits.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { NewsMessage } from "../../faults/hooks.ts";
import { channelOf, type FeedStore } from "../../feed/feed-store.ts";
import { parseJson } from "../../wire/http-io.ts";
import { sharedFrame, SLOW_READER, StreamSocket } from "../transport/stream-socket.ts";

const CHANNELS: ReadonlySet<unknown> = new Set(["news.category.all", "news.hot.all"]);
const LIMITS = FEED_STREAM_LIMITS;

interface Client {
  readonly socket: StreamSocket;
  readonly channels: Set<string>;
}

/** The inputs of the stream, which follows the store from `start` on. */
export interface FeedStreamServerOptions {
  readonly clock: Clock;
  /** The service's visible time. */
  readonly nowMs: () => number;
  readonly store: FeedStore;
  readonly faults: FaultBoard;
}

/** Items go to all subscribers in one frame; a client that lags misses items and may query them. */
export class FeedStreamServer {
  readonly #options: FeedStreamServerOptions;
  readonly #clients = new Set<Client>();
  readonly #stops: (() => void)[] = [];

  constructor(options: FeedStreamServerOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, store } = this.#options;
    this.#stops.push(
      store.onItem((item) => {
        const channel = channelOf(item);
        if (channel) this.publish({ channel, data: { ...item } });
      }),
      clock.every(LIMITS.checkEveryMs, () => this.#closeSilent()),
    );
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.disconnect();
  }

  get connections(): number {
    return this.#clients.size;
  }

  disconnect(): number {
    const count = this.#clients.size;
    for (const { socket } of this.#clients) socket.ws.terminate();
    return count;
  }

  /** Whether one more connection from this address gets HTTP 429. */
  isFull(address: string): boolean {
    const open = [...this.#clients].filter(({ socket }) => socket.address === address).length;
    return open >= LIMITS.connectionsPerIp || this.#options.faults.refuseNewsHandshake();
  }

  accept(ws: PeerSocket, address: string): void {
    const socket = new StreamSocket(ws, { address, binary: false, clock: this.#options.clock, limits: SLOW_READER });
    const client: Client = { socket, channels: new Set() };
    this.#clients.add(client);
    socket.listen(
      (text) => this.#heard(client, text),
      () => client.socket.say(SERVER_ERROR),
    );
    ws.on("close", () => this.#clients.delete(client));
  }

  /** Broadcasts a message through the faults. */
  publish(message: NewsMessage): void {
    for (const changed of this.#options.faults.newsMessages(message)) this.release(changed);
  }

  /** Broadcasts a message without the faults. */
  release(message: NewsMessage): void {
    const frame = sharedFrame(JSON.stringify(message));
    for (const { socket, channels } of this.#clients) {
      if (channels.has(message.channel) && !socket.lagging()) socket.send(frame);
    }
  }

  #heard(client: Client, text: string): void {
    const message = parseJson(text);
    if (!isRecord(message)) return client.socket.say(SERVER_ERROR);
    if (message.ping !== undefined) {
      // Only a ping keeps the connection: 2 §8 counts "90 s without ping".
      client.socket.heard();
      return client.socket.say({ pong: Math.round(this.#options.nowMs()) });
    }
    const { event, arg } = message;
    if (event !== "subscribe" && event !== "unsubscribe") return client.socket.say(SERVER_ERROR);
    if (!Array.isArray(arg) || !arg.every(isRecord)) return client.socket.say(SERVER_ERROR);
    const items = arg as Record<string, unknown>[];
    const valid = items.filter(({ channel }) => CHANNELS.has(channel));
    for (const { channel } of valid) {
      if (event === "subscribe") client.channels.add(String(channel));
      else client.channels.delete(String(channel));
    }
    const invalid = items.filter(({ channel }) => !CHANNELS.has(channel));
    client.socket.say({ event, code: "0", msg: "success", arg: channelsOf(valid), invalidArg: channelsOf(invalid) });
  }

  #closeSilent(): void {
    for (const { socket } of this.#clients) {
      if (socket.idleMs() >= LIMITS.idleMs) socket.ws.close(1000, "heartbeat timeout");
    }
  }
}

const SERVER_ERROR = { event: "error", code: "500", msg: "Server Error" };

const channelsOf = (items: readonly Record<string, unknown>[]): { channel: unknown }[] =>
  items.map(({ channel }) => ({ channel }));
