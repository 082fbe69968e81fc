import { afterEach, describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { VenuePort } from "../../src/domain/venue-calls.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { account } from "../../src/protocol/trading/account.ts";
import { setLeverage } from "../../src/protocol/trading/set-leverage.ts";
import {
  type TestClient,
  testClient,
  BTC,
  ETH,
  expectedSignature,
  failure,
  type Heard,
  type Said,
  success,
} from "./venue-server.ts";

const open: TestClient[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
async function venue(answer: (request: Heard, nth: number) => Said, scale = 1): Promise<TestClient> {
  const made = await testClient(answer, scale);
  open.push(made);
  return made;
}

const order: PlaceOrder = {
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "LIMIT",
  qty: dec("0.010"),
  limitPrice: dec("60000.0"),
  timeInForce: "GTX",
  reduceOnly: false,
  clientOrderId: "intent-1",
};
const placed = success({ orderId: "2190000000590001", clientOrderId: "intent-1" });

test("the client fits the desk's port", async () => {
  const { client } = await venue(() => placed);
  const port: VenuePort = client;
  expect(port.placeOrder).toBe(client.placeOrder);
});

describe("what goes out", () => {
  test("POST signs and sends the body's fields; decimals are plain text", async () => {
    const { client, heard } = await venue(() => placed);
    expect(await client.placeOrder(order)).toMatchObject({ kind: "done", value: { orderId: "2190000000590001" } });
    expect(JSON.parse(heard[0]?.body ?? "")).toEqual({
      sym: BTC,
      side: "BUY",
      positionSide: "LONG",
      orderType: "LIMIT",
      orderQty: "0.01",
      limitPrice: "60000",
      timeInForce: "GTX",
      clientOrderId: "intent-1",
    });
    expect(heard[0]?.headers["x-mbx-apikey"]).toBe("access-key");
    expect(heard[0]?.headers["nonce"]).toMatch(/^\d{10}$/);
    expect(heard[0]?.headers["signature"]).toBe(expectedSignature(heard[0] as Heard));
  });
  test("GET and DELETE sign and send the query", async () => {
    const { client, heard } = await venue(({ method }) =>
      method === "GET" ? failure(401018, "Order not found") : success({ orderId: "2190000000590001" }),
    );
    await client.order({ clientOrderId: "intent-1" });
    await client.cancelOrder({ orderId: "2190000000590001" });
    expect(heard.map(({ method, path, query, body }) => [method, path, query, body])).toEqual([
      ["GET", "/api/v1/trading/order", { clientOrderId: "intent-1" }, ""],
      ["DELETE", "/api/v1/trading/order", { orderId: "2190000000590001" }, ""],
    ]);
    for (const request of heard) expect(request.headers["signature"]).toBe(expectedSignature(request));
  });
  test("numbers and booleans keep their form in the body and are signed as text", async () => {
    const { client, heard } = await venue(() => ({ ...success({}), status: 202 }));
    expect(await client.call(setLeverage, { sym: BTC, leverage: 2 })).toMatchObject({ kind: "done", value: {} });
    expect(heard[0]?.body).toBe(`{"sym":"${BTC}","leverage":2}`);
    expect(heard[0]?.headers["signature"]).toBe(expectedSignature(heard[0] as Heard));
  });
  test("a request that breaks its schema never leaves, and the message names the field", async () => {
    const { client, heard } = await venue(() => placed);
    const outcome = await client.placeOrder({ ...order, clientOrderId: "a&side=SELL" });
    expect(outcome).toMatchObject({ kind: "not-sent" });
    if (outcome.kind === "not-sent") expect(outcome.message).toContain("clientOrderId must be");
    expect(heard).toEqual([]);
  });
});

describe("what the answer to a write proves", () => {
  const cases: readonly [string, Said, string][] = [
    ["a documented refusal", failure(401023, "Insufficient margin"), "rejected"],
    ["a documented refusal as text", { json: { code: "401017", message: "", data: {} } }, "rejected"],
    ["an undocumented code", failure(987654, "?"), "unknown"],
    ["the service's own failure code", failure(40000, "internal"), "unknown"],
    ["5xx", { status: 503, text: "" }, "unknown"],
    ["5xx with a refusal inside", { ...failure(401018, "Order not found"), status: 500 }, "unknown"],
    ["an HTML page", { text: "<html>ok</html>" }, "unknown"],
    ["cut JSON", { text: '{"code":200000,"data":{"orde' }, "unknown"],
    ["success without the order's id", success({}), "unknown"],
    ["some other JSON", { json: { status: "ok" } }, "unknown"],
    ["a connection cut after the request", { cut: true }, "unknown"],
    ["HTTP 429", { status: 429, text: "" }, "rate-limited"],
    ["429 in the body", { json: { code: 429, message: "too many", data: null } }, "rate-limited"],
  ];
  test.each(cases)("%s", async (_name, said, kind) => {
    const { client, heard } = await venue(() => said);
    expect((await client.placeOrder(order)).kind).toBe(kind);
    expect(heard).toHaveLength(1);
  });
  test("a refusal carries the code and never an empty message", async () => {
    const { client } = await venue(() => ({ json: { code: 401017, message: "", data: {} } }));
    const outcome = await client.placeOrder(order);
    expect(outcome).toMatchObject({ kind: "rejected", code: "401017" });
    if (outcome.kind === "rejected") expect(outcome.message).not.toBe("");
  });
  test("HTTP 429 reports when to come back and holds the next one", async () => {
    const { client, heard } = await venue(() => ({ status: 429, text: "", headers: { "Retry-After": "20" } }));
    await client.placeOrder(order);
    const next = await client.placeOrder({ ...order, clientOrderId: "intent-2" });
    expect(next.kind).toBe("rate-limited");
    expect(heard).toHaveLength(1);
  });
  test("a refused amend is a value, so that the caller sees that the original order is gone", async () => {
    const { client } = await venue(() => success({ orderId: "2190000000590001", orderState: "CANCELLED" }));
    const outcome = await client.amendOrder({ orderId: "2190000000590001" }, { price: dec("59900") });
    expect(outcome).toMatchObject({ kind: "done", value: { state: "CANCELLED" } });
  });
  test("close-all that left a position open names it with the venue's reason", async () => {
    const row = { sym: ETH, positionSide: "SHORT", orderId: "", success: "false", errorMsg: "busy" };
    const { client } = await venue(() => ({ ...success([row]), status: 202 }));
    const outcome = await client.closeAllPositions("EXCHANGE_A");
    expect(outcome).toMatchObject({ kind: "done", value: { notClosed: [`${ETH} SHORT: busy`] } });
  });
  test("an opening order over the limit is refused by ourselves when it would wait too long; nothing is sent", async () => {
    const { client, heard } = await venue(() => placed);
    const all = await Promise.all([0, 1, 2].map((n) => client.call(account, {}, { patienceMs: n === 0 ? 100 : 0 })));
    expect(all.slice(1).map((outcome) => outcome.kind)).toEqual(["rate-limited", "rate-limited"]);
    expect(heard.length).toBeLessThanOrEqual(1);
  });
});

describe("reads", () => {
  test("are tried again after a failure, and the log says so", async () => {
    const { client, heard, lines } = await venue(
      (_request, nth) => (nth < 3 ? { status: 502, text: "bad gateway" } : success([])),
      100,
    );
    expect(await client.positions()).toMatchObject({ kind: "done", value: [] });
    expect(heard).toHaveLength(3);
    expect(lines.filter((line) => line.evt === "venue.retry")).toHaveLength(2);
  });
  test("a client that was closed asks nobody again: it would keep a stopped process waiting", async () => {
    const { client, lines } = await venue(() => ({ status: 502, text: "bad gateway" }), 100);
    const read = client.positions();
    await client.close();
    expect((await read).kind).not.toBe("done");
    expect(lines.filter((line) => line.evt === "venue.retry")).toEqual([]);
  });
  test("a refusal is final", async () => {
    const { client, heard } = await venue(() => failure(401018, "Order not found"));
    expect(await client.order({ clientOrderId: "x" })).toMatchObject({ kind: "rejected", code: "401018" });
    expect(heard).toHaveLength(1);
  });
  test("lists are read to their last page, from pages and from plain arrays", async () => {
    const record = (orderId: string) => ({
      orderId,
      orderState: "OPEN",
      sym: BTC,
      side: "BUY",
      orderQty: "1",
      executedQty: "0",
    });
    const { client, heard } = await venue(({ query, path }) =>
      path.includes("algo")
        ? success([])
        : success({ page: query.page, pageSize: 1000, pageNum: 2, totalSize: 2, list: [record(`id-${query.page}`)] }),
    );
    const orders = await client.openOrders(BTC);
    expect(orders.kind === "done" && orders.value.map((each) => each.orderId)).toEqual(["id-1", "id-2"]);
    expect(heard.map(({ query }) => query.page)).toEqual(["1", "2"]);
    expect(await client.openAlgos()).toMatchObject({ kind: "done", value: [] });
  });
  test("one unsound figure makes the answer unknown, with the field", async () => {
    const { client } = await venue(() => success([{ exchangeType: "EXCHANGE_A", equity: "1e3" }]), 100);
    const outcome = await client.account();
    expect(outcome).toMatchObject({ kind: "unknown" });
    if (outcome.kind === "unknown") expect(outcome.message).toContain("equity");
  });
  test.each([
    ["EXCHANGE_A", { kind: "unknown", message: expect.stringContaining("equity") as string }],
    ["EXCHANGE_B", { kind: "done", value: [{ exchange: "EXCHANGE_A", equity: dec("1") }] }],
  ])("an empty equity of %s counts only where the operator names that exchange", async (empty, outcome) => {
    const rows = ["EXCHANGE_A", "EXCHANGE_B"].map((exchangeType) => ({
      exchangeType,
      equity: exchangeType === empty ? "" : "1",
    }));
    const { client } = await venue(() => success(rows), 100);
    expect(await client.account()).toMatchObject(outcome);
  });
  test("accounts of exchanges that the operator does not name are left out", async () => {
    const rows = ["EXCHANGE_A", "EXCHANGE_B"].map((exchangeType) => ({ exchangeType, equity: "1" }));
    const { client } = await venue(() => success(rows));
    const outcome = await client.account();
    expect(outcome.kind === "done" && outcome.value.map((each) => each.exchange)).toEqual(["EXCHANGE_A"]);
  });
});

describe("the venue's time", () => {
  const marks = (time: number): Said => success([{ sym: BTC, markPrice: "60000", time }]);

  test("is measured from the answer's Date and signs the nonce from then on", async () => {
    const aheadMs = 30_000;
    const { client, heard } = await venue(() => ({
      ...marks(Date.now() + aheadMs),
      headers: { Date: new Date(Date.now() + aheadMs).toUTCString() },
    }));
    expect(client.clockOffset().uncertaintyMs).toBe(Number.POSITIVE_INFINITY);
    expect((await client.measureClock()).kind).toBe("done");
    const { offsetMs, uncertaintyMs } = client.clockOffset();
    expect(Math.abs(offsetMs - aheadMs)).toBeLessThan(1_500);
    expect(uncertaintyMs).toBeLessThan(1_500);
    await client.markPrices();
    const nonce = Number(heard[1]?.headers["nonce"]);
    expect(Math.abs(nonce - (Date.now() + aheadMs) / 1_000)).toBeLessThan(3);
  });
  test("a Date of another clock yields to the time of the marks", async () => {
    const venueMs = Date.UTC(2027, 0, 1);
    const { client } = await venue(() => marks(venueMs));
    await client.measureClock();
    const { offsetMs, uncertaintyMs } = client.clockOffset();
    expect(Math.abs(Date.now() + offsetMs - venueMs)).toBeLessThan(4_000);
    expect(uncertaintyMs).toBeGreaterThan(1_000);
  });
  test("marks that stand still do not set the venue's clock back", async () => {
    const { client, heard } = await venue(() => marks(Date.now() - 300_000));
    await client.measureClock();
    expect(Math.abs(client.clockOffset().offsetMs)).toBeLessThan(1_500);
    await client.markPrices();
    expect(Math.abs(Number(heard[1]?.headers["nonce"]) - Date.now() / 1_000)).toBeLessThan(3);
  });
  test("refused with 7000, it is measured again by itself", async () => {
    const aheadMs = 120_000;
    const { client, heard } = await venue(({ headers }) => {
      const skewMs = Math.abs(Date.now() + aheadMs - Number(headers["nonce"]) * 1_000);
      const date = { headers: { Date: new Date(Date.now() + aheadMs).toUTCString() } };
      return { ...(skewMs > 60_000 ? failure(7000, "nonce") : marks(Date.now() + aheadMs)), ...date };
    });
    expect(await client.markPrices()).toMatchObject({ kind: "rejected", code: "7000" });
    await client.measureClock();
    expect(await client.markPrices()).toMatchObject({ kind: "done" });
    expect(heard.length).toBeLessThanOrEqual(3);
  });
});
