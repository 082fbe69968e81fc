import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { systemClock } from "../../../../src/core/clock.ts";
import { seededEntropy } from "../../../../src/core/entropy.ts";
import { timedIds } from "../../../../src/core/ids.ts";
import { silentLog } from "../../../../src/core/log.ts";
import { headerPayload, hmacHex, plainParams, signSocketLogin } from "../../../../src/net/sign.ts";
import { type SimService, startSimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";
import { Client, type Message } from "../rig.ts";

let service: SimService;
const clock = systemClock();

beforeAll(async () => {
  const entropy = seededEntropy(7);
  service = await startSimService({
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: 7,
    symbols: [BTC],
    modelLatencyMs: 1,
  });
});
afterAll(() => service.stop());

const seconds = (): string => String(Math.floor(clock.nowMs() / 1_000));

async function rest(method: string, path: string, params: Record<string, string> = {}): Promise<Message> {
  const nonce = seconds();
  const plain = plainParams(params);
  if (!plain.ok) throw new Error(plain.error);
  const isRead = method === "GET" || method === "DELETE";
  const query = isRead && plain.value.size > 0 ? `?${new URLSearchParams([...plain.value])}` : "";
  const response = await fetch(`${service.ready.restUrl}${path}${query}`, {
    method,
    headers: {
      "X-MBX-APIKEY": service.ready.accessKey,
      nonce,
      signature: hmacHex(service.ready.secretKey, headerPayload(plain.value, nonce)),
    },
    ...(isRead ? {} : { body: JSON.stringify(params) }),
  });
  return (await response.json()) as Message;
}

async function control(method: string, path: string, body?: unknown): Promise<Message> {
  const response = await fetch(`${service.ready.controlUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as Message) };
}

async function userSocket(): Promise<Client> {
  const client = new Client(new WebSocket(service.ready.userWsUrl));
  await client.opened();
  const timestamp = seconds();
  const { accessKey, secretKey } = service.ready;
  const args = { apiKey: accessKey, timestamp, sign: signSocketLogin(secretKey, timestamp) };
  expect(await client.ask({ action: "login", args })).toMatchObject({ code: 0 });
  return client;
}

test("the ready line says on which exchange the money is", () => {
  expect(service.ready.usdtByExchange).toEqual({ EXCHANGE_A: "1000" });
});

test("a market order goes in by REST and comes back by push, query, position and ledger", async () => {
  const user = await userSocket();
  expect(await rest("POST", "/api/v1/trading/position/leverage", { sym: BTC, leverage: "2" })).toMatchObject({
    code: 200000,
  });
  const placed = await rest("POST", "/api/v1/trading/order", {
    sym: BTC,
    side: "BUY",
    positionSide: "LONG",
    orderType: "MARKET",
    orderQty: "0.002",
    clientOrderId: "whole-1",
  });
  expect(placed).toMatchObject({ code: 200000, data: { clientOrderId: "whole-1" } });
  const pushes: Message[] = [];
  while (!pushes.some(({ channel }) => channel === "Assets")) pushes.push(await user.next());
  expect(pushes.filter(({ channel }) => channel === "Orders").at(-1)).toMatchObject({
    data: { clientOrderId: "whole-1", orderState: "FILLED", executedQty: "0.002" },
  });
  expect(await rest("GET", "/api/v1/trading/order", { clientOrderId: "whole-1" })).toMatchObject({
    data: { orderState: "FILLED", exchangeOrderType: "MARKET" },
  });
  expect(await rest("GET", "/api/v1/trading/position", { sym: BTC })).toMatchObject({
    data: [{ sym: BTC, positionSide: "LONG", positionQty: "0.002" }],
  });
  const ledger = await control("GET", "/ledger");
  expect(Object.values(ledger.totals as object).every((total) => total === "0")).toBe(true);
  const wire = (await control("GET", "/wire-log?limit=5")) as { entries?: Message[] };
  expect(wire.entries?.map(({ call, result }) => `${String(call)} ${String(result)}`)).toContain(
    "POST /api/v1/trading/order 200000",
  );
  user.ws.terminate();
});

test("the market stream shows a living market", async () => {
  const client = new Client(new WebSocket(service.ready.marketWsUrl));
  await client.opened();
  const arg = ["ORDER_BOOK", "TICKER", "MARK_PRICE", "BBO", "TRADE"].map((channel) => ({ channel, sym: BTC }));
  expect(await client.ask({ event: "subscribe", arg })).toMatchObject({ event: "subscribe", code: 0 });
  const seen = new Set<unknown>();
  const seqs: number[] = [];
  while (seen.size < 5 || seqs.length < 4) {
    const { arg: topic, data } = (await client.next()) as { arg: { channel: string }; data: { seq: number } };
    seen.add(topic.channel);
    if (topic.channel === "ORDER_BOOK") seqs.push(data.seq);
  }
  expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i));
  client.ws.terminate();
});

describe("the control port", () => {
  test("lists itself, and refuses foreign hosts and origins", async () => {
    const listing = await control("GET", "");
    expect((listing.routes as { path: string }[]).map(({ path }) => path)).toContain("/control/price-path");
    const foreign = await fetch(`${service.ready.controlUrl}/ledger`, { headers: { origin: "http://evil.example" } });
    expect(foreign.status).toBe(403);
    expect(await control("GET", "/nothing")).toMatchObject({ status: 404 });
  });

  test("opens accounts, moves prices and injects news, and says what is wrong with a request", async () => {
    const account = await control("POST", "/accounts", { initialUsdt: "2500", mode: "NET" });
    expect(account).toMatchObject({ status: 200, initialUsdt: "2500", mode: "NET" });
    expect(service.exchange.accountIds()).toContain(account.id);
    expect(await control("POST", "/accounts", { id: account.id })).toMatchObject({ status: 400 });
    expect(await control("POST", "/price-path", { symbol: BTC, move: -0.1, overMs: 0 })).toMatchObject({ status: 200 });
    expect(await control("POST", "/price-path", { symbol: "NONE", move: 1 })).toMatchObject({ status: 400 });
    expect(await control("POST", "/price-path", { symbol: BTC })).toMatchObject({
      status: 400,
      error: expect.stringMatching(/move/),
    });
    expect(await control("POST", "/news", { title: "Injected", currencies: ["BTC"] })).toMatchObject({ status: 200 });
    const news = (await rest("GET", "/api/v1/feeds/queryNews", { pageSize: "5" })) as { data?: { list: Message[] } };
    expect(news.data?.list.map(({ title }) => title)).toContain("Injected");
  });

  test("switches faults by name, checks their parameters, and switches them off", async () => {
    expect(await control("POST", "/faults", { name: "no-such-fault" })).toMatchObject({
      status: 400,
      error: expect.stringMatching(/drop-after-apply/),
    });
    expect(await control("POST", "/faults", { name: "mute", params: { share: 2 } })).toMatchObject({ status: 400 });
    const params = { methods: ["GET"], path: "/trading/orders" };
    expect(await control("POST", "/faults", { name: "server-error", params, for: "10m" })).toMatchObject({
      status: 200,
    });
    expect(await rest("GET", "/api/v1/trading/orders")).toMatchObject({ code: 40000 });
    expect((await control("GET", "/faults")).active).toHaveLength(1);
    expect(await control("DELETE", "/faults", { name: "server-error" })).toMatchObject({ stopped: 1 });
    expect(await rest("GET", "/api/v1/trading/orders")).toMatchObject({ code: 200000 });
  });
});

test("the same seed makes the same keys, and another seed others", async () => {
  const { accountOfSeed } = await import("../../../../src/sim/servers/service/accounts.ts");
  expect(accountOfSeed(7).keys[0]?.accessKey).toBe(service.ready.accessKey);
  expect(accountOfSeed(8).keys[0]?.accessKey).not.toBe(service.ready.accessKey);
});
