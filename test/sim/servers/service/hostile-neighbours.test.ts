/**
 * A healthy client is timed alone, and again while hostile ones do all they can at once. The bound is generous, so that
 * a loaded machine does not fail it: it fails when the service stands still for somebody.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stop } from "../../../../src/core/clock.ts";
import type { SimService } from "../../../../src/sim/service.ts";
import { BTC } from "../fake-exchange.ts";
import {
  ask,
  type Ask,
  bare,
  type Bare,
  clock,
  handshake,
  healthyKey,
  hostileKey,
  type Keys,
  loginOf,
  median,
  openSocket,
  ORDER,
  startWhole,
} from "./hostile-rig.ts";
import { Client, type Message } from "../rig.ts";

let service: SimService;
beforeAll(async () => {
  service = await startWhole();
});
afterAll(() => service.stop());

interface Timed {
  /** Signed order query over REST. */
  readonly query: readonly number[];
  /** From sending an order to its first Orders push. */
  readonly push: readonly number[];
  /** Between two ORDER_BOOK pushes, which come every 250 ms. */
  readonly book: readonly number[];
}

const SAMPLES = 8;

interface Healthy {
  readonly keys: Keys;
  readonly user: Client;
  readonly market: Client;
  /** When each ORDER_BOOK push came. */
  readonly bookAtMs: number[];
  readonly price: string;
}

async function healthyClient(from: string): Promise<Healthy> {
  const keys = healthyKey();
  const user = new Client(openSocket(service.ready.userWsUrl, from));
  const market = new Client(openSocket(`${service.ready.marketWsUrl}?binary=false`, from));
  await Promise.all([user.opened(), market.opened()]);
  expect(await user.ask(loginOf(keys))).toMatchObject({ code: 0 });
  const bookAtMs: number[] = [];
  market.ws.on("message", () => bookAtMs.push(clock.monotonicMs()));
  expect(await market.ask({ event: "subscribe", arg: [{ channel: "ORDER_BOOK", sym: BTC }] })).toMatchObject({
    code: 0,
  });
  const { data } = (await market.next()) as { data: { Bids: [string, string][] } };
  const price = (Math.floor(Number(data.Bids[0]?.[0]) * 9) / 10).toFixed(1);
  return { keys, user, market, bookAtMs, price };
}

/** Waits for the message that fits; others are passed over. */
async function until(client: Client, fits: (message: Message) => boolean): Promise<Message> {
  for (;;) {
    const message = await client.next();
    if (fits(message)) return message;
  }
}

/** Places a far order and cancels it again. Answers its id and how long its push took. */
async function placed({ user, price }: Healthy, id: string): Promise<{ orderId: string; tookMs: number }> {
  const args = {
    sym: BTC,
    side: "BUY",
    positionSide: "LONG",
    orderType: "LIMIT",
    orderQty: "0.002",
    limitPrice: price,
  };
  const beganMs = clock.monotonicMs();
  user.send({ id, action: "place_order", args });
  const reply = await until(user, (message) => message.id === id);
  expect(reply, JSON.stringify(reply)).toMatchObject({ code: 200000 });
  await until(user, ({ channel }) => channel === "Orders");
  const tookMs = clock.monotonicMs() - beganMs;
  const { orderId } = reply.data as { orderId: string };
  user.send({ id: `cancel ${id}`, action: "cancel_order", args: { orderId } });
  await until(user, (message) => message.id === `cancel ${id}`);
  return { orderId, tookMs };
}

async function timed(from: string): Promise<Timed> {
  const healthy = await healthyClient(from);
  const query: number[] = [];
  const push: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { orderId, tookMs } = await placed(healthy, `${from} ${sample}`);
    push.push(tookMs);
    // Rates count by key: a key for each query.
    const given: Ask = { method: "GET", path: ORDER, params: { orderId }, keys: healthyKey() };
    const beganMs = clock.monotonicMs();
    const answer = await ask(service, given);
    query.push(clock.monotonicMs() - beganMs);
    expect(answer.body).toMatchObject({ code: 200000, data: { orderId } });
    await clock.sleep(100);
  }
  const { bookAtMs } = healthy;
  // The book comes four times a second, however fast the other samples were.
  while (bookAtMs.length < SAMPLES) await clock.sleep(50);
  const book = bookAtMs.slice(2).map((atMs, i) => atMs - (bookAtMs[i + 1] ?? atMs));
  healthy.user.ws.terminate();
  healthy.market.ws.terminate();
  return { query, push, book };
}

