/** Signed order round trips over loopback beside a bare Node HTTP echo of the same body sizes. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { seededEntropy } from "../../src/core/entropy.ts";
import { timedIds } from "../../src/core/ids.ts";
import { silentLog } from "../../src/core/log.ts";
import { canonicalQuery, plainParams, signHeaders } from "../../src/net/sign.ts";
import { type SimService, startSimService } from "../../src/sim/service.ts";

const SYMBOL = "EXCHANGE_A_PERP_BTC_USDT";
const ORDER_PATH = "/api/v1/trading/order";
const CONNECTIONS = 4;

export interface RestFigures {
  /** Round trips per second. */
  readonly orders: number;
  readonly echo: number;
  /** Time of an order round trip over that of the echo, per round; the median. */
  readonly overhead: number;
}

/** Real time with a monotonic clock that leaps ahead at every reading, so that no rate limit fills. */
function leapingClock(): Clock {
  const real = systemClock();
  let leaps = 0;
  return { ...real, monotonicMs: () => real.monotonicMs() + 1e6 * ++leaps };
}

function startVenue(): Promise<SimService> {
  const clock = leapingClock();
  const entropy = seededEntropy("bench-rest");
  return startSimService({
    env: { clock, entropy, ids: timedIds(() => clock.nowMs(), entropy) },
    log: silentLog,
    host: "127.0.0.1",
    port: 0,
    controlPort: 0,
    exchanges: ["EXCHANGE_A"],
    phase: 1,
    seed: "bench-rest",
    symbols: [SYMBOL],
    settings: { enforceLeverageCap: false },
  });
}

/** Reads the whole body and replies with a fixed text. */
async function startEcho(reply: string): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      Buffer.concat(chunks).toString("utf8");
      response.writeHead(200, { "content-type": "application/json", "content-length": String(reply.length) });
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

interface Order {
  readonly [field: string]: string;
}

/** A limit order far from the market, which rests until it is cancelled. */
function farOrder({ exchange }: SimService): Order {
  const tick = exchange.symbols.find(({ rules }) => rules.symbol === SYMBOL)?.rules.tickSize;
  const [best] = exchange.book(SYMBOL).bids;
  if (tick === undefined || best === undefined) throw new Error(`${SYMBOL} has no book`);
  return {
    sym: SYMBOL,
    side: "BUY",
    positionSide: "LONG",
    orderType: "LIMIT",
    timeInForce: "GTC",
    orderQty: "0.01",
    limitPrice: tick.mul(Math.floor(best[0] * 0.8)).toFixed(),
  };
}

type Trip = (pool: Pool, method: "POST" | "DELETE", params: Order) => Promise<string>;

/** Client and venue sign alike; the echo gets the same requests, including the signature. */
function signedTrip({ ready }: SimService): Trip {
  return async (pool, method, params) => {
    const plain = plainParams(params);
    if (!plain.ok) throw new Error(plain.error);
    const headers = { ...signHeaders(ready, plain.value, Math.floor(Date.now() / 1_000)) };
    const inQuery = method === "DELETE";
    const path = inQuery ? `${ORDER_PATH}?${canonicalQuery(plain.value)}` : ORDER_PATH;
    const reply = await pool.request({ method, path, headers, ...(inQuery ? {} : { body: JSON.stringify(params) }) });
    return reply.body.text();
  };
}

/** An order and its cancel: two round trips. Returns the reply of the first. */
async function orderAndCancel(trip: Trip, pool: Pool, order: Order): Promise<string> {
  const placed = await trip(pool, "POST", order);
  const orderId = /"orderId":"(\d+)"/.exec(placed)?.[1] ?? "";
  const cancelled = await trip(pool, "DELETE", { orderId });
  if (orderId === "" || !cancelled.includes(`"orderId":"${orderId}"`)) {
    throw new Error(`order round trip failed: ${placed} ${cancelled}`);
  }
  return placed;
}

/** Round trips per second for this many pairs, over a few parallel connections. */
async function timed(trip: Trip, pool: Pool, { order, pairs }: { order: Order; pairs: number }): Promise<number> {
  let left = pairs;
  const begin = process.hrtime.bigint();
  const worker = async (): Promise<void> => {
    while (left-- > 0) await orderAndCancel(trip, pool, order);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (2 * pairs * 1e9) / Number(process.hrtime.bigint() - begin);
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Rounds of both alternate, so that other load on the machine affects both alike. */
export async function benchRest(given: { readonly rounds: number; readonly pairs: number }): Promise<RestFigures> {
  const service = await startVenue();
  const trip = signedTrip(service);
  const venue = new Pool(service.ready.restUrl, { connections: CONNECTIONS });
  const order = farOrder(service);
  const work = { order, pairs: given.pairs };
  const server = await startEcho(await orderAndCancel(trip, venue, order));
  const echo = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: CONNECTIONS });
  const rounds: { orders: number; echo: number }[] = [];
  for (let round = -1; round < given.rounds; round++) {
    const figures = { orders: await timed(trip, venue, work), echo: await timed(trip, echo, work) };
    // The first round warms up.
    if (round >= 0) rounds.push(figures);
  }
  await Promise.all([venue.close(), echo.close()]);
  server.close();
  await service.stop();
  return {
    orders: Math.max(...rounds.map(({ orders }) => orders)),
    echo: Math.max(...rounds.map((figures) => figures.echo)),
    overhead: middle(rounds.map((figures) => figures.echo / figures.orders)),
  };
}
