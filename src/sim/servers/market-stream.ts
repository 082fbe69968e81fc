/**
 * The public market-data WebSocket: connections, login, subscriptions and their limits. What is pushed is made by the
 * publisher. Spec: 1 §4.7, §6.1, §7.2, §8.2; records §10.
 */
import type { PeerSocket } from "./doors.ts";
import type { Clock } from "../../core/clock.ts";
import { MARKET_STREAM_LIMITS } from "../../protocol/limits.ts";
import type { FaultBoard } from "../faults/board.ts";
import type { ApiKey, KeyBook } from "./key-book.ts";
import { digestFor, LONG_BEAT_MS } from "./beat-digest.ts";
import { isRecord, parseJson } from "./http-io.ts";
import { MarketHub, type Follower } from "./market-hub.ts";
import { MarketPublisher } from "./market-publisher.ts";
import type { MarketSource } from "./market-source.ts";
import { readTopic, type ItemError, type Topic } from "./market-subscription.ts";
import type { Presence } from "./presence.ts";
import { sharedFrame } from "./shared-frame.ts";
import { slidingWindow, type SlidingWindow, WindowTable } from "./sliding-window.ts";
import { checkLogin, type LoginFailure } from "./stream-login.ts";
import { SLOW_READER, type SlowReaderLimits, StreamSocket, watchIdle } from "./stream-socket.ts";

const LIMITS = MARKET_STREAM_LIMITS;
const REQUESTS = { requests: LIMITS.subscribesPerSecond, perMs: 1_000 };
/** Items, not requests: what 11240 counts beside 11260. A bound on the work that one connection causes. */
const ITEMS = { requests: LIMITS.subscribedItemsPerSecond, perMs: 1_000 };

interface Client extends Follower {
  readonly socket: StreamSocket;
  readonly staleBooks: Set<string>;
  readonly topics: Map<string, Topic>;
  /** Made when the client first subscribes. */
  items: SlidingWindow | null;
  key: ApiKey | null;
  leave: (() => void) | null;
}

export interface MarketStreamGiven {
  readonly clock: Clock;
  /** The service's visible time. */
  readonly nowMs: () => number;
  readonly source: MarketSource;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly presence: Presence;
  readonly isFrozen: (accountId: string) => boolean;
  readonly slowReader?: SlowReaderLimits;
  readonly beatMs: number;
}

export class MarketStream {
  readonly hub: MarketHub;
  readonly publisher: MarketPublisher;
  readonly #given: MarketStreamGiven;
  readonly #clients = new Set<Client>();
  readonly #requests = new WindowTable({ cap: 2_000 });
  readonly #stops: (() => void)[] = [];

  constructor(given: MarketStreamGiven) {
    this.#given = given;
    this.hub = new MarketHub(given);
    const sink = given.beatMs > LONG_BEAT_MS ? digestFor(this.hub) : this.hub;
    this.publisher = new MarketPublisher({ ...given, sink });
  }

  start(): void {
    this.publisher.start();
    const { clock, beatMs } = this.#given;
    this.#stops.push(
      clock.every(Math.max(beatMs, LIMITS.bookEveryMs), () =>
        this.hub.mendBooks((symbol) => this.publisher.book(symbol)),
      ),
      watchIdle(clock, this.#clients, { idleMs: LIMITS.idleMs, everyMs: Math.max(beatMs, 1_000) }),
    );
  }

