/** The whole client against the simulated service: both speak from the same page, and this proves it over real ports. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import { silentLog } from "../../src/core/log.ts";
import { Secret } from "../../src/core/secret.ts";
import type { MarketSink } from "../../src/domain/market.ts";
import type { PlaceOrder } from "../../src/domain/order.ts";
import { createNewsSource } from "../../src/news/news-source.ts";
import { startSimService, type SimService } from "../../src/sim/service.ts";
import { createMarketStream } from "../../src/venue/market-stream.ts";
import { createTradingClient, type TradingClient } from "../../src/venue/trading-client.ts";
import { createUserStream } from "../../src/venue/user-stream.ts";
import { realEnv, until } from "../net/servers.ts";
import { BTC, ETH } from "./venue-server.ts";

const env = realEnv();
let sim: SimService;
let client: TradingClient;
let keys: { accessKey: Secret; secretKey: Secret };

beforeAll(async () => {
  const exchanges = ["EXCHANGE_A"];
  const ports = { host: "127.0.0.1", port: 0, controlPort: 0 } as const;
  sim = await startSimService({ env, log: silentLog, ...ports, exchanges, phase: 1, seed: 1, symbols: [BTC, ETH] });
  keys = { accessKey: new Secret(sim.ready.accessKey), secretKey: new Secret(sim.ready.secretKey) };
  client = createTradingClient({ env, log: silentLog, baseUrl: sim.ready.restUrl, ...keys, exchanges });
});
afterAll(async () => {
  await client.close();
  await sim.stop();
});

const buy = (clientOrderId: string): PlaceOrder => ({
  symbol: BTC,
  side: "BUY",
  positionSide: "LONG",
  orderType: "MARKET",
  qty: dec("0.002"),
  limitPrice: null,
  timeInForce: null,
  reduceOnly: false,
  clientOrderId,
});

describe("over REST", () => {
  test("account, rules, marks, funding and the clock read as domain values", async () => {
    const account = await client.account();
    expect(account.kind === "done" && account.value.map((each) => each.exchange)).toEqual(["EXCHANGE_A"]);
    const rules = await client.symbolRules();
    expect(rules.kind === "done" && rules.value.map((each) => each.symbol).sort()).toEqual([BTC, ETH]);
    expect((await client.fundingRate(BTC)).kind).toBe("done");
    expect((await client.measureClock()).kind).toBe("done");
    expect(Math.abs(client.clockOffset().offsetMs)).toBeLessThan(2_000);
  });
  test("leverage is set and read back", async () => {
    expect(await client.setLeverage(BTC, 2)).toMatchObject({ kind: "done" });
    expect(await client.leverage(BTC)).toMatchObject({ kind: "done", value: [{ symbol: BTC, leverage: 2 }] });
  });
  test("an unknown order is a refusal with its code", async () => {
    expect(await client.order({ clientOrderId: "never" })).toMatchObject({ kind: "rejected", code: "401018" });
  });
});

test("an order over the user stream fills, is pushed, is found by REST, and its position closes", async () => {
  const story: string[] = [];
  const user = createUserStream({
    env,
    log: silentLog,
    url: sim.ready.userWsUrl,
    keys,
    venueClock: client.venueClock,
    on: {
      up: () => void story.push("up"),
      order: (update) => void story.push(`order ${update.state}`),
      execution: (fill) => void story.push(`fill ${fill.qty.toFixed()}`),
    },
  });
  user.start();
  await until(() => story.includes("up"), "the login");
  await client.setLeverage(BTC, 2);
  expect((await user.placeOrder(buy("sim-1"))).kind).toBe("done");
  await until(() => story.includes("order FILLED"), "the fill");
  expect(story).toContain("fill 0.002");
  expect(await client.order({ clientOrderId: "sim-1" })).toMatchObject({ kind: "done", value: { state: "FILLED" } });
  expect((await client.closePosition(BTC, "LONG", true)).kind).toBe("done");
  expect(await client.positions()).toMatchObject({ kind: "done", value: [] });
  expect(await client.closePosition(BTC, "LONG", true)).toMatchObject({ kind: "rejected", code: "401097" });
  user.stop();
});

test("a resting order is amended and keeps its id; an amended post-only order that would take ends", async () => {
  await client.setLeverage(BTC, 2);
  const resting = { ...buy("sim-2"), orderType: "LIMIT", limitPrice: dec("30000"), timeInForce: "GTX" } as const;
  const placed = await client.placeOrder(resting);
  if (placed.kind !== "done") throw new Error(placed.kind);
  const { orderId } = placed.value;
  const seen = async (): Promise<string> => {
    const found = await client.order({ clientOrderId: "sim-2" });
    if (found.kind !== "done") return found.kind;
    const { state, limitPrice, qty, orderId: id } = found.value;
    return `${id === orderId ? "same" : "another"} ${state} ${limitPrice?.toFixed() ?? ""} ${qty.toFixed()}`;
  };
  const change = { price: dec("30010"), qty: dec("0.003") };
  expect(await client.amendOrder({ orderId }, change)).toMatchObject({ kind: "done", value: { state: "OPEN" } });
  expect(await seen()).toBe("same OPEN 30010 0.003");
  const crossing = await client.markPrices(BTC);
  const mark = crossing.kind === "done" ? crossing.value[0]?.markPrice : undefined;
  const beyond = (mark ?? dec("1000000")).mul("1.02").toDecimalPlaces(0);
  expect(await client.amendOrder({ orderId }, { price: beyond })).toMatchObject({ kind: "done" });
  expect(await seen()).toBe("same CANCELLED 30010 0.003");
}, 20_000);

test.each([true, false])(
  "the market stream flows and every subscription is acknowledged (gzip: %s)",
  async (binary) => {
    const heard = new Set<string>();
    const sink = new Proxy({}, { get: (_target, name) => () => heard.add(String(name)) }) as MarketSink;
    const url = sim.ready.marketWsUrl;
    const market = createMarketStream({ env, log: silentLog, url, keys, sink, binary, venueClock: client.venueClock });
    const channels = ["BBO", "ORDER_BOOK", "TRADE", "MARK_PRICE", "INDEX_PRICE", "TICKER", "OPEN_INTEREST"] as const;
    market.want([BTC, ETH].flatMap((symbol) => channels.map((channel) => ({ channel, symbol }))));
    market.start();
    await until(() => market.health().acknowledged === 14, "all acks");
    await until(() => ["bbo", "bookSide", "mark", "index", "ticker"].every((name) => heard.has(name)), "the data");
    expect(market.health()).toMatchObject({ up: true, refused: [] });
    market.stop();
  },
);

test("news is caught up and followed", async () => {
  const { restUrl, feedsWsUrl: wsUrl } = sim.ready;
  const keysSeen: string[] = [];
  const onItem = (item: { key: string }): void => void keysSeen.push(item.key);
  const news = createNewsSource({ env, log: silentLog, restUrl, wsUrl, keys, catchUpMs: 6 * 3_600_000, onItem });
  news.start();
  await until(() => news.health().up && news.health().complete, "the catch-up");
  expect(new Set(keysSeen).size).toBe(news.health().stories);
  expect(news.health().refused).toBe(0);
  await news.stop();
});
