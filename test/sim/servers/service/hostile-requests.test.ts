/** Bad REST input of every kind, over real sockets: each gets its documented answer, and the service goes on. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";
import { type Ask, ask, bare, healthyKey, ORDER, seconds, startWhole } from "./hostile-rig.ts";

let service: SimService;
beforeAll(async () => {
  service = await startWhole();
});
afterAll(() => service.stop());
afterEach(async () => {
  const well = await ask(service, { method: "GET", path: "/api/v1/trading/account", keys: healthyKey() });
  expect(well.body.code).toBe(200000);
});

const order = { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "0.001" };
const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const post = (params: Readonly<Record<string, string>>): Ask => ({ method: "POST", path: ORDER, params });
const body = (bodyText: string): Ask => ({ method: "POST", path: ORDER, bodyText });
const spoilt = (headers: Readonly<Record<string, string>>): Ask => ({ ...post(order), headers });

const CODES: readonly (readonly [what: string, code: number, ask: Ask])[] = [
  ["no signature", 2000, spoilt({ signature: "" })],
  ["no nonce", 2000, spoilt({ nonce: "" })],
  ["no key", 2000, spoilt({ "X-MBX-APIKEY": "" })],
  ["a wrong signature", 2000, spoilt({ signature: "f".repeat(64) })],
  ["a signature that is no hex", 2000, spoilt({ signature: "\u00e9\u00e9\u00e9" })],
  ["an unknown key", 100018, spoilt({ "X-MBX-APIKEY": "nobody" })],
  ["a key that every object inherits", 100018, spoilt({ "X-MBX-APIKEY": "__proto__" })],
  ["a stale nonce", 7000, spoilt({ nonce: "1500000000" })],
  ["a nonce of milliseconds", 7000, spoilt({ nonce: `${seconds()}000` })],
  ["a nonce of words", 7000, spoilt({ nonce: "yesterday" })],
  ["malformed JSON", 400001, body('{"sym":')],
  ["a list for a body", 400001, body("[]")],
  ["a number for a body", 400001, body("5")],
  ["text that is not JSON", 400001, body("sym=BTC&side=BUY")],
  ["an empty body", 400001, body("")],
  ["a body nested 60,000 deep", 400001, body(nested(60_000))],
  ["a field nested 50,000 deep", 400001, body(`{"sym":${nested(50_000)}}`)],
  ["a body over the cap", 400001, body(JSON.stringify({ sym: "x".repeat(200_000) }))],
  ["an object for a field", 2000, body(JSON.stringify({ ...order, orderQty: { value: 1 } }))],
  ["a field named __proto__", 2000, body('{"__proto__":{"sym":"x"}}')],
  ["a malformed symbol", 400009, post({ ...order, sym: "BTCUSDT" })],
  ["an unknown side", 400001, post({ ...order, side: "HOLD" })],
  ["an inherited word for a side", 400001, post({ ...order, side: "constructor" })],
  ["no number for a quantity", 400001, post({ ...order, orderQty: "much" })],
  ["an immense exponent", 400001, post({ ...order, orderQty: "1e999999999" })],
  ["a quantity of 10,000 digits", 400001, post({ ...order, orderQty: "9".repeat(10_000) })],
  ["a negative quantity", 400001, post({ ...order, orderQty: "-1" })],
  ["NaN for a quantity", 400001, post({ ...order, orderQty: "NaN" })],
  ["a clientOrderId that is too long", 400001, post({ ...order, clientOrderId: "x".repeat(41) })],
];

describe("documented codes", () => {
  test.each(CODES)("%s is answered %i", async (_what, code, given) => {
    const answer = await ask(service, given);
    expect(answer.body.code, JSON.stringify(answer.body).slice(0, 300)).toBe(code);
    expect(answer.status).toBe(200);
    expect(String(answer.body.message).length).toBeLessThan(1_000);
  });

  test("none of them has left an order behind", async () => {
    const open = await ask(service, { method: "GET", path: "/api/v1/trading/orders" });
    expect(open.body).toMatchObject({ code: 200000, data: { list: [] } });
    const past = await ask(service, { method: "GET", path: "/api/v1/trading/history/orders" });
    expect(past.body).toMatchObject({ code: 200000, data: { list: [] } });
  });
});

test.each(["/", "/nowhere", "/constructor", "/__proto__/x", "/hasOwnProperty", "/api/v1/trading/order/..%2f", "/%00"])(
  "path %s is HTTP 404",
  async (path) => {
    expect((await ask(service, { method: "GET", path })).status).toBe(404);
    expect((await ask(service, { method: "PATCH", path })).status).toBe(404);
  },
);

describe("bytes that are hardly HTTP", () => {
  const head = "POST /api/v1/trading/order HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  test.each([
    [
      "binary garbage",
      Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x0d, 0x0a]),
      /^HTTP\/1.1 400/,
    ],
    ["a head of 40 KB", Buffer.from(`GET / HTTP/1.1\r\nX: ${"y".repeat(40_000)}\r\n\r\n`), /^HTTP\/1.1 431/],
    ["a malformed chunk", Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`), /^HTTP\/1.1 400/],
    ["two lengths", Buffer.from(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`), /^HTTP\/1.1 400/],
    [
      "a body of invalid UTF-8",
      Buffer.concat([Buffer.from(`${head}Content-Length: 4\r\n\r\n`), Buffer.from([0xff, 0xfe, 0xc3, 0x28])]),
      /^HTTP\/1.1 200[^]*"code":2000[,}]/,
    ],
  ])("%s is answered and closed", async (_what, bytes, expected) => {
    const { socket, received, closed } = await bare(service);
    socket.write(bytes);
    await closed;
    expect(received()).toMatch(expected);
  });

  test("a body that is cut off does nothing, and its socket ends", async () => {
    const { socket, closed } = await bare(service);
    socket.end(`${head}Content-Length: 500\r\n\r\n{"sym":`);
    await closed;
  });

  test("a body of 3 MB is not read to its end", async () => {
    const { socket, closed } = await bare(service);
    socket.write(`${head}Content-Length: 3000000\r\n\r\n`);
    for (let sent = 0; sent < 3_000_000 && !socket.destroyed; sent += 50_000) socket.write("x".repeat(50_000));
    await closed;
  });
});
