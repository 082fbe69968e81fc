import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dec } from "../../../../src/core/decimal.ts";
import type { PublicEvent } from "../../../../src/sim/exchange/contract/market-api.ts";
import { BTC, NOW_MS } from "../fake-exchange.ts";
import { KEY, type Client, loginArgs, type Message, type Rig, startRig, until } from "../rig.ts";

const PATH = "/marketdata/v2/public";
const PLAIN = `${PATH}?binary=false`;
const many = Array.from({ length: 52 }, (_, i) => `EXCHANGE_A_PERP_C${i}_USDT`);

let rig: Rig;
beforeEach(async () => {
  rig = await startRig({ symbols: [BTC, ...many] });
});
afterEach(() => rig.stop());

const on = (channel: string, sym = BTC, interval?: string): Message => ({
  event: "subscribe",
  arg: [interval ? { channel, sym, interval } : { channel, sym }],
});

const trade = (price: string, qty: string, atMs = NOW_MS, tradeId = "1"): PublicEvent => ({
  kind: "trade",
  symbol: BTC,
  tradeId,
  takerBuys: true,
  price: dec(price),
  qty: dec(qty),
  atMs,
});

const codes = (messages: readonly Message[]): unknown[] => messages.map(({ code }) => code);

describe("frames", () => {
  test("are gzip by default, acks too, and plain on request", async () => {
    const zipped = await rig.socket(PATH);
    const plain = await rig.socket(PLAIN);
    for (const client of [zipped, plain]) {
      expect(await client.ask(on("TRADE"))).toEqual({
        event: "subscribe",
        arg: [{ channel: "TRADE", sym: BTC }],
        code: 0,
      });
    }
    expect(zipped.raw[0]?.subarray(0, 2).toString("hex")).toBe("1f8b");
    expect(plain.raw[0]?.toString("utf8").startsWith("{")).toBe(true);
  });

  test("are made once, whatever the number of followers", async () => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => rig.socket(PATH)));
    for (const client of clients) await client.ask(on("TRADE"));
    const before = rig.servers.market.hub.made;
    rig.fake.publish(trade("60500.1", "0.02"));
    const pushes = await Promise.all(clients.map((client) => client.next()));
    expect(rig.servers.market.hub.made - before).toBe(1);
    for (const push of pushes) expect(push).toEqual(pushes[0]);
    expect(pushes[0]).toEqual({
      arg: { channel: "TRADE", sym: BTC },
      data: [{ tradeid: "1", side: "BUY", price: "60500.1", qty: "0.02", ts: NOW_MS }],
    });
  });

  test("a ping gets the service's time, a broken frame 11103", async () => {
    const client = await rig.socket(PLAIN);
    expect(await client.ask({ ping: 5 })).toEqual({ pong: NOW_MS });
    expect(await client.ask("{nonsense")).toMatchObject({ event: "error", code: 11103 });
    expect(await client.ask({ event: "dance" })).toMatchObject({ event: "error", code: 11103 });
  });
});