/** What happened to hostile work is of no interest here. */
const carelessly = (work: Promise<unknown>): void => void work.catch(() => undefined);

const HOSTILE_CALLS: readonly Ask[] = [
  { method: "POST", path: ORDER, headers: { signature: "" } },
  { method: "POST", path: ORDER, bodyText: `{"sym":${"[".repeat(60_000)}` },
  { method: "POST", path: ORDER, bodyText: "x".repeat(500_000) },
  { method: "GET", path: "/constructor" },
  { method: "DELETE", path: "/api/v1/trading/cancelAll", headers: { nonce: "1" } },
];

/** Everything at once, again and again, until stopped. */
async function hostilities(keys: Keys): Promise<Stop> {
  const stops: Stop[] = [];
  const bares: Bare[] = [];
  const every = (ms: number, work: () => void): void => void stops.push(clock.every(ms, work));
  const { marketWsUrl, userWsUrl, feedsWsUrl } = service.ready;

  // Little and often: the hostile clients live in this process too, and their own work is not to be measured.
  let calls = 0;
  every(8, () => {
    const call = HOSTILE_CALLS[calls++ % HOSTILE_CALLS.length];
    if (call) carelessly(ask(service, { ...call, keys }));
  });

  // Half-open: heads that never end, upgrades that go silent.
  for (let count = 0; count < 20; count++) {
    const connection = await bare(service);
    connection.socket.write(count % 2 ? "GET / HTTP/1.1\r\nHost: x\r\nX: " : handshake("/v1/private"));
    bares.push(connection);
  }
  every(50, () => {
    for (const { socket } of bares) if (socket.writable) socket.write(Buffer.from([0x78]));
  });

  // Slow readers, each behind an address of its own.
  const slow = Array.from({ length: 10 }, (_unused, place) =>
    openSocket(`${marketWsUrl}?binary=false`, `192.0.2.${place}`),
  );
  for (const ws of slow) {
    ws.on("open", () => {
      const arg = ["ORDER_BOOK", "TRADE", "BBO", "TICKER"].map((channel) => ({ channel, sym: BTC }));
      ws.send(JSON.stringify({ event: "subscribe", arg }));
      ws.pause();
    });
  }

  // Floods of frames, logins and deep nests; who is closed comes back.
  const frames = ["{", `{"a":${"[".repeat(5_000)}`, JSON.stringify(loginOf(keys)), '{"ping":1}'];
  const flooders = [marketWsUrl, userWsUrl, feedsWsUrl].map((url) => ({ url, ws: openSocket(url, "192.0.2.200") }));
  every(10, () => {
    for (const flooder of flooders) {
      if (flooder.ws.readyState > 1) flooder.ws = openSocket(flooder.url, "192.0.2.200");
      if (flooder.ws.readyState !== 1) continue;
      for (let count = 0; count < 16; count++) flooder.ws.send(frames[count % frames.length] ?? "");
    }
  });
  return () => {
    for (const stop of stops) stop();
    for (const { socket } of bares) socket.destroy();
    for (const ws of [...slow, ...flooders.map((flooder) => flooder.ws)]) ws.terminate();
  };
}

test("a healthy client's latencies hold beside hostile ones", async () => {
  const alone = await timed("203.0.113.1");
  const stop = await hostilities(hostileKey());
  const beside = await timed("203.0.113.2");
  stop();
  const row = (times: readonly number[]): string => median(times).toFixed(1);
  for (const what of ["query", "push", "book"] as const) {
    console.log(`${what}: median ${row(alone[what])} ms alone, ${row(beside[what])} ms beside hostile clients`);
    expect(beside[what].length).toBeGreaterThan(3);
    expect(median(beside[what]), what).toBeLessThanOrEqual(Math.max(5 * median(alone[what]), 200));
  }
}, 60_000);
