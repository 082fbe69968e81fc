/**
 * Connects the surfaces to one exchange. Creates everything that talks to participants. It makes no trading decision
 * and does not know whether a port is open. Architecture §7.
 */
import type { Clock } from "../../../core/clock.ts";
import type { Env } from "../../../core/ids.ts";
import type { Log } from "../../../core/log.ts";
import type { FaultBoard } from "../../faults/board.ts";
import type { Exchange } from "../../exchange/contract/api.ts";
import type { FeedStore } from "../../feed/feed-store.ts";
import type { GatewayService } from "../../model/gateway.ts";
import { aiHandler } from "./ai-routes.ts";
import { feedRoutes } from "../news/feed-rest.ts";
import { FeedStreamServer } from "../news/feed-stream.ts";
import type { Handlers, SocketHandler } from "../transport/handlers.ts";
import type { KeyBook } from "../access/key-book.ts";
import { marketSourceOf } from "../market-stream/market-source.ts";
import { MarketStreamServer } from "../market-stream/market-stream.ts";
import { Presence } from "../access/presence.ts";
import { STEP_MS } from "./pulse.ts";
import { restHandler, type RestServerOptions } from "../rest/rest-server.ts";
import { WindowTable } from "../access/sliding-window.ts";
import type { SlowReaderLimits } from "../transport/stream-socket.ts";
import { tradingRoutes } from "../rest/trading-rest.ts";
import { UserStreamServer } from "../user-stream/user-stream.ts";
import type { LineFile } from "../../wire/line-file.ts";
import { WireLog } from "../access/wire-log.ts";

/** With `wireLogFile` null the wire log is kept in memory only. */
export interface ServersOptions {
  readonly env: Env;
  readonly log: Log;
  readonly exchange: Exchange;
  readonly store: FeedStore;
  readonly gateway: GatewayService;
  readonly keys: KeyBook;
  readonly faults: FaultBoard;
  readonly wireLogFile: LineFile | null;
  readonly watchCall?: RestServerOptions["watchCall"];
  readonly slowReader?: SlowReaderLimits;
  readonly stepMs?: number;
  /** Multiplies the windows of the request and order-action rates; default 1. */
  readonly rateStretch?: number;
}

/** The open surfaces, for faults and control calls. */
export interface Servers {
  /** The participants' entry points, on a port or in process. */
  readonly handlers: Handlers;
  readonly market: MarketStreamServer;
  readonly user: UserStreamServer;
  readonly feed: FeedStreamServer;
  readonly wireLog: WireLog;
  readonly presence: Presence;
  stop(): Promise<void>;
}

/** The service's clocks: a fault may skew `visible`; `steady` never goes back and is the exchange's. */
export interface ServiceTime {
  visible(): number;
  steady(): number;
  monotonic(): number;
}

/** Derives all three from one clock. `steady` is in whole milliseconds, as the exchange requires. */
export function serviceTime(clock: Clock, faults: FaultBoard): ServiceTime {
  let lastMs = 0;
  return {
    visible: () => clock.nowMs() + faults.skewMs(),
    steady: () => (lastMs = Math.max(lastMs, Math.floor(clock.nowMs()))),
    monotonic: () => clock.monotonicMs(),
  };
}

/** The streams are started, but receive nothing until the handlers are served. */
export function openServers(options: ServersOptions): Servers {
  const { env, exchange, faults, keys, store, gateway } = options;
  const { clock } = env;
  const time = serviceTime(clock, faults);
  const shared = {
    clock,
    exchange,
    keys,
    faults,
    store,
    windows: new WindowTable({ stretch: options.rateStretch ?? 1 }),
    presence: new Presence(() => clock.nowMs()),
    wireLog: new WireLog({ nowMs: time.steady, cap: 50_000, file: options.wireLogFile }),
    nowMs: time.visible,
    exchangeNowMs: time.steady,
    monotonicMs: time.monotonic,
  };
  const market = new MarketStreamServer({
    ...shared,
    source: marketSourceOf(exchange),
    isFrozen: (accountId) => exchange.isFrozen(accountId),
    ...(options.slowReader ? { slowReader: options.slowReader } : {}),
    stepMs: options.stepMs ?? STEP_MS,
  });
  const user = new UserStreamServer(shared);
  const feed = new FeedStreamServer(shared);
  const routes = new Map([...tradingRoutes(shared), ...feedRoutes(shared)]);
  const handlers = {
    http: {
      "": restHandler({ ...shared, routes, watchCall: options.watchCall ?? (() => null) }),
      ai: aiHandler({ gateway, faults }),
    },
    sockets: [marketHandler(market), userHandler(user), feedHandler(feed)],
  };
  const streams = [market, user, feed];
  for (const stream of streams) stream.start();
  const { presence, wireLog } = shared;
  const stop = async (): Promise<void> => {
    for (const stream of streams) stream.stop();
    await wireLog.stop();
  };
  return { handlers, market, user, feed, wireLog, presence, stop };
}

const marketHandler = (market: MarketStreamServer): SocketHandler => ({
  path: "/marketdata/v2/public",
  refuse: () => null,
  accept: (ws, address, query) => market.accept(ws, address, query.get("binary") !== "false"),
});

const userHandler = (user: UserStreamServer): SocketHandler => ({
  path: "/v1/private",
  refuse: () => null,
  accept: (ws, address) => user.accept(ws, address),
});

const feedHandler = (feed: FeedStreamServer): SocketHandler => ({
  path: "/feeds/v2/public",
  refuse: (address) => (feed.isFull(address) ? 429 : null),
  accept: (ws, address) => feed.accept(ws, address),
});
