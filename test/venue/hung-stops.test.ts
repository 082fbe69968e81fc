/** Stops and reads through a proxy that accepts, takes the request and never answers: they are given up and sent again. */
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { dec } from "../../src/core/decimal.ts";
import type { PlaceAlgoOrder } from "../../src/domain/algo-order.ts";
import { createTradingClient } from "../../src/venue/trading-client.ts";
import { httpServer, realEnv, recordingLog, type Running, tcpServer } from "../net/servers.ts";
import { BTC, keys, success } from "./venue-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Everything that protects must be done within this much time of the position. */
const BOUND_MS = 15_000;
/** A guard against a test that hangs. */
const HANG_GUARD_MS = 120_000;

const stop: PlaceAlgoOrder = {
  symbol: BTC,
  condition: "ENTIRE_CLOSE_POSITION",
  side: "SELL",
  positionSide: "LONG",
  qty: dec("0"),
  reduceOnly: true,
  triggerPrice: null,
  triggerType: "MARK_PRICE",
  takeProfitPrice: null,
  stopLossPrice: dec("58200"),
  clientOrderId: "stop-1",
};

interface Proxy extends Running {
  /** Takes the bytes of connections that open from now on, and passes nothing on. */
  hang(yes: boolean): void;
  /** What is open goes half-open: it takes bytes, and nothing comes back. */
  silence(): void;
  swallowed(): number;
}

async function proxyTo(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url);
  const state = { hangs: false, swallowed: 0 };
  const open = new Map<Socket, Socket>();
  const server = await tcpServer((socket: Socket) => {
    if (state.hangs) {
      state.swallowed += 1;
      return void socket.resume();
    }
    const venue = connect(Number(port), hostname);
    open.set(socket, venue);
    venue.on("error", () => socket.destroy());
    socket.on("close", () => venue.destroy());
    socket.pipe(venue).pipe(socket);
  });
  const silence = (): void => {
    for (const [socket, venue] of open) {
      socket.unpipe(venue).resume();
      venue.unpipe(socket);
    }
  };
  return { ...server, hang: (yes) => (state.hangs = yes), silence, swallowed: () => state.swallowed };
}

async function served() {
  const venue = await httpServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(success({ algoOrderId: "2190000000000777", clientOrderId: "stop-1" }).json));
  });
  const proxy = await proxyTo(venue.url);
  const env = realEnv();
  const log = recordingLog();
  const client = createTradingClient({
    env,
    log,
    baseUrl: proxy.url,
    ...keys,
    exchanges: ["EXCHANGE_A"],
  });
  closing.push(venue.close, proxy.close, () => client.close());
  return { client, proxy, venue, log };
}

test("a stop that nobody answers is given up early enough for a second one", { timeout: HANG_GUARD_MS }, async () => {
  const { client, proxy, venue } = await served();
  proxy.hang(true);
  const hung = await client.placeAlgo(stop);
  expect(hung).toMatchObject({ kind: "unknown" });
  const [, givenUpMs = "Infinity"] = /within (\d+) ms/.exec(hung.kind === "unknown" ? hung.message : "") ?? [];
  // A second one may hang as well, and leaves time to close the position.
  expect(2 * Number(givenUpMs)).toBeLessThan(BOUND_MS - 2_500);
  expect(proxy.swallowed()).toBe(1);
  proxy.hang(false);
  expect(await client.placeAlgo(stop)).toMatchObject({ kind: "done", value: { algoOrderId: "2190000000000777" } });
  expect(venue.requests).toHaveLength(1);
});

test("the move of a stop that nobody answers is given up as early", { timeout: HANG_GUARD_MS }, async () => {
  const { client, proxy } = await served();
  proxy.hang(true);
  const hung = await client.amendAlgo({ algoOrderId: "2190000000000777" }, { stopLossPrice: dec("58300") });
  expect(hung).toMatchObject({ kind: "unknown", message: expect.stringContaining("within 4000 ms") as string });
});

test("a read that nobody answers is given up as early, and asked again", { timeout: HANG_GUARD_MS }, async () => {
  const { client, proxy, venue, log } = await served();
  proxy.hang(true);
  const read = client.algo({ algoOrderId: "2190000000000777" });
  await expect.poll(proxy.swallowed, { timeout: HANG_GUARD_MS }).toBe(1);
  proxy.hang(false);
  await read;
  expect(log.lines.find(({ evt }) => evt === "venue.retry")?.msg).toContain("within 4000 ms");
  expect(venue.requests[0]).toContain("2190000000000777");
});

test("kept connections that went half-open hold up no stop: it has its own", { timeout: HANG_GUARD_MS }, async () => {
  const { client, proxy } = await served();
  await client.markPrices();
  proxy.silence();
  expect(await client.placeAlgo(stop)).toMatchObject({ kind: "done" });
});
