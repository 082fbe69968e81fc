import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import { ok } from "../../../../src/core/result.ts";
import type { PublicEvent } from "../../../../src/sim/exchange/contract/market-api.ts";
import { ALL_FAULTS } from "../../../../src/sim/faults/all.ts";
import { itemFrom } from "../../../../src/sim/feed/inject.ts";
import { BTC, NOW_MS } from "../fake-exchange.ts";
import { ACCOUNT, type Client, loginArgs, type Message, type Rig, settled, startFaultyRig, until } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startFaultyRig();
});
afterEach(() => rig.stop());

const on = (name: string, params: unknown = {}, forMs: number | null = null): void => {
  const begun = rig.faults.start(name, params, forMs);
  if (!begun.ok) throw new Error(begun.error);
};

const ORDER = "/api/v1/trading/order";
const order = { sym: BTC, side: "BUY", positionSide: "LONG", orderType: "MARKET", orderQty: "1", clientOrderId: "c" };
const place = (): Promise<{ status: number; text: string; body: Message }> => rig.call("POST", ORDER, order);
const query = (): Promise<{ status: number; text: string; body: Message }> =>
  rig.call("GET", ORDER, { orderId: "2190000000590001" });
const asked = (): string[] => rig.fake.asked.map(({ command }) => command);

