/**
 * The market stream over as many connections as it needs: `want` sets the subscriptions, and the sink receives the
 * frames. Spreads symbols over sockets within the documented limits. Keeps no prices. Spec: 1 §6.1, §8.2; records
 * §10.
 */
import type { Log } from "../core/log.ts";
import type { NetEnv } from "../net/network.ts";
import type { MarketSubscription } from "../domain/market.ts";
import type { MarketListener, MarketStream, MarketStreamHealth } from "../domain/venue.ts";
import { createRateLimiter } from "../net/rate-limit.ts";
import { EMPTY_PLAN, planSockets } from "./market-plan.ts";
import { createMarketSocket, type MarketSocket } from "./market-socket.ts";
import type { StreamKeys } from "./stream-login.ts";
import type { Item } from "./subscriptions.ts";
import { createVenueClock, type VenueClock } from "./venue-clock.ts";

/** `sink` receives every frame as it arrives and must not throw. Without `venueClock` the stream has its own. */
export interface MarketStreamOptions extends MarketListener {
  readonly env: NetEnv;
  readonly log: Log;
  /** `ws(s)://host[:port]/marketdata/v2/public`. */
  readonly url: string;
  /** A connection carries 50 symbols with keys, 5 without. */
  readonly keys?: StreamKeys;
  /** True for gzip frames, false for text frames. */
  readonly binary: boolean;
  /** Signs the logins; updated by the pongs. */
  readonly venueClock?: VenueClock;
}

/** Opens no connection before `start`, and only as many as `want` needs. */
export function createMarketStream(options: MarketStreamOptions): MarketStream {
  const { env } = options;
  const url = options.binary ? options.url : withTextFrames(options.url);
  const shared = {
    ...options,
    url,
    keys: options.keys ?? null,
    limiter: createRateLimiter(env.clock),
    venueClock: options.venueClock ?? createVenueClock(env.clock),
    onChange: () => options.onHealth?.(health()),
  };
  const sockets = new Map<number, MarketSocket>();
  let plan = EMPTY_PLAN;
  let wanted: readonly MarketSubscription[] = [];
  let running = false;

  const socketOf = (index: number): MarketSocket => {
    const socket = sockets.get(index) ?? createMarketSocket({ ...shared, name: `market-${index + 1}` });
    if (!sockets.has(index) && running) socket.start();
    sockets.set(index, socket);
    return socket;
  };
  const want = (subscriptions: readonly MarketSubscription[]): void => {
    wanted = subscriptions;
    const symbols = [...new Set(subscriptions.map((subscription) => subscription.symbol))];
    plan = planSockets(plan, symbols, shared.keys !== null);
    const bySocket = new Map<number, MarketSubscription[]>();
    for (const subscription of subscriptions) {
      const index = plan.bySymbol.get(subscription.symbol);
      if (index !== undefined) bySocket.set(index, [...(bySocket.get(index) ?? []), subscription]);
    }
    for (const [index, socket] of sockets) {
      if (bySocket.has(index)) continue;
      socket.stop();
      sockets.delete(index);
    }
    for (const [index, mine] of bySocket) socketOf(index).want(mine);
  };
  const health = (): MarketStreamHealth => healthOf([...sockets.values()], wanted, plan.left);

  return {
    want,
    health,
    start: () => {
      running = true;
      for (const socket of sockets.values()) socket.start();
    },
    stop: () => {
      running = false;
      for (const socket of sockets.values()) socket.stop();
    },
  };
}

/** `left` are the wanted symbols that no connection has room for. */
function healthOf(
  sockets: readonly MarketSocket[],
  wanted: readonly MarketSubscription[],
  left: readonly string[],
): MarketStreamHealth {
  const items = sockets.flatMap((socket) => [...socket.subscriptions.items.values()]);
  const states = sockets.map((socket) => socket.socket.health());
  const up = states.filter((state) => state.state === "up").length;
  const times = states.map((state) => state.lastFrameAtMs).filter((atMs) => atMs !== null);
  const withoutRoom = wanted
    .filter(({ symbol }) => left.includes(symbol))
    .map(({ symbol, channel }) => ({ symbol, channel, code: "no-room" }));
  return {
    up: sockets.length > 0 && up === sockets.length,
    sockets: { up, needed: sockets.length },
    acknowledged: items.filter((item) => item.state === "acknowledged").length,
    wanted: wanted.length,
    refused: [...items.filter((item) => item.state === "refused").map(refusalOf), ...withoutRoom],
    lastFrameAtMs: times.length > 0 ? Math.max(...times) : null,
    reason: states.find((state) => state.state !== "up" && state.reason !== "")?.reason ?? "",
  };
}

const refusalOf = ({ subscription, code }: Item) => ({
  symbol: subscription.symbol,
  channel: subscription.channel,
  code,
});

/** Spec: 1 §4.7. */
function withTextFrames(text: string): string {
  const url = new URL(text);
  url.searchParams.set("binary", "false");
  return url.href;
}