  stop(): void {
    this.publisher.stop();
    for (const stop of this.#stops.splice(0)) stop();
    this.disconnect();
  }

  /** Cuts every connection, or a share of them, without a farewell. Tells how many. */
  disconnect(keep: () => boolean = () => false): number {
    const cut = [...this.#clients].filter(() => !keep());
    for (const client of cut) client.socket.ws.terminate();
    return cut.length;
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** Takes an upgraded socket. `binary` is false where the URL asked for plain text. */
  accept(ws: PeerSocket, address: string, binary: boolean): void {
    const { clock, slowReader } = this.#given;
    const socket = new StreamSocket(ws, { address, binary, clock, limits: slowReader ?? SLOW_READER });
    const client: Client = { socket, staleBooks: new Set(), topics: new Map(), items: null, key: null, leave: null };
    if (this.#count(address, false) >= LIMITS.connectionsPerIp.anonymous) {
      return refuse(socket, "too many connections from this address");
    }
    this.#clients.add(client);
    socket.deaf = this.#given.faults.deafMarketSocket();
    socket.listen(
      (text) => this.#heard(client, text),
      (error) => say(client, { event: "error", code: 40000, msg: `internal error: ${String(error)}` }),
    );
    ws.on("close", () => this.#gone(client));
  }

  /** Makes the connections of now half-open: they stay, and nothing passes any more. */
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
    if (!isRecord(message)) return say(client, { event: "error", code: 11103, msg: "a frame must be a JSON object" });
    if (message.ping !== undefined) return say(client, { pong: Math.round(this.#given.nowMs()) });
    if (message.action === "login") return this.#login(client, message.args);
    if (message.event === "subscribe") return this.#subscribe(client, message.arg);
    if (message.event === "unsubscribe") return this.#unsubscribe(client, message.arg);
    // `action` is the form of what a key does, as on the user stream [guess]: 11230 until there is one.
    if (message.action !== undefined && !client.key) {
      return say(client, { event: "error", code: 11230, msg: "this connection is not authenticated: log in first" });
    }
    say(client, { event: "error", code: 11103, msg: "expected login, subscribe, unsubscribe or ping" });
  }

  #login(client: Client, args: unknown): void {
    const { keys, nowMs, isFrozen } = this.#given;
    const { address } = client.socket;
    const checked = checkLogin(args, { keys, address, isFrozen, nowMs: nowMs(), digits: [10, 13] });
    if (!checked.ok) {
      const { code, msg } = LOGIN_CODES[checked.error];
      return say(client, { event: "login", code, msg });
    }
    if (!client.key) {
      if (this.#count(address, true) >= LIMITS.connectionsPerIp.authenticated) {
        return refuse(client.socket, "too many authenticated connections from this address");
      }
      client.leave = this.#given.presence.entered(checked.value.accountId, "market");
    }
    client.key = checked.value;
    say(client, { event: "login", code: "200000", msg: "success" });
  }

  #subscribe(client: Client, arg: unknown): void {
    if (!this.#mayAsk(client, "subscribe")) return;
    const items = itemsOf(arg);
    if (!items) return say(client, { event: "subscribe", arg: [], code: 11103, msg: "arg must be a list of objects" });
    client.items ??= slidingWindow(ITEMS);
    if (!client.items.take(this.#given.clock.monotonicMs(), Math.max(1, items.length))) {
      return say(client, {
        event: "subscribe",
        arg: [],
        code: 11240,
        msg: `more than ${ITEMS.requests} items a second`,
      });
    }
    const outcome = new Outcome("subscribe");
    const begun: { topic: Topic; fresh: boolean }[] = [];
    for (const item of items) {
      const topic = readTopic(item, (symbol) => this.#given.source.spec(symbol) !== null);
      const refusal = topic.ok ? this.#refusal(client, topic.value) : topic.error;
      if (refusal || !topic.ok) outcome.bad(item, refusal ?? { code: 11103, msg: "invalid request" });
      else {
        outcome.good(item);
        begun.push({ topic: topic.value, fresh: this.#follow(client, topic.value) });
      }
    }
    for (const message of outcome.messages()) say(client, message);
    for (const { topic, fresh } of begun) if (fresh || topic.channel === "ORDER_BOOK") this.#greet(client, topic);
  }

  #refusal(client: Client, topic: Topic): ItemError | null {
    const refused = this.#given.faults.refuseSubscription(topic.channel, topic.symbol);
    if (refused) return refused;
    const symbols = new Set([...client.topics.values()].map((known) => known.symbol));
    const allowed = client.key ? LIMITS.pairsPerConnection.authenticated : LIMITS.pairsPerConnection.anonymous;
    if (symbols.has(topic.symbol) || symbols.size < allowed) return null;
    return { code: client.key ? 11220 : 11210, msg: `at most ${allowed} symbols on this connection` };
  }

  #follow(client: Client, topic: Topic): boolean {
    if (client.topics.has(topic.name)) return false;
    if (topic.channel === "ORDER_BOOK" && !this.hub.wanted("ORDER_BOOK", topic.symbol, null)) {
      this.publisher.book(topic.symbol)?.refresh();
    }
    client.topics.set(topic.name, topic);
    this.hub.follow(topic, client);
    return true;
  }

  #greet(client: Client, topic: Topic): void {
    const { channel, symbol, interval } = topic;
    const data =
      channel === "ORDER_BOOK"
        ? this.publisher.book(symbol)?.snapshot(Math.round(this.#given.nowMs()))
        : this.publisher.current(channel, symbol, interval);
    if (data) this.hub.greet(client, topic, data);
  }

  #unsubscribe(client: Client, arg: unknown): void {
    if (!this.#mayAsk(client, "unsubscribe")) return;
    const items = itemsOf(arg);
    if (!items)
      return say(client, { event: "unsubscribe", arg: [], code: 11103, msg: "arg must be a list of objects" });
    const outcome = new Outcome("unsubscribe");
    for (const item of items) {
      const topic = readTopic(item, () => true);
      if (!topic.ok) outcome.bad(item, topic.error);
      else if (!client.topics.delete(topic.value.name)) outcome.bad(item, { code: 11112, msg: "not subscribed" });
      else {
        this.hub.unfollow(topic.value.name, client);
        outcome.good(item);
      }
    }
    for (const message of outcome.messages()) say(client, message);
  }

  /** Subscribe and unsubscribe requests are counted together, per address. */
  #mayAsk(client: Client, event: string): boolean {
    const window = this.#requests.of(client.socket.address, REQUESTS);
    if (window.take(this.#given.clock.monotonicMs())) return true;
    say(client, { event, arg: [], code: 11260, msg: "more than 50 requests per second from this address" });
    return false;
  }
}

const LOGIN_CODES: Readonly<Record<LoginFailure, { code: string; msg: string }>> = {
  shape: { code: "11103", msg: "args must hold apiKey, timestamp and sign as text" },
  digits: { code: "11108", msg: "timestamp must have 10 digits (seconds) or 13 (milliseconds)" },
  skew: { code: "11108", msg: "timestamp is more than 60 seconds from the service's time" },
  key: { code: "11106", msg: "invalid access key" },
  address: { code: "11109", msg: "this address may not use the key" },
  signature: { code: "11107", msg: "invalid signature" },
  permission: { code: "11109", msg: "the key lacks the read permission" },
};

/** Collects good and bad items: one acknowledgement, and one message per distinct error. Records §10.2. */
class Outcome {
  readonly #event: string;
  readonly #good: unknown[] = [];
  readonly #bad = new Map<string, { error: ItemError; items: unknown[] }>();
  constructor(event: string) {
    this.#event = event;
  }
  good(item: unknown): void {
    this.#good.push(item);
  }
  bad(item: unknown, error: ItemError): void {
    const name = `${error.code}`;
    const known = this.#bad.get(name) ?? { error, items: [] };
    known.items.push(item);
    this.#bad.set(name, known);
  }
  messages(): readonly unknown[] {
    const bad = [...this.#bad.values()].map(({ error, items }) => ({ event: this.#event, arg: items, ...error }));
    if (this.#good.length === 0 && bad.length > 0) return bad;
    return [{ event: this.#event, arg: this.#good, code: 0 }, ...bad];
  }
}

const itemsOf = (arg: unknown): readonly unknown[] | null => {
  const items: unknown = isRecord(arg) ? [arg] : arg;
  return Array.isArray(items) && items.every(isRecord) ? (items as unknown[]) : null;
};

const say = (client: Client, message: unknown): void => client.socket.send(sharedFrame(JSON.stringify(message)));

function refuse(socket: StreamSocket, msg: string): void {
  socket.send(sharedFrame(JSON.stringify({ event: "error", code: 11200, msg })));
  socket.ws.close(1008, "11200");
}
