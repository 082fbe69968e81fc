/** All actions of faults and of the control port on the service. */
import type { Env } from "../../../core/ids.ts";
import type { Exchange } from "../../exchange/contract/api.ts";
import type { FaultWorld } from "../../faults/fault.ts";
import type { FeedStore } from "../../feed/feed-store.ts";
import { itemFrom } from "../../feed/inject.ts";
import type { Tape } from "../../market/tape.ts";
import type { GatewayService } from "../../model/gateway.ts";
import type { ApiKey, KeyBook } from "../access/key-book.ts";
import type { Servers } from "./open-servers.ts";

/** The parts of a running service that `host.ts` has assembled. */
export interface WorldOptions {
  readonly env: Env;
  readonly exchange: Exchange;
  readonly tape: Tape;
  readonly store: FeedStore;
  readonly gateway: GatewayService;
  readonly keys: KeyBook;
  readonly servers: Servers;
}

/** Created once by `host.ts`, for the fault board and the control calls. */
export function faultWorld(options: WorldOptions): FaultWorld {
  const { env, exchange, tape, store, gateway, keys, servers } = options;
  const { market, user, feed } = servers;
  return {
    env,
    exchange,
    model: gateway.behaviour,
    cutMarketSockets: (chosen) => market.disconnect(() => !chosen()),
    deafenMarketSockets: () => market.deafen(),
    cutUserSockets: () => user.disconnect(),
    cutNewsSockets: () => feed.disconnect(),
    releaseUserPush: (push) => user.release(push),
    releaseMarketFrame: (frame) => market.hub.release(frame),
    releaseNews: (message) => feed.release(message),
    injectNews: (injection) =>
      store.add(itemFrom(injection, { id: store.nextId(), nowMs: Math.floor(env.clock.nowMs()) })),
    pushPrice: (symbol, move, overMs) => tape.push(symbol, move, overMs),
    barKeys: keyBars(keys),
  };
}

/** Bars may overlap and end in any order: the newest active one wins, and without any each key has its own status. */
function keyBars(keys: KeyBook): FaultWorld["barKeys"] {
  const bars = new Set<{ readonly status: ApiKey["status"] }>();
  const own = new Map<ApiKey, ApiKey["status"]>();
  const apply = (): void => {
    const newest = [...bars].at(-1);
    for (const key of keys.all()) {
      if (!own.has(key)) own.set(key, key.status);
      key.status = newest?.status ?? own.get(key) ?? key.status;
    }
    if (!newest) own.clear();
  };
  return (status) => {
    const bar = { status };
    bars.add(bar);
    apply();
    return () => {
      bars.delete(bar);
      apply();
    };
  };
}
