/** What a card has in its hands: raw calls with an account of its own, raw sockets, prices, and the service's time. */
import { expect } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { at, isObject, type Json, num, rows, text } from "./json.ts";
import { type Call, hmac, type Key, type Method, type Params, type Reply, send, signedCall } from "./rest-client.ts";
import type { Account, KeyKind, Service } from "./service.ts";
import { type SvcClient, svcClient } from "./svc-client.ts";
import type { Transport } from "./transport.ts";
import { openWire, type Refused, type Wire } from "./wire.ts";

export const BTC = "EXCHANGE_A_PERP_BTC_USDT";
export const ETH = "EXCHANGE_A_PERP_ETH_USDT";
export const BTC_B = "EXCHANGE_B_PERP_BTC_USDT";
/** For cards about queues, which push its price. */
export const DOGE = "EXCHANGE_A_PERP_DOGE_USDT";
export const BTC_SPOT = "EXCHANGE_A_SPOT_BTC_USDT";

export interface Rules {
  readonly tick: number;
  readonly decimals: number;
  readonly lot: number;
  readonly qtyDecimals: number;
  readonly minNotional: number;
  readonly contractSize: number;
}

export interface Venue {
  readonly clock: Clock;
  /** For cards that speak HTTP or open sockets past the helpers here. */
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly aiUrl: string;
  readonly aiKey: string;
  readonly account: Account;
  readonly addressHeaders: Readonly<Record<string, string>>;
  another(): Account;
  key(kind: KeyKind): Account;
  /** Unix seconds of the service, as the nonce header wants them. */
  nonce(shiftSeconds?: number): string;
  /** Waits in the service's time. */
  wait(ms: number): Promise<void>;
  /** Asks again until the value pleases, at most 8 real seconds. */
  until<T>(ask: () => Promise<T>, pleases: (value: T) => boolean, what: string): Promise<T>;
  call(method: Method, path: string, params?: Params, key?: Key): Promise<Reply>;
  get(path: string, params?: Params, key?: Key): Promise<Reply>;
  post(path: string, params?: Params, key?: Key): Promise<Reply>;
  put(path: string, params?: Params, key?: Key): Promise<Reply>;
  del(path: string, params?: Params, key?: Key): Promise<Reply>;
  raw(call: Call): Promise<Reply>;
  market(options?: { binary?: boolean; address?: string }): Promise<Wire>;
  user(options?: { key?: Key; onlyTrade?: boolean }): Promise<Wire>;
  rawSocket(surface: "market" | "user" | "feed", query?: string, address?: string): Promise<Wire | Refused>;
  feed(): Promise<Wire>;
  socketLogin(key: Key, timestamp: string): { apiKey: string; timestamp: string; sign: string };
  rules(symbol: string): Promise<Rules>;
  /** The best bid and ask of now. */
  touch(symbol: string): Promise<{ bid: number; ask: number }>;
  /** A limit order far from the touch, large enough for the minimum notional; overrides on top. */
  farOrder(overrides?: Params): Promise<Record<string, string | number | boolean>>;
  /** Opens a position by a market order and waits until it is filled. Answers the order record. */
  open(symbol: string, side: "LONG" | "SHORT", key?: Key): Promise<Json>;
  order(orderId: string, key?: Key): Promise<Json>;
  /** Waits until the order is in one of the states. */
  settled(orderId: string, states: readonly string[], key?: Key): Promise<Json>;
  /** The service's control port: faults, prices, news. Not part of the documents; it sets the stage. */
  control(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: Params | Readonly<Record<string, unknown>>,
  ): Promise<Json>;
  /** Moves the price of one symbol by a fraction of itself. Other cards see it too: use a symbol of your own. */
  push(symbol: string, move: number): Promise<void>;
  /** The client layer with the card's own account and a state folder of its own. */
  readonly svc: SvcClient;
  leave(): Promise<void>;
}

export const ORDER = "/api/v1/trading/order";

/** Success: HTTP status, code 200000, text, and `data`. Answers `data`. */
export function accepted(reply: Reply, status = 200): Json {
  expect(reply.text, "success expected").toContain('"code":200000');
  expect(reply.status).toBe(status);
  expect(typeof at(reply.body, "message")).toBe("string");
  expect(isObject(reply.body) && "data" in reply.body).toBe(true);
  return reply.data;
}

/** A business error: HTTP 200, the code as a JSON number, a text. Records §1.1. */
export function refused(reply: Reply, ...codes: readonly number[]): void {
  expect(codes, reply.text).toContain(at(reply.body, "code"));
  expect(reply.status).toBe(200);
  expect(reply.message.length).toBeGreaterThan(0);
}