describe("REST", () => {
  test("drop-before-apply cuts the connection and nothing happens; reads go on", async () => {
    on("drop-before-apply");
    await expect(place()).rejects.toThrow();
    expect((await query()).body).toMatchObject({ code: 200000 });
    expect(asked()).toEqual(["order"]);
    expect(rig.servers.wireLog.entries(1)[0]?.result).toBe("fault: dropped before the venue");
  });

  test("drop-after-apply cuts the connection when it has happened", async () => {
    on("drop-after-apply");
    await expect(place()).rejects.toThrow();
    expect(asked()).toEqual(["place"]);
    expect(rig.servers.wireLog.entries(1)[0]?.result).toBe("200000");
  });

  test("duplicate-delivery lets the venue see a write twice, each in the wire log", async () => {
    on("duplicate-delivery");
    expect((await place()).body).toMatchObject({ code: 200000 });
    expect(rig.servers.wireLog.entries(5).map(({ result }) => result)).toEqual(["200000", "429"]);
  });

  test("rest-delay holds answers for a span of the service's clock, and ends when its time is over", async () => {
    on("rest-delay", { afterMs: 3_000 }, 10_000);
    const before = rig.clock.nowMs();
    await settled(rig, query());
    expect(rig.clock.nowMs() - before).toBeGreaterThanOrEqual(3_000);
    await rig.clock.advance(10_000);
    expect(rig.faults.active()).toEqual([]);
    expect((await query()).body).toMatchObject({ code: 200000 });
  });

  test("server-error answers 5xx with or without effect", async () => {
    on("server-error", { applied: false, methods: ["POST"] });
    expect((await place()).status).toBe(502);
    expect(asked()).toEqual([]);
    rig.faults.stop();
    on("server-error", { applied: true, status: 504, methods: ["POST"] });
    expect((await place()).status).toBe(504);
    expect(asked()).toEqual(["place"]);
  });

  test("html-body, cut-json, rate-limit-burst and maintenance answer what they say", async () => {
    on("html-body");
    expect((await query()).text).toContain("<!doctype html>");
    rig.faults.stop();
    on("cut-json");
    const cut = await query();
    expect(cut.text.startsWith('{"code":200000')).toBe(true);
    expect(cut.body).toEqual({});
    rig.faults.stop();
    on("rate-limit-burst");
    expect((await query()).status).toBe(429);
    rig.faults.stop();
    on("maintenance");
    const closed = await query();
    expect([closed.status, closed.body.code]).toEqual([503, 50001]);
  });

  test("stalled-body sends half and then nothing", async () => {
    on("stalled-body");
    const patience = new AbortController();
    const response = await fetch(`http://${rig.base}${ORDER}`, { signal: patience.signal });
    expect(response.status).toBe(200);
    const reading = response.text();
    const first = await Promise.race([reading, new Promise((resolve) => setImmediate(() => resolve("nothing yet")))]);
    expect(first).toBe("nothing yet");
    patience.abort();
    await expect(reading).rejects.toThrow();
  });

  test.each([
    ["extra-field", /"newlyAdded":/],
    ["number-for-text", /"fee":0.25[,}]/],
    ["exponent", /"fee":"2.5e-1"/],
    ["huge-number", /"fee":"1e400"/],
    ["duplicate-key", /"orderId":"2190000000590001".*"orderId":"0"/],
  ])("schema-drift: %s", async (kind, expected) => {
    on("schema-drift", { kind });
    expect((await query()).text).toMatch(expected);
  });

  test.each([
    ["fee", ["createAt", "orderId"]],
    ["", ["createAt", "fee", "orderId"]],
  ])(
    "schema-drift: missing-field takes away the one that is named, and none where none is: %j",
    async (field, left) => {
      on("schema-drift", { kind: "missing-field", field });
      expect(Object.keys((await query()).body.data as Message).sort()).toEqual(left);
      const drift = rig.faults.catalogue().find(({ name }) => name === "schema-drift");
      expect(JSON.stringify(drift?.paramsSchema)).toContain("of missing-field none");
    },
  );

  test("key-revoked refuses every key while it lasts; clock-skew moves the nonce window", async () => {
    on("key-revoked", {}, 5_000);
    expect((await query()).body.code).toBe(100018);
    await rig.clock.advance(5_000);
    expect((await query()).body.code).toBe(200000);
    on("clock-skew", { ms: 90_000 });
    expect((await query()).body.code).toBe(7000);
  });

  test("of two key-revoked that overlap the newer counts, and nothing is left of either", async () => {
    on("key-revoked", { status: "frozen" }, 5_000);
    await rig.clock.advance(2_000);
    on("key-revoked", { status: "disabled" }, 5_000);
    expect((await query()).body.code).toBe(100018);
    await rig.clock.advance(3_000);
    expect((await query()).body.code).toBe(100018);
    await rig.clock.advance(2_000);
    expect((await query()).body.code).toBe(200000);
  });

  test("rule-change shows coarser rules and holds orders to them", async () => {
    rig.fake.answer("symbolInfo", () => ok({ [BTC]: { sym: BTC, lotSize: "0.001" } }));
    on("rule-change", { symbol: "BTC", lotSize: "0.5" });
    expect((await rig.call("GET", "/api/v1/trading/sym/info")).body.data).toEqual({
      [BTC]: { sym: BTC, lotSize: "0.5", minSize: "0.5" },
    });
    expect((await rig.call("POST", ORDER, { ...order, orderQty: "0.7" })).body.code).toBe(401015);
    expect(asked()).toEqual(["symbolInfo"]);
  });
});

