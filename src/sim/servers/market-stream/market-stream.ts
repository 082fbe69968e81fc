/**
 * The public market-data WebSocket: connections, their limits and login. The publisher creates the pushes,
 * `subscriptions.ts` keeps the subscriptions. Spec: 1 §4.7, §6.1, §7.2, §8.2; records §10.
 */
import { isRecord } from "../../../core/record.ts";
import type { PeerSocket } from "../transport/handlers.ts";
import type { Clock } from "../../../core/clock.ts";
import { MARKET_STREAM_LIMITS } from "../../../protocol/limits.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { KeyBook } from "../access/key-book.ts";
import { digestFor, LONG_STEP_MS } from "./step-digest.ts";
import { parseJson } from "../../wire/http-io.ts";
import { MarketHub } from "./market-hub.ts";
import { MarketPublisher } from "./market-publisher.ts";
import type { MarketSource } from "./market-source.ts";
import type { Presence } from "../access/presence.ts";
import { checkLogin, type LoginFailure } from "../access/stream-login.ts";
import { SLOW_READER, type SlowReaderLimits, StreamSocket, watchIdle } from "../transport/stream-socket.ts";
import { type Subscriber, Subscriptions } from "./subscriptions.ts";

const LIMITS = MARKET_STREAM_LIMITS;
interface Client extends Subscriber {
  leave: (() => void) | null;
}

/** Without `slowReader` the limits are `SLOW_READER`. With steps over a second pushes are collected per step. */
export interface MarketStreamServerOptions {
  readonly clock: Clock;
  /** The service's visible time. */
  readonly nowMs: () => number;
  readonly source: MarketSource;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly presence: Presence;
  readonly isFrozen: (accountId: string) => boolean;
  readonly slowReader?: SlowReaderLimits;
  readonly stepMs: number;
}

/** Anonymous and logged-in connections; login raises the limits and counts for the account's uptime. */
export class MarketStreamServer {
  readonly hub: MarketHub;
  readonly publisher: MarketPublisher;
  readonly #options: MarketStreamServerOptions;
  readonly #clients = new Set<Client>();
  readonly #subscriptions: Subscriptions;
  readonly #stops: (() => void)[] = [];

  constructor(options: MarketStreamServerOptions) {
    this.#options = options;
    this.hub = new MarketHub(options);
    const sink = options.stepMs > LONG_STEP_MS ? digestFor(this.hub) : this.hub;
    this.publisher = new MarketPublisher({ ...options, sink });
    this.#subscriptions = new Subscriptions({ ...options, hub: this.hub, publisher: this.publisher });
  }

  start(): void {
    this.publisher.start();
    const { clock, stepMs } = this.#options;
    this.#stops.push(
      clock.every(Math.max(stepMs, LIMITS.bookEveryMs), () =>
        this.hub.mendBooks((symbol) => this.publisher.book(symbol)),
      ),
      watchIdle(clock, this.#clients, { idleMs: LIMITS.idleMs, everyMs: Math.max(stepMs, 1_000) }),
    );
  }

  stop(): void {
    this.publisher.stop();
    for (const stop of this.#stops.splice(0)) stop();
    this.disconnect();
  }

  /** Cuts every connection, or a part of them, without a close frame. Returns how many. */
  disconnect(keep: () => boolean = () => false): number {
    const cut = [...this.#clients].filter(() => !keep());
    for (const client of cut) client.socket.ws.terminate();
    return cut.length;
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Takes over an upgraded socket. `binary` is false if the URL asked for plain text. */
  accept(ws: PeerSocket, address: string, binary: boolean): void {
    const { clock, slowReader } = this.#options;
    const socket = new StreamSocket(ws, { address, binary, clock, limits: slowReader ?? SLOW_READER });
    const client: Client = { socket, staleBooks: new Set(), topics: new Map(), items: null, key: null, leave: null };
    if (this.#count(address, false) >= LIMITS.connectionsPerIp.anonymous) {
      return refuse(socket, "too many connections from this address");
    }
    this.#clients.add(client);
    socket.deaf = this.#options.faults.deafMarketSocket();
    socket.listen(
      (text) => this.#heard(client, text),
      (error) => client.socket.say({ event: "error", code: 40000, msg: `internal error: ${String(error)}` }),
    );
    ws.on("close", () => this.#gone(client));
  }

  /** Makes the current connections half-open: they stay open, but nothing passes any more. */
  deafen(): void {
    for (const client of this.#clients) client.socket.deaf = true;
  }

  #count(address: string, authenticated: boolean): number {
    let count = 0;
    for (const { socket, key } of this.#clients) {
      if (socket.address === address && (key !== null) === authenticated) count++;
    }
    return count;
  }

  #gone(client: Client): void {
    this.#clients.delete(client);
    for (const name of client.topics.keys()) this.hub.unfollow(name, client);
    client.leave?.();
  }

  #heard(client: Client, text: string): void {
    if (client.socket.deaf) return;
    client.socket.heard();
    const message = parseJson(text);
    if (!isRecord(message))
      return client.socket.say({ event: "error", code: 11103, msg: "a frame must be a JSON object" });
    if (message.ping !== undefined) return client.socket.say({ pong: Math.round(this.#options.nowMs()) });
    if (message.action === "login") return this.#login(client, message.args);
    if (message.event === "subscribe") return this.#subscriptions.subscribe(client, message.arg);
    if (message.event === "unsubscribe") return this.#subscriptions.unsubscribe(client, message.arg);
    // An `action` needs a login, as on the user stream [guess]: 11230 without one.
    if (message.action !== undefined && !client.key) {
      return client.socket.say({
        event: "error",
        code: 11230,
        msg: "this connection is not authenticated: log in first",
      });
    }
    client.socket.say({ event: "error", code: 11103, msg: "expected login, subscribe, unsubscribe or ping" });
  }

  #login(client: Client, args: unknown): void {
    const { keys, nowMs, isFrozen } = this.#options;
    const { address } = client.socket;
    const checked = checkLogin(args, { keys, address, isFrozen, nowMs: nowMs(), digits: [10, 13] });
    if (!checked.ok) {
      const { code, msg } = LOGIN_CODES[checked.error];
      return client.socket.say({ event: "login", code, msg });
    }
    if (!client.key) {
      if (this.#count(address, true) >= LIMITS.connectionsPerIp.authenticated) {
        return refuse(client.socket, "too many authenticated connections from this address");
      }
      client.leave = this.#options.presence.entered(checked.value.accountId, "market");
    }
    client.key = checked.value;
    client.socket.say({ event: "login", code: "200000", msg: "success" });
  }
}

const LOGIN_CODES: Readonly<Record<LoginFailure, { code: string; msg: string }>> = {
  shape: { code: "11103", msg: "args must hold apiKey, timestamp and sign as text" },
  digits: { code: "11108", msg: "timestamp must have 10 digits (seconds) or 13 (milliseconds)" },
  skew: { code: "11108", msg: "timestamp is more than 60 seconds from the service's time" },
  key: { code: "11106", msg: "invalid access key" },
  disabled: { code: "11106", msg: "API key disabled" },
  frozen: { code: "11106", msg: "API key frozen" },
  address: { code: "11109", msg: "this address may not use the key" },
  signature: { code: "11107", msg: "invalid signature" },
  permission: { code: "11109", msg: "the key lacks the read permission" },
};

function refuse(socket: StreamSocket, msg: string): void {
  socket.say({ event: "error", code: 11200, msg });
  socket.ws.close(1008, "11200");
}