/** Instruments whose touch the cards may ask for; the last four may be pushed about, one card each. */
const WATCHED = [
  BTC,
  ETH,
  BTC_B,
  BTC_SPOT,
  ...["SOL", "XRP", "LTC", "DOGE"].map((base) => `EXCHANGE_A_PERP_${base}_USDT`),
];

const nonceOf = (clock: Clock, shiftSeconds = 0): string => String(Math.floor(clock.nowMs() / 1000) + shiftSeconds);

/** 1 §5.3: timestamp, GET and /users/self/verify, without separators. */
const socketLoginOf = (key: Key, timestamp: string): { apiKey: string; timestamp: string; sign: string } => ({
  apiKey: key.accessKey,
  timestamp,
  sign: hmac(key.secretKey, `${timestamp}GET/users/self/verify`),
});

const rulesCache = new WeakMap<Service, Promise<ReadonlyMap<string, Rules>>>();
const tapCache = new WeakMap<Service, Promise<Wire>>();

async function loadRules(service: Service): Promise<ReadonlyMap<string, Rules>> {
  const auth = { key: service.account(), nonce: nonceOf(service.clock) };
  const reply = await send(
    service.transport,
    service.ready.restUrl,
    signedCall("GET", "/api/v1/trading/sym/info", {}, auth),
  );
  if (reply.code !== "200000") throw new Error(`the rules cannot be read: ${reply.text}`);
  return new Map(
    Object.entries(isObject(reply.data) ? reply.data : {}).map(([symbol, info]) => {
      const tick = num(at(info, "tickSize"));
      const lot = num(at(info, "lotSize"));
      return [
        symbol,
        {
          tick,
          lot,
          decimals: num(at(info, "pricePrecision")),
          qtyDecimals: num(at(info, "qtyPrecision")),
          minNotional: num(at(info, "minNotional")),
          contractSize: num(at(info, "contractSize")),
        },
      ];
    }),
  );
}

async function openTap(service: Service): Promise<Wire> {
  const wire = await openWire(service.transport, `${service.ready.marketWsUrl}?binary=false`, {
    "X-Forwarded-For": "198.51.100.1",
  });
  if ("status" in wire) throw new Error(`market stream refused the harness with ${wire.status}`);
  // More than five symbols need a login.
  wire.say({ action: "login", args: socketLoginOf(service.account(), nonceOf(service.clock)) });
  wire.say({ event: "subscribe", arg: [...WATCHED].map((sym) => ({ channel: "BBO", sym })) });
  service.clock.every(20_000, () => wire.isOpen() && wire.say({ ping: 1 }));
  return wire;
}

const cached = <T>(cache: WeakMap<Service, Promise<T>>, service: Service, make: () => Promise<T>): Promise<T> => {
  const known = cache.get(service) ?? make();
  cache.set(service, known);
  return known;
};

const isBboOf = (symbol: string) => (frame: { json: Json }) =>
  at(frame.json, "arg", "sym") === symbol && at(frame.json, "data", "bid") !== null;

