/** Bad frames of every kind on the three WebSockets: a documented code or a clean close, and nobody else suffers. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";
import { bare, clock, frameBytes, handshake, hostileKey, loginOf, openSocket, startWhole } from "./hostile-rig.ts";
import { Client, type Message } from "../rig.ts";

let service: SimService;
const clients: Client[] = [];
let serial = 0;

beforeAll(async () => {
  service = await startWhole();
});
afterAll(() => service.stop());
afterEach(() => {
  for (const { ws } of clients.splice(0)) ws.terminate();
});

type Door = "market" | "user" | "feed";
const DOORS: readonly Door[] = ["market", "user", "feed"];
const urlOf = (door: Door): string =>
  ({
    market: `${service.ready.marketWsUrl}?binary=false`,
    user: service.ready.userWsUrl,
    feed: service.ready.feedsWsUrl,
  })[door];

async function opened(door: Door): Promise<Client> {
  const client = new Client(openSocket(urlOf(door), `203.0.113.${++serial}`));
  clients.push(client);
  await client.opened();
  return client;
}

/** Whether a newcomer is served. */
async function isWell(door: Door): Promise<void> {
  const client = await opened(door);
  client.send(door === "user" ? "ping" : { ping: 1 });
  const answer = await client.next();
  if (door === "user") expect(answer).toBe("pong");
  else expect(typeof answer.pong).toBe("number");
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const deep = `{"a":${nested(60_000)}}`;

/** What the three doors say to a frame that they cannot read. Market 1 §7.2, user records §11.1, feed 2 §7.2. */
const UNREADABLE: Readonly<Record<Door, Message>> = {
  market: { event: "error", code: 11103 },
  user: { event: "error", code: 400001 },
  feed: { event: "error", code: "500" },
};

describe.each(DOORS)("on the %s stream", (door) => {
  test.each([
    ["plain words", "hello"],
    ["half an object", '{"event":"sub'],
    ["a list", "[1,2]"],
    ["a number", "5"],
    ["nothing", ""],
    ["brackets 60,000 deep", deep],
    ["control characters", "\u0000\u0001\u001f"],
  ])("%s is answered and the connection stays", async (_what, text) => {
    const client = await opened(door);
    expect(await client.ask(text)).toMatchObject(UNREADABLE[door]);
    await client.ask(text);
    expect(client.closed).toBeNull();
    await isWell(door);
  });

  test("binary garbage is answered as unreadable", async () => {
    const client = await opened(door);
    client.ws.send(Buffer.from([0x1f, 0x8b, 0x08, 0xff, 0x00, 0xfe]));
    expect(await client.next()).toMatchObject(UNREADABLE[door]);
    await isWell(door);
  });

  test.each([
    ["a text frame of invalid UTF-8", () => frameBytes(1, Buffer.from([0xff, 0xfe, 0xc3, 0x28])), 1007],
    ["a reserved opcode", () => frameBytes(3, Buffer.from("x")), 1002],
    ["a ping frame that is too long", () => frameBytes(9, Buffer.alloc(200)), 1002],
    ["a frame without a mask", () => Buffer.from([0x81, 0x02, 0x68, 0x69]), 1002],
    ["compressed bits that were not agreed on", () => Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x41]), 1002],
  ])("%s closes cleanly", async (_what, bytes, code) => {
    const { socket, received, closed } = await bare(service);
    socket.write(handshake(new URL(urlOf(door)).pathname, `198.51.100.${++serial % 250}`));
    await once(socket, "data");
    socket.write(bytes());
    await closed;
    // The last frame is the close frame: header, length 2, code.
    const last = Buffer.from(received(), "latin1").subarray(-4);
    expect([...last]).toEqual([0x88, 2, code >> 8, code & 0xff]);
    await isWell(door);
  });

  test("an oversize frame closes with 1009", async () => {
    const client = await opened(door);
    client.send("x".repeat(300_000));
    expect(await client.closing()).toBe(1009);
    await isWell(door);
  });

  test("a flood of frames closes with 1008", async () => {
    const client = await opened(door);
    for (let sent = 0; sent < 12_000; sent++) client.send('{"ping":1}');
    expect(await client.closing()).toBe(1008);
    await isWell(door);
  });

  test("a handshake that never ends, and one that lets go, harm nobody", async () => {
    const halves = await Promise.all([bare(service), bare(service)]);
    for (const { socket } of halves) socket.write("GET /feeds/v2/public HTTP/1.1\r\nHost: x\r\nUpgr");
    await isWell(door);
    for (const { socket } of halves) socket.destroy();
    const half = await bare(service);
    half.socket.write(handshake(new URL(urlOf(door)).pathname, `198.51.100.${++serial % 250}`));
    await once(half.socket, "data");
    half.socket.write(frameBytes(1, Buffer.from('{"pi'), false));
    half.socket.destroy();
    await isWell(door);
  });
});

