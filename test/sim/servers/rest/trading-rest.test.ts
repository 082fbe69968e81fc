import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { err, ok } from "../../../../src/core/result.ts";
import { BTC } from "../fake-exchange.ts";
import { ACCOUNT, KEY, type Rig, startRig } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.stop());

const ORDER = "/api/v1/trading/order";
const order = {
  sym: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  orderQty: "0.01",
  limitPrice: "60000",
  clientOrderId: "c-1",
};

const codeOf = async (call: Promise<{ body: { code?: number } }>): Promise<number | undefined> =>
  (await call).body.code;

test("a signed order reaches the exchange with its fields, and the reply is in the envelope", async () => {
  rig.fake.answer("place", () => ok({ orderId: "2190000000590001", clientOrderId: "c-1" }));
  const reply = await rig.call("POST", ORDER, order);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    code: 200000,
    message: "Success",
    data: { orderId: "2190000000590001", clientOrderId: "c-1" },
  });
  expect(rig.fake.asked).toEqual([{ command: "place", accountId: ACCOUNT, request: order }]);
});

test("asynchronous writes answer 202, business refusals 200 with their code", async () => {
  rig.fake.answer("order", () => err({ code: 401018, message: "Order not found" }));
  expect((await rig.call("DELETE", "/api/v1/trading/cancelAll", {})).status).toBe(202);
  const refused = await rig.call("GET", ORDER, { orderId: "2190000000590001" });
  expect(refused.status).toBe(200);
  expect(refused.body).toEqual({ code: 401018, message: "Order not found", data: {} });
});

describe("the checks in their order", () => {
  test("no headers 2000, unknown key 100018, frozen 100041, address 2001, nonce 7000, signature 2000", async () => {
    const bare = await fetch(`http://${rig.base}/api/v1/trading/account`);
    expect(await bare.json()).toMatchObject({ code: 2000 });
    const externalOrder = { accessKey: "nobody", secretKey: "x" };
    expect(await codeOf(rig.call("GET", ORDER, {}, { key: externalOrder, nonce: "1" }))).toBe(100018);
    const key = rig.keys.find(KEY.accessKey);
    if (!key) throw new Error("no key");
    key.status = "frozen";
    expect(await codeOf(rig.call("GET", ORDER, {}, { nonce: "1" }))).toBe(100041);
    key.status = "active";
    rig.fake.frozen.add(ACCOUNT);
    expect(await codeOf(rig.call("GET", ORDER, {}, { nonce: "1" }))).toBe(100041);
    rig.fake.frozen.clear();
    const far = { ...KEY, accessKey: "far-away", allowList: ["10.0.0.1"] };
    rig.keys.add(far);
    expect(await codeOf(rig.call("GET", ORDER, {}, { key: far, nonce: "1" }))).toBe(2001);
    expect(await codeOf(rig.call("GET", ORDER, {}, { nonce: "1" }))).toBe(7000);
    const wrong = { ...KEY, secretKey: "another" };
    expect(await codeOf(rig.call("GET", ORDER, {}, { key: wrong }))).toBe(2000);
  });

  test("the nonce is in seconds and at most 60 s off", async () => {
    const nowSec = Math.floor(rig.clock.nowMs() / 1_000);
    const path = "/api/v1/trading/orders";
    expect(await codeOf(rig.call("GET", path, {}, { nonce: String(nowSec - 60) }))).toBe(200000);
    expect(await codeOf(rig.call("GET", path, {}, { nonce: String(nowSec + 61) }))).toBe(7000);
    expect(await codeOf(rig.call("GET", path, {}, { nonce: `${nowSec}000` }))).toBe(7000);
  });

  test("permission comes before the rate, the rate before the parameters", async () => {
    const reader = { ...KEY, accessKey: "reads-only", permissions: ["read"] as const };
    rig.keys.add(reader);
    expect(await codeOf(rig.call("POST", ORDER, order, { key: reader }))).toBe(2003);
    expect(await codeOf(rig.call("GET", "/api/v1/broker/feeRate"))).toBe(2002);
    expect(await codeOf(rig.call("POST", ORDER, { side: "BUY" }))).toBe(400001);
    expect((await rig.call("POST", ORDER, { side: "BUY" })).status).toBe(429);
  });
});

test("rates are sliding windows per key and endpoint", async () => {
  const first = await rig.call("POST", ORDER, order);
  const second = await rig.call("POST", ORDER, order);
  expect([first.status, second.status]).toEqual([200, 429]);
  expect(second.body).toMatchObject({ code: 429 });
  expect(second.headers.get("retry-after")).toBe("5");
  expect((await rig.call("DELETE", ORDER, { clientOrderId: "c-1" })).status).toBe(200);
  const other = { ...KEY, accessKey: "another-key" };
  rig.keys.add(other);
  expect((await rig.call("POST", ORDER, order, { key: other })).status).toBe(200);
  await rig.clock.advance(4_999);
  expect((await rig.call("POST", ORDER, order)).status).toBe(429);
  await rig.clock.advance(1);
  expect((await rig.call("POST", ORDER, order)).status).toBe(200);
});

test("DELETE takes its parameters from a signed body or a signed query, and never from an unsigned one", async () => {
  await rig.call("DELETE", ORDER, { clientOrderId: "in-query" });
  await rig.clock.advance(5_000);
  await rig.call("DELETE", ORDER, { clientOrderId: "in-body" }, { inBody: true });
  await rig.clock.advance(5_000);
  await rig.call("DELETE", `${ORDER}?clientOrderId=smuggled`, { clientOrderId: "signed" }, { inBody: true });
  const ids = rig.fake.asked.map(({ request }) => (request as { clientOrderId: string }).clientOrderId);
  expect(ids).toEqual(["in-query", "in-body", "signed"]);
});

test("what cannot be read is refused with a documented code", async () => {
  expect((await rig.call("GET", "/api/v1/trading/nowhere")).status).toBe(404);
  expect(await codeOf(rig.call("POST", ORDER, {}, { bodyText: "{not json" }))).toBe(400001);
  expect(await codeOf(rig.call("POST", ORDER, {}, { bodyText: "[1]" }))).toBe(400001);
  expect(await codeOf(rig.call("POST", ORDER, {}, { bodyText: `{"a":"${"x".repeat(200_000)}"}` }))).toBe(400001);
  expect(await codeOf(rig.call("POST", ORDER, { ...order, sym: "btc" }))).toBe(400009);
  expect(rig.fake.asked).toEqual([]);
});

test("aliases are the same endpoint and share its rate", async () => {
  expect((await rig.call("GET", "/api/v1/trading/broker/positionBracket")).status).toBe(200);
  expect((await rig.call("GET", "/api/v1/trading/positionBracket")).status).toBe(429);
});

test("every write stands in the wire log, refused ones too, without secrets", async () => {
  await rig.call("POST", ORDER, order);
  await rig.call("POST", ORDER, order);
  await rig.call("GET", "/api/v1/trading/orders");
  const entries = rig.servers.wireLog.entries(10);
  expect(entries.map(({ call, result, accountId }) => [call, result, accountId])).toEqual([
    ["POST /api/v1/trading/order", "200000", ACCOUNT],
    ["POST /api/v1/trading/order", "429", ACCOUNT],
  ]);
  expect(entries[0]?.hash).toBe(entries[1]?.hash);
  expect(JSON.stringify(entries)).not.toContain(KEY.secretKey);
  expect(JSON.stringify(entries)).not.toContain(KEY.accessKey);
});
