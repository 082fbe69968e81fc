/** Servers over a fake exchange on virtual time, with real sockets on a free port. */
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { timedIds } from "../../../src/core/ids.ts";
import { seededEntropy } from "../../../src/core/entropy.ts";
import { ok } from "../../../src/core/result.ts";
import { silentLog } from "../../../src/core/log.ts";
import { type VirtualClock, virtualClock } from "../../../src/core/virtual-clock.ts";
import { headerPayload, hmacHex, plainParams, signSocketLogin } from "../../../src/net/sign.ts";
import { ALL_FAULTS } from "../../../src/sim/faults/all.ts";
import { FaultBoard } from "../../../src/sim/faults/board.ts";
import { createFeedStore, type FeedStore } from "../../../src/sim/feed/feed-store.ts";
import { createModelGateway, type GatewayService } from "../../../src/sim/model/gateway.ts";
import { practiceKey } from "../../../src/sim/model/keys.ts";
import type { AnyFault } from "../../../src/sim/faults/fault.ts";
import { KeyBook, type ApiKey } from "../../../src/sim/servers/access/key-book.ts";
import type { Exchange } from "../../../src/sim/exchange/contract/api.ts";
import type { Tape } from "../../../src/sim/market/tape.ts";
import { startPulse } from "../../../src/sim/servers/service/pulse.ts";
import { faultWorld } from "../../../src/sim/servers/service/world.ts";
import { openPort } from "../../../src/sim/servers/transport/listening-port.ts";
import { openServers, type Servers } from "../../../src/sim/servers/service/open-servers.ts";
import type { RequestOutcome } from "../../../src/sim/servers/rest/rest-server.ts";
import type { SlowReaderLimits } from "../../../src/sim/servers/transport/stream-socket.ts";
import { type FakeExchange, fakeExchange, NOW_MS } from "./fake-exchange.ts";

export const AI_KEY = "sk-test-key-1";
export const ACCOUNT = "2188000000000001";

export const KEY: ApiKey = {
  accountId: ACCOUNT,
  accessKey: "access-key-1",
  secretKey: "secret-key-1",
  permissions: ["read", "trade"],
  kind: "portfolio",
  allowList: [],
  status: "active",
};

export interface PriceMove {
  readonly symbol: string;
  readonly move: number;
  readonly overMs: number;
}

/** How one call ended. */
export interface Watched extends RequestOutcome {
  readonly call: string;
}

export interface Rig {
  /** Calls that a fault may strike, as they end. */
  readonly watched: readonly Watched[];
  /** What the tape was asked to do. */
  readonly moves: readonly PriceMove[];
  readonly clock: VirtualClock;
  readonly fake: FakeExchange;
  readonly store: FeedStore;
  readonly gateway: GatewayService;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly servers: Servers;
  readonly port: number;
  readonly base: string;
  /** A signed REST call; parameters go into the query for GET and DELETE and into the body otherwise. */
  call(method: string, path: string, params?: Record<string, string>, how?: CallOptions): Promise<Reply>;
  socket(path: string, headers?: Record<string, string>): Promise<Client>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly key?: Pick<ApiKey, "accessKey" | "secretKey">;
  readonly nonce?: string;
  readonly bodyText?: string;
  readonly headers?: Record<string, string>;
  readonly inBody?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: { code?: number; message?: string; data?: unknown };
  readonly headers: Headers;
}

export async function startRig(
  given: {
    symbols?: readonly string[];
    faults?: readonly AnyFault[];
    slowReader?: SlowReaderLimits;
    /** A real exchange in the place of the fake one. */
    exchange?: Exchange;
  } = {},
): Promise<Rig> {
  const clock = virtualClock(NOW_MS);
  const entropy = seededEntropy(1);
  const env = { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) };
  const fake = fakeExchange(given.symbols);
  const keys = new KeyBook();
  keys.add({ ...KEY });
  const exchange = given.exchange ?? fake.exchange;
  const store = createFeedStore();
  const gateway = createModelGateway({ clock, entropy, keys: [practiceKey(AI_KEY)], latency: { minMs: 0, maxMs: 0 } });
  const faults = new FaultBoard({ faults: given.faults ?? [], clock, log: silentLog });
  const watched: Watched[] = [];
  const servers = openServers({
    env,
    log: silentLog,
    exchange,
    store,
    gateway,
    keys,
    faults,
    wireLogFile: null,
    watchCall: (kind) =>
      faults.restReach(kind) === null
        ? null
        : (end) => void watched.push({ call: `${kind.method} ${kind.path}`, ...end }),
    ...(given.slowReader ? { slowReader: given.slowReader } : {}),
  });
  const listening = await openPort(servers.handlers, { host: "127.0.0.1", port: 0 });
  const moves: PriceMove[] = [];
  const tape: Tape = {
    symbols: exchange.symbols,
    start: () => undefined,
    step: () => undefined,
    push: (symbol, move, overMs) => moves.push({ symbol, move, overMs }) > 0,
    past: () => [],
  };
  faults.plugIn(faultWorld({ env, exchange, tape, store, gateway, keys, servers }));
  const stopPulse = startPulse({ clock, exchange, tape });
  const base = `127.0.0.1:${listening.port}`;
  const clients: Client[] = [];
  return {
    clock,
    fake,
    store,
    gateway,
    keys,
    faults,
    servers,
    port: listening.port,
    base,
    call: (method, path, params = {}, how = {}) => signedCall({ base, clock }, { method, path, params, how }),
    socket: async (path, headers = {}) => {
      const client = new Client(new WebSocket(`ws://${base}${path}`, { headers }));
      clients.push(client);
      await client.opened();
      return client;
    },
    moves,
    watched,
    stop: async () => {
      faults.stop();
      stopPulse();
      for (const client of clients) client.ws.terminate();
      await servers.stop();
      await listening.stop();
    },
  };
}