describe("subscriptions", () => {
  test("say what is wrong with each item and keep the good ones", async () => {
    const client = await rig.socket(PLAIN);
    const items = [
      { channel: "trade", sym: BTC },
      { channel: "TRADE", sym: "btc" },
      { channel: "MARK_PRICE", sym: "EXCHANGE_A_SPOT_BTC_USDT" },
      { channel: "TRADE", sym: "EXCHANGE_A_PERP_NONE_USDT" },
      { channel: "KLINE", sym: BTC },
      { channel: "KLINE", sym: BTC, interval: "7m" },
      { channel: "TRADE", sym: BTC },
    ];
    client.send({ event: "subscribe", arg: items });
    const messages = await client.drained();
    expect(messages[0]).toEqual({ event: "subscribe", arg: [items[6]], code: 0 });
    expect(codes(messages.slice(1))).toEqual([11101, 11100, 11250, 11102]);
    expect(messages[2]?.arg).toEqual([items[1], items[2]]);
  });

  test("unsubscribing what is not subscribed is 11112, and afterwards nothing comes", async () => {
    const client = await rig.socket(PLAIN);
    await client.ask(on("TRADE"));
    expect(await client.ask({ ...on("TRADE"), event: "unsubscribe" })).toMatchObject({ event: "unsubscribe", code: 0 });
    expect(await client.ask({ ...on("TRADE"), event: "unsubscribe" })).toMatchObject({ code: 11112 });
    rig.fake.publish(trade("60500", "1"));
    expect(await client.drained()).toEqual([]);
  });

  test("5 symbols without login, 50 with it, counted by symbol", async () => {
    const client = await rig.socket(PLAIN);
    const arg = many.slice(0, 6).flatMap((sym) => [
      { channel: "TRADE", sym },
      { channel: "OPEN_INTEREST", sym },
    ]);
    client.send({ event: "subscribe", arg });
    const refused = await client.drained();
    expect(codes(refused)).toEqual([0, 11210]);
    expect(refused[1]?.arg).toEqual(arg.slice(10));
    expect(await client.ask({ action: "login", args: loginArgs(rig.clock) })).toMatchObject({ code: "200000" });
    client.send({ event: "subscribe", arg: many.slice(0, 51).map((sym) => ({ channel: "TRADE", sym })) });
    const more = await client.drained();
    expect(codes(more)).toEqual([0, 11220]);
    expect(more[1]?.arg).toHaveLength(1);
  });

  test("more than 50 requests in a second from one address are 11260", async () => {
    const [one, two] = [await rig.socket(PLAIN), await rig.socket(PLAIN)];
    for (let i = 0; i < 25; i++) {
      one.send(on("TRADE"));
      two.send(on("TRADE"));
    }
    await two.drained();
    expect(codes(await one.drained())).toEqual(Array.from({ length: 25 }, () => 0));
    expect(await one.ask(on("TRADE"))).toMatchObject({ code: 11260 });
    await rig.clock.advance(1_000);
    expect(await one.ask(on("TRADE"))).toMatchObject({ code: 0 });
  });
});

describe("logins", () => {
  test("name what is wrong by code, as text", async () => {
    const client = await rig.socket(PLAIN);
    const login = async (args: Message): Promise<unknown> => (await client.ask({ action: "login", args })).code;
    const good = loginArgs(rig.clock);
    expect(await login({ ...good, apiKey: "nobody" })).toBe("11106");
    expect(await login({ ...good, sign: "00" })).toBe("11107");
    expect(await login({ ...good, timestamp: "12345" })).toBe("11108");
    expect(await login({ ...good, timestamp: "1700000000" })).toBe("11108");
    rig.keys.add({ ...KEY, accessKey: "trade-only", permissions: ["trade"] });
    expect(await login(loginArgs(rig.clock, { ...KEY, accessKey: "trade-only" }))).toBe("11109");
    expect(await login(loginArgs(rig.clock, KEY, 13))).toBe("200000");
  });
});

describe("connections", () => {
  test("the sixth without login from one address is reported 11200 and closed; a login makes room", async () => {
    const clients: Client[] = [];
    for (let i = 0; i < 5; i++) clients.push(await rig.socket(PLAIN));
    const sixth = await rig.socket(PLAIN);
    expect(await sixth.next()).toMatchObject({ code: 11200 });
    await sixth.closing();
    const elsewhere = await rig.socket(PLAIN, { "X-Forwarded-For": "10.1.1.1, 127.0.0.1" });
    expect(await elsewhere.ask({ ping: 1 })).toHaveProperty("pong");
    await clients[0]?.ask({ action: "login", args: loginArgs(rig.clock) });
    expect(await (await rig.socket(PLAIN)).ask({ ping: 1 })).toHaveProperty("pong");
  });

  test("are closed after 60 s of silence, and any frame counts", async () => {
    const client = await rig.socket(PLAIN);
    await rig.clock.advance(50_000);
    await client.ask({ ping: 1 });
    await rig.clock.advance(59_000);
    expect(await client.ask({ ping: 1 })).toHaveProperty("pong");
    await rig.clock.advance(60_000);
    await client.closing();
    await until(() => rig.servers.market.connections === 0);
  });
});

