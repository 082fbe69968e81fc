/** A whole service on the machine's own clock, raw bytes to throw at it, and a healthy client that is timed meanwhile. */
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import { systemClock } from "../../../../src/core/clock.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { timedIds } from "../../../../src/core/ids.ts";
import { silentLog } from "../../../../src/core/log.ts";
import { headerPayload, hmacHex, plainParams, signSocketLogin } from "../../../../src/net/sign.ts";
import { accountOfSeed } from "../../../../src/sim/servers/service/accounts.ts";
import { type SimService, startSimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";
import type { Message } from "../rig.ts";

export const clock = systemClock();
export const ORDER = "/api/v1/trading/order";

export interface Keys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Rates count by key, so each account has many: nobody meets the limit by what another did. */
const KEYS_EACH = 80;
const ACCOUNTS = ["healthy", "hostile"].map((name, serial) => ({
  ...accountOfSeed("hostile", serial + 1),
  keys: Array.from({ length: KEYS_EACH }, (_unused, place) => ({
    accessKey: `access-${name}-${place}`,
    secretKey: `secret-${name}-${place}`,
    permissions: ["read" as const, "trade" as const],
    allowList: [],
    kind: "portfolio" as const,
    status: "active" as const,
  })),
}));

const [healthyKeys = [], hostileKeys = []] = ACCOUNTS.map(({ keys }): Keys[] => [...keys]);

function take(keys: Keys[]): Keys {
  const next = keys.shift();
  if (!next) throw new RangeError("no key is left: raise KEYS_EACH");
  return next;
}
/** A key that nobody has used yet. */
export const healthyKey = (): Keys => take(healthyKeys);
export const hostileKey = (): Keys => take(hostileKeys);

export function startWhole(): Promise<SimService> {
  const entropy = seededEntropy("hostile");
  return startSimService({
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 2,
    seed: 11,
    accounts: ACCOUNTS,
    symbols: [BTC],
    modelLatencyMs: 0,
    // Small, so that tests need not send much before one who does not read is ended.
    slowReader: { conflateBytes: 100_000, closeBytes: 500_000, closeAfterMs: 2_000 },
  });
}

export const seconds = (): string => String(Math.floor(clock.nowMs() / 1_000));

export interface Answer {
  readonly status: number;
  readonly body: Message;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Sent as it stands in place of the parameters. */
  readonly bodyText?: string;
  /** Laid over the signed headers; "" takes one away. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly keys?: Keys;
}

/** A REST call, signed unless `headers` spoils it. */
export async function ask(service: SimService, given: Ask): Promise<Answer> {
  const { method, path, params = {}, keys = hostileKey() } = given;
  const plain = plainParams(params);
  if (!plain.ok) throw new Error(plain.error);
  const nonce = seconds();
  const inQuery = method === "GET" || method === "DELETE";
  const query = inQuery && plain.value.size > 0 ? `?${new URLSearchParams([...plain.value])}` : "";
  const body = given.bodyText ?? (inQuery ? undefined : JSON.stringify(params));
  const headers = Object.entries({
    "X-MBX-APIKEY": keys.accessKey,
    nonce,
    signature: hmacHex(keys.secretKey, headerPayload(plain.value, nonce)),
    "Content-Type": "application/json",
    ...given.headers,
  }).filter(([, value]) => value !== "");
  const response = await fetch(`${service.ready.restUrl}${path}${query}`, {
    method,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Message) };
}

/** A bare TCP connection; `received` grows as bytes come. */
export interface Bare {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<void>;
}

export function bare(service: SimService): Promise<Bare> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.ready.restUrl).port), "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString("latin1")));
    // The other side may reset; `closed` reports.
    socket.on("error", () => undefined);
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    socket.once("connect", () => resolve({ socket, received: () => text, closed }));
    socket.once("error", reject);
  });
}

/** One client frame of RFC 6455 with a mask of zeros, so that bytes can be sent that no library would. */
export function frameBytes(opcode: number, payload: Buffer, fin = true): Buffer {
  const first = (fin ? 0x80 : 0) | opcode;
  const mask = Buffer.alloc(4);
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, 0x80 | payload.length]), mask, payload]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length);
  return Buffer.concat([Buffer.from([first, 0x80 | 126]), length, mask, payload]);
}

export const handshake = (path: string, from = "203.0.113.9"): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${from}\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

export const loginOf = (keys: Keys, timestamp = seconds()): Message => ({
  action: "login",
  args: { apiKey: keys.accessKey, timestamp, sign: signSocketLogin(keys.secretKey, timestamp) },
});

/** Each name is an address of its own, so that connection limits do not mix. */
export function openSocket(url: string, from: string): WebSocket {
  const ws = new WebSocket(url, { headers: { "X-Forwarded-For": from }, perMessageDeflate: false });
  ws.on("error", () => undefined);
  return ws;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