describe("the market stream", () => {
  const trade = (tradeId: string): PublicEvent => ({
    kind: "trade",
    symbol: BTC,
    tradeId,
    takerBuys: true,
    price: dec("60500.1"),
    qty: dec("0.02"),
    atMs: NOW_MS,
  });
  let client: Client;
  beforeEach(async () => {
    client = await rig.socket("/marketdata/v2/public?binary=false");
    await client.ask({ event: "subscribe", arg: [{ channel: "TRADE", sym: BTC }] });
  });
  const pushed = async (...ids: string[]): Promise<unknown[]> => {
    for (const id of ids) rig.fake.publish(trade(id));
    return (await client.drained()).map(({ data }) => (data as { tradeid: string }[])[0]?.tradeid);
  };

  test("mute, duplicate, reorder, freeze and burst", async () => {
    on("mute", { channel: "TRADE" });
    expect(await pushed("1")).toEqual([]);
    rig.faults.stop();
    on("market-duplicate", { symbol: BTC });
    expect(await pushed("1", "2")).toEqual(["1", "1", "2", "2"]);
    rig.faults.stop();
    on("market-reorder", { share: 1 });
    expect(await pushed("1", "2", "3")).toEqual(["2", "1"]);
    rig.faults.stop();
    expect(await pushed()).toEqual(["3"]);
    on("freeze");
    expect(await pushed("1", "2", "3")).toEqual(["1", "1", "1"]);
    rig.faults.stop();
    on("market-burst", { copies: 7 });
    expect(await pushed("1")).toHaveLength(7);
  });

  test("market-drop loses its share, the same frames for the same seed", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => String(i));
    on("market-drop", { share: 0.5 });
    const first = await pushed(...ids);
    rig.faults.stop();
    on("market-drop", { share: 0.5 });
    expect(await pushed(...ids)).toEqual(first);
    expect(first.length).toBeGreaterThan(8);
    expect(first.length).toBeLessThan(32);
  });

  test("bad-price spoils prices and leaves the rest", async () => {
    on("bad-price", { kind: "thousandfold", share: 1 });
    rig.fake.publish(trade("1"));
    expect((await client.next()).data).toMatchObject([{ price: "60500100", qty: "0.02" }]);
  });

  test.each(["corrupt-gzip", "gzip-bomb", "oversize-frame"])("%s damages the compressed form", async (name) => {
    const zipped = await rig.socket("/marketdata/v2/public");
    await zipped.ask({ event: "subscribe", arg: [{ channel: "TRADE", sym: BTC }] });
    zipped.ws.removeAllListeners("message");
    const frame = new Promise<Buffer>((resolve) => zipped.ws.once("message", (data: Buffer) => resolve(data)));
    on(name, { share: 1 });
    rig.fake.publish(trade("1"));
    const { gunzipSync } = await import("node:zlib");
    const bytes = await frame;
    const unpack = (): Buffer => gunzipSync(bytes, { maxOutputLength: 4 * 1024 * 1024 });
    expect(unpack).toThrow();
  });

  test("half-open sockets stay and say nothing; market-disconnect cuts; subscription-refused refuses", async () => {
    on("subscription-refused", { channel: "BBO", code: 11250 });
    const bbo = { event: "subscribe", arg: [{ channel: "BBO", sym: BTC }] };
    expect(await client.ask(bbo)).toMatchObject({ code: 11250 });
    on("half-open");
    client.send({ ping: 1 });
    rig.fake.publish(trade("1"));
    const other = await rig.socket("/marketdata/v2/public?binary=false");
    expect(await other.ask({ ping: 1 })).toHaveProperty("pong");
    expect(client.ws.readyState).toBe(client.ws.OPEN);
    on("market-disconnect");
    await Promise.all([client.closing(), other.closing()]);
    await until(() => rig.servers.market.connections === 0);
  });
});

describe("the user stream", () => {
  let client: Client;
  beforeEach(async () => {
    client = await rig.socket("/v1/private");
    await client.ask({ action: "login", args: loginArgs(rig.clock) });
  });
  const push = (orderState: string): void =>
    rig.fake.push({ accountId: ACCOUNT, channel: "Orders", data: { orderId: "1", sym: BTC, orderState } });
  const states = async (): Promise<unknown[]> => {
    client.send("ping");
    const all: unknown[] = [];
    for (let next = await client.next(); (next as unknown) !== "pong"; next = await client.next()) {
      all.push((next.data as Message).orderState);
    }
    return all;
  };

  test("pushes are dropped, doubled, held back, or reported in unknown words", async () => {
    on("push-drop", { share: 1 });
    push("NEW");
    expect(await states()).toEqual([]);
    rig.faults.stop();
    on("push-duplicate");
    push("NEW");
    expect(await states()).toEqual(["NEW", "NEW"]);
    rig.faults.stop();
    on("push-reorder", { share: 1, holdMs: 500 });
    push("NEW");
    expect(await states()).toEqual([]);
    await rig.clock.advance(500);
    expect(await states()).toEqual(["NEW"]);
    rig.faults.stop();
    on("unknown-state", { share: 1, word: "ODD" });
    push("OPEN");
    expect(await states()).toEqual(["ODD"]);
    rig.faults.stop();
    on("unknown-state", { share: 1, word: "ODD", bare: true });
    push("OPEN");
    expect(await states()).toEqual(["OPEN"]);
    const { description } = rig.faults.catalogue().find(({ name }) => name === "unknown-state") ?? {};
    expect(description).toContain("or, with `bare`, their own state");
  });

  test("actions lose their answers, logins are refused, sockets are cut", async () => {
    on("action-lost", { applied: true });
    client.send({ id: "1", action: "place_order", args: order });
    expect(await states()).toEqual([]);
    expect(asked()).toContain("place");
    on("login-refused");
    await rig.clock.advance(1_000);
    expect(await client.ask({ action: "login", args: loginArgs(rig.clock) })).toMatchObject({ code: 601009 });
    on("user-disconnect");
    await client.closing();
  });
});