describe("the channels", () => {
  test("ORDER_BOOK: snapshot, then numbered deltas every 250 ms when something changed", async () => {
    const client = await rig.socket(PLAIN);
    await client.ask(on("ORDER_BOOK"));
    const { data: first } = (await client.next()) as { data: Message };
    expect(first).toMatchObject({ updatetype: "snapshot", Bids: [["60499.9", "3.2"]], Asks: [["60500.1", "1.1"]] });
    rig.fake.book = {
      bids: [
        [604_998, 500],
        [604_999, 0],
      ].filter(([, lots]) => lots) as [number, number][],
      asks: [[605_001, 900]],
    };
    rig.fake.publish({ kind: "book-changed", symbol: BTC, atMs: NOW_MS });
    await rig.clock.advance(250);
    const { data: second } = (await client.next()) as { data: Message };
    expect(second).toMatchObject({
      updatetype: "update",
      pre_seq: first?.seq,
      Bids: [
        ["60499.8", "0.5"],
        ["60499.9", "0"],
      ],
      Asks: [["60500.1", "0.9"]],
    });
    expect(Number(second?.seq)).toBe(Number(first?.seq) + 1);
    await rig.clock.advance(1_000);
    expect(await client.drained()).toEqual([]);
  });

  test("BBO on change only; MARK, INDEX and OPEN_INTEREST as they come", async () => {
    const client = await rig.socket(PLAIN);
    for (const channel of ["BBO", "MARK_PRICE", "INDEX_PRICE", "OPEN_INTEREST"]) client.send(on(channel));
    await client.drained();
    rig.fake.publish({ kind: "book-changed", symbol: BTC, atMs: NOW_MS });
    rig.fake.book = { bids: [[605_000, 1]], asks: [[605_001, 1_100]] };
    rig.fake.publish({ kind: "book-changed", symbol: BTC, atMs: NOW_MS });
    rig.fake.publish({ kind: "mark", symbol: BTC, mark: dec("60499.80"), index: dec("60512.3"), atMs: NOW_MS });
    rig.fake.publish({ kind: "open-interest", symbol: BTC, openInterest: dec("81234.7"), atMs: NOW_MS });
    const data = (await client.drained()).map((message) => message.data);
    expect(data).toEqual([
      { bid: "60500", bidqty: "0.001", ask: "60500.1", askqty: "1.1", ts: NOW_MS },
      { markpx: "60499.8", ts: NOW_MS },
      { indexpx: "60512.3", ts: NOW_MS },
      { open_interest: "81234.7", ts: NOW_MS },
    ]);
  });

  test("KLINE follows the trades, and a new open time ends the bar; TICKER comes every 2 s", async () => {
    const client = await rig.socket(PLAIN);
    for (const message of [on("KLINE", BTC, "1m"), on("KLINE", BTC, "1h"), on("TICKER")]) client.send(message);
    await client.drained();
    const minute = Math.floor(NOW_MS / 60_000) * 60_000;
    rig.fake.publish(trade("60000", "1", minute));
    rig.fake.publish(trade("60600", "0.5", minute + 59_999));
    rig.fake.publish(trade("60300", "0.25", minute + 60_000));
    const bars = (await client.drained()) as { arg: Message; data: string[][] }[];
    expect(bars.filter(({ arg }) => arg.interval === "1m").map(({ data }) => data[0])).toEqual([
      [String(minute), "60000", "60000", "60000", "60000", "1"],
      [String(minute), "60000", "60600", "60000", "60600", "1.5"],
      [String(minute + 60_000), "60300", "60300", "60300", "60300", "0.25"],
    ]);
    expect(bars.filter(({ arg }) => arg.interval === "1H")).toHaveLength(3);
    await rig.clock.advance(2_000);
    expect(await client.next()).toMatchObject({
      arg: { channel: "TICKER", sym: BTC },
      data: { last: "60300", chg: "0.5", high24h: "60600", low24h: "60000", vol24h: "1.75" },
    });
  });
});