export async function venueFor(service: Service, place: number): Promise<Venue> {
  const { clock, ready, transport } = service;
  const account = service.account();
  const address = `10.${Math.floor(place / 60_000)}.${Math.floor(place / 250) % 250}.${(place % 250) + 1}`;
  const addressHeaders = { "X-Forwarded-For": address };
  const wires: Wire[] = [];
  const svc = svcClient(service, account);
  const urls = { market: ready.marketWsUrl, user: ready.userWsUrl, feed: ready.feedsWsUrl };

  const nonce = (shiftSeconds = 0): string => nonceOf(clock, shiftSeconds);
  const raw = (call: Call): Promise<Reply> =>
    send(transport, ready.restUrl, { ...call, headers: { ...addressHeaders, ...call.headers } });
  const call = (method: Method, path: string, params: Params = {}, key: Key = account): Promise<Reply> =>
    raw(signedCall(method, path, params, { key, nonce: nonce() }));
  const rawSocket: Venue["rawSocket"] = async (surface, query = "", from = address) => {
    const wire = await openWire(transport, `${urls[surface]}${query}`, { "X-Forwarded-For": from });
    if (!("status" in wire)) wires.push(wire);
    return wire;
  };
  const opened = async (socket: Promise<Wire | Refused>): Promise<Wire> => {
    const wire = await socket;
    if ("status" in wire) throw new Error(`the handshake was refused with HTTP ${wire.status}`);
    return wire;
  };
  const until: Venue["until"] = async (ask, pleases, what) => {
    for (let attempt = 0; attempt < 80; attempt++) {
      const value = await ask();
      if (pleases(value)) return value;
      await clock.sleep(100 * clock.scale);
    }
    throw new Error(`${what} did not come to be: ${String(JSON.stringify(await ask())).slice(0, 400)}`);
  };
  const order: Venue["order"] = async (orderId, key = account) => (await call("GET", ORDER, { orderId }, key)).data;
  const settled: Venue["settled"] = (orderId, states, key = account) =>
    until(
      () => order(orderId, key),
      (record) => states.includes(text(at(record, "orderState"))),
      `order ${orderId} in ${states.join(" or ")}`,
    );
  const rules: Venue["rules"] = async (symbol) => {
    const found = (await cached(rulesCache, service, () => loadRules(service))).get(symbol);
    if (!found) throw new Error(`the service has no rules for ${symbol}`);
    return found;
  };
  const touch: Venue["touch"] = async (symbol) => {
    const tap = await cached(tapCache, service, () => openTap(service));
    const frame = await until(
      () => Promise.resolve(tap.seen().findLast(isBboOf(symbol))),
      (found) => found !== undefined,
      `a BBO of ${symbol}`,
    );
    const data = frame ? at(frame.json, "data") : null;
    return { bid: num(at(data, "bid")), ask: num(at(data, "ask")) };
  };
  const farOrder: Venue["farOrder"] = async (overrides = {}) => {
    const symbol = String(overrides.sym ?? BTC);
    const side = String(overrides.side ?? "BUY");
    const [{ bid }, r] = await Promise.all([touch(symbol), rules(symbol)]);
    const price = Math.floor((bid * (side === "BUY" ? 0.85 : 1.15)) / r.tick) * r.tick;
    const lots = Math.ceil((Math.max(r.minNotional, 5) * 1.2) / (price * r.contractSize) / r.lot);
    return {
      sym: symbol,
      side,
      positionSide: side === "BUY" ? "LONG" : "SHORT",
      orderType: "LIMIT",
      orderQty: (lots * r.lot).toFixed(r.qtyDecimals),
      limitPrice: price.toFixed(r.decimals),
      ...overrides,
    };
  };
  const open: Venue["open"] = async (symbol, side, key = account) => {
    const { orderQty } = await farOrder({ sym: symbol });
    const order = {
      sym: symbol,
      side: side === "LONG" ? "BUY" : "SELL",
      positionSide: side,
      orderType: "MARKET",
      orderQty: orderQty ?? "0",
    };
    const data = accepted(await call("POST", ORDER, order, key));
    return settled(text(at(data, "orderId")), ["FILLED"], key);
  };

  const control: Venue["control"] = async (method, path, body) => {
    const json =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const reply = await send(transport, ready.controlUrl.replace(/\/control\/?$/, ""), { method, path, ...json });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  return {
    clock,
    control,
    push: async (symbol, move) => void (await control("POST", "/control/price-path", { symbol, move, overMs: 0 })),
    transport,
    baseUrl: ready.restUrl,
    aiUrl: ready.aiUrl,
    aiKey: `ai-key-${account.id}`,
    account,
    addressHeaders,
    another: () => service.account(),
    key: (kind) => service.key(kind),
    nonce,
    wait: (ms) => clock.sleep(ms),
    until,
    call,
    get: (path, params, key) => call("GET", path, params, key),
    post: (path, params, key) => call("POST", path, params, key),
    put: (path, params, key) => call("PUT", path, params, key),
    del: (path, params, key) => call("DELETE", path, params, key),
    raw,
    rawSocket,
    market: ({ binary = false, address: from } = {}) =>
      opened(rawSocket("market", binary ? "" : "?binary=false", from)),
    feed: () => opened(rawSocket("feed")),
    user: async ({ key = account, onlyTrade } = {}) => {
      const wire = await opened(rawSocket("user"));
      const args = { ...socketLoginOf(key, nonce()), ...(onlyTrade === undefined ? {} : { onlyTrade }) };
      wire.say({ action: "login", args });
      const reply = await wire.next((frame) => at(frame.json, "event") === "login", "a login reply");
      expect(reply.json).toMatchObject({ code: 0 });
      return wire;
    },
    socketLogin: socketLoginOf,
    rules,
    touch,
    farOrder,
    open,
    order,
    settled,
    svc,
    leave: async () => {
      for (const wire of wires) wire.close();
      await svc.leave();
    },
  };
}

/** Rows of a list reply. */
export const listed = (reply: Reply): readonly Json[] => rows(accepted(reply));