/** Takes every fault, and its venue knows one order. */
export async function startFaultyRig(): Promise<Rig> {
  const rig = await startRig({ faults: ALL_FAULTS });
  rig.fake.answer("place", () => ok({ orderId: "2190000000590001", clientOrderId: "c" }));
  rig.fake.answer("order", () => ok({ orderId: "2190000000590001", fee: "0.25", createAt: String(NOW_MS) }));
  return rig;
}

async function signedCall(
  { base, clock }: { base: string; clock: VirtualClock },
  { method, path, params, how }: { method: string; path: string; params: Record<string, string>; how: CallOptions },
): Promise<Reply> {
  const { accessKey, secretKey } = how.key ?? KEY;
  const nonce = how.nonce ?? String(Math.floor(clock.nowMs() / 1_000));
  const plain = plainParams(params);
  if (!plain.ok) throw new Error(plain.error);
  const inQuery = how.inBody ? false : method === "GET" || method === "DELETE";
  const query = inQuery && plain.value.size > 0 ? `?${new URLSearchParams([...plain.value])}` : "";
  const body = how.bodyText ?? (inQuery ? undefined : JSON.stringify(params));
  const response = await fetch(`http://${base}${path}${query}`, {
    method,
    headers: {
      "X-MBX-APIKEY": accessKey,
      nonce,
      signature: hmacHex(secretKey, headerPayload(plain.value, nonce)),
      "Content-Type": "application/json",
      ...how.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, text, body: safeJson(text), headers: response.headers };
}

function safeJson(text: string): Reply["body"] {
  try {
    return JSON.parse(text) as Reply["body"];
  } catch {
    return {};
  }
}

export type Message = Record<string, unknown>;

/** A test's socket: keeps every frame, and hands them out one by one. */
export class Client {
  readonly ws: WebSocket;
  readonly raw: Buffer[] = [];
  readonly #waiting: ((message: Message | string) => void)[] = [];
  readonly #inbox: (Message | string)[] = [];
  readonly #opened: Promise<unknown>;
  closed: { code: number } | null = null;

  constructor(ws: WebSocket) {
    this.ws = ws;
    this.#opened = once(ws, "open");
    ws.on("error", () => undefined);
    ws.on("close", (code) => (this.closed = { code }));
    ws.on("message", (data: Buffer, isBinary) => {
      this.raw.push(data);
      const text = (isBinary ? gunzipSync(data) : data).toString("utf8");
      const message = text === "pong" ? text : (JSON.parse(text) as Message);
      const next = this.#waiting.shift();
      if (next) next(message);
      else this.#inbox.push(message);
    });
  }
  opened(): Promise<unknown> {
    return this.#opened;
  }
  send(message: unknown): void {
    this.ws.send(typeof message === "string" ? message : JSON.stringify(message));
  }
  next(): Promise<Message> {
    const ready = this.#inbox.shift();
    if (ready !== undefined) return Promise.resolve(ready as Message);
    return new Promise((resolve) => this.#waiting.push(resolve as (message: Message | string) => void));
  }
  async ask(message: unknown): Promise<Message> {
    this.send(message);
    return this.next();
  }
  /** Everything that is there already. A ping and its answer make sure that what was sent before has arrived. */
  async drained(): Promise<Message[]> {
    this.send({ ping: 1 });
    const all: Message[] = [];
    for (let message = await this.next(); message.pong === undefined; message = await this.next()) all.push(message);
    return all;
  }
  closing(): Promise<number> {
    if (this.closed) return Promise.resolve(this.closed.code);
    return once(this.ws, "close").then(([code]) => code as number);
  }
}

export function loginArgs(
  clock: VirtualClock,
  key: Pick<ApiKey, "accessKey" | "secretKey"> = KEY,
  digits = 10,
): Message {
  const timestamp = digits === 10 ? String(Math.floor(clock.nowMs() / 1_000)) : String(Math.floor(clock.nowMs()));
  return { apiKey: key.accessKey, timestamp, sign: signSocketLogin(key.secretKey, timestamp) };
}

/** Lets sockets do their work until something holds; the test's own time-out is the limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets virtual time pass, a millisecond at a turn, until the promise has an answer. */
export async function settled<T>(rig: Pick<Rig, "clock">, promise: Promise<T>): Promise<T> {
  let done = false;
  const end = (): void => void (done = true);
  promise.then(end, end);
  while (!done) {
    await rig.clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}