const MARKET_CODES: readonly (readonly [what: string, code: number, message: unknown])[] = [
  ["arg is a number", 11103, { event: "subscribe", arg: 5 }],
  ["arg holds texts", 11103, { event: "subscribe", arg: ["BBO"] }],
  ["a channel that is an object", 11101, { event: "subscribe", arg: [{ channel: {}, sym: BTC }] }],
  ["an inherited word for a channel", 11101, { event: "subscribe", arg: [{ channel: "constructor", sym: BTC }] }],
  ["a symbol that is a number", 11100, { event: "subscribe", arg: [{ channel: "BBO", sym: 7 }] }],
  ["an interval that is a list", 11102, { event: "subscribe", arg: [{ channel: "KLINE", sym: BTC, interval: [] }] }],
  ["an unknown event", 11103, { event: "explode" }],
  ["an action without login", 11230, { action: "place_order", args: {} }],
];

test.each(MARKET_CODES)("market: %s is answered %i", async (_what, code, message) => {
  const client = await opened("market");
  expect(await client.ask(message)).toMatchObject({ code });
});

test.each([
  ["args that are a text", { action: "login", args: "let me in" }, 601009],
  ["no args", { action: "login" }, 601009],
  ["a timestamp of milliseconds", loginOf({ accessKey: "a", secretKey: "b" }, "1700000000000"), 601016],
  ["an unknown key", loginOf({ accessKey: "a", secretKey: "b" }), 601009],
  ["an order before the login", { id: "1", action: "place_order", args: {} }, 601009],
  ["an inherited word for an action", { id: "1", action: "__proto__", args: {} }, 601009],
])("user: %s is answered", async (_what, message, code) => {
  const client = await opened("user");
  expect(await client.ask(message)).toMatchObject({ code });
});

test("user: actions with bad args are refused by their codes", async () => {
  const client = await opened("user");
  expect(await client.ask(loginOf(hostileKey()))).toMatchObject({ code: 0 });
  for (const [action, args, code] of [
    ["__proto__", {}, 400001],
    ["place_order", 5, 400001],
    ["place_order", { sym: BTC, side: ["BUY"], orderType: "MARKET", orderQty: "1" }, 400001],
    ["place_order", { sym: "nonsense" }, 400009],
    ["cancel_order", { orderId: { $gt: "" } }, 400001],
    ["cancel_order", { orderId: "2190999999999999" }, 401018],
    ["replace_order", {}, 400001],
  ] as const) {
    expect(await client.ask({ id: "x", action, args }), JSON.stringify(args)).toMatchObject({ id: "x", code });
  }
});

test("a login storm is held to one a second for the key, and another key gets in at once", async () => {
  const key = hostileKey();
  const storm = await opened("user");
  for (let count = 0; count < 200; count++) storm.send(loginOf(key));
  const codes: unknown[] = [];
  while (codes.length < 200) codes.push((await storm.next()).code);
  expect(codes.filter((code) => code === 0).length).toBeLessThan(4);
  expect(codes.every((code) => code === 0 || code === 601009)).toBe(true);
  expect(await (await opened("user")).ask(loginOf(hostileKey()))).toMatchObject({ code: 0 });
});

const marketSockets = async (): Promise<number> => {
  const response = await fetch(`${service.ready.controlUrl}/sockets`);
  return ((await response.json()) as { market: number }).market;
};

test("one who asks and never reads is ended; the memory that he holds is bounded", async () => {
  while ((await marketSockets()) > 0) await clock.sleep(10);
  const client = await opened("market");
  client.ws.pause();
  // Each request is answered by a text of its own size.
  const arg = Array.from({ length: 900 }, () => ({ channel: "x".repeat(200), sym: BTC }));
  for (let count = 0; count < 49; count++) client.send({ event: "unsubscribe", arg });
  while ((await marketSockets()) > 0) {
    client.send({ ping: 1 });
    await clock.sleep(20);
  }
  await isWell("market");
});