describe("news and model", () => {
  test("times shift, items come edited, floods come, handshakes are refused", async () => {
    const client = await rig.socket("/feeds/v2/public");
    await client.ask({ event: "subscribe", arg: [{ channel: "news.category.all" }] });
    const inject = (): boolean =>
      rig.store.add(itemFrom({ title: "A", content: "b" }, { id: rig.store.nextId(), nowMs: NOW_MS }));
    on("news-late", { shiftMs: -3_600_000 });
    inject();
    expect((await client.next()).data).toMatchObject({ publishTime: NOW_MS - 3_600_000 });
    rig.faults.stop();
    on("news-edited", { afterMs: 100 });
    inject();
    const first = await client.next();
    await rig.clock.advance(100);
    const again = await client.next();
    expect((again.data as Message).id).toBe((first.data as Message).id);
    expect((again.data as Message).title).toBe("CORRECTED: A");
    rig.faults.stop();
    on("news-flood", { perMinute: 600 });
    await rig.clock.advance(2_000);
    expect(await client.drained()).toHaveLength(20);
    rig.faults.stop();
    on("hostile-news");
    expect((await client.next()).channel).toBe("news.category.all");
    on("news-429");
    await client.closing();
    await expect(rig.socket("/feeds/v2/public")).rejects.toThrow("429");
  });

  test("the model's switches go on with the fault and back with its end; paid answers are lost", async () => {
    on("model-slow", { extraMs: 9_000 }, 1_000);
    on("model-garbage", { reply: "prose" });
    expect(rig.gateway.behaviour.now()).toMatchObject({ extraLatencyMs: 9_000, reply: "prose" });
    await rig.clock.advance(1_000);
    expect(rig.gateway.behaviour.now()).toMatchObject({ extraLatencyMs: 0, reply: "prose" });
    rig.faults.stop();
    expect(rig.gateway.behaviour.now().reply).toBe("normal");
    on("model-slow", { extraMs: 2_000 }, 3_000);
    on("model-slow", { extraMs: 5_000 }, 1_000);
    on("model-slow", { extraMs: 7_000 }, 2_000);
    const extra: number[] = [];
    for (let i = 0; i < 4; i++) {
      extra.push(rig.gateway.behaviour.now().extraLatencyMs);
      await rig.clock.advance(1_000);
    }
    expect(extra).toEqual([7_000, 7_000, 2_000, 0]);
    on("model-lost");
    const { AI_KEY } = await import("../rig.ts");
    const { PRACTICE_PRICES } = await import("../../../../src/sim/model/price-table.ts");
    const body = JSON.stringify({
      model: Object.keys(PRACTICE_PRICES)[0],
      messages: [{ role: "user", content: "Hello" }],
    });
    const asking = fetch(`http://${rig.base}/ai/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${AI_KEY}` },
      body,
    });
    await expect(settled(rig, asking)).rejects.toThrow();
    expect(rig.gateway.trueSpendUsd().gt(0)).toBe(true);
  });
});

test("every fault has a name of its own, a sentence, and parameters that default to something", () => {
  const names = ALL_FAULTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const fault of ALL_FAULTS) {
    expect(fault.description).toMatch(/^[A-Z].{15,}\.$/);
    expect(fault.check({ noSuchParameter: 1 })).not.toBeNull();
  }
});
