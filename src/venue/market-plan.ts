/** Assigns symbols to sockets. Pure; a symbol keeps its socket as long as it is wanted. Spec: 1 §8.2. */
import { MARKET_STREAM_LIMITS } from "../protocol/limits.ts";

/** Sockets by number, from 0, for each symbol that has one. */
export interface SocketPlan {
  readonly bySymbol: ReadonlyMap<string, number>;
  /** Symbols for which no connection has room. */
  readonly left: readonly string[];
}

/** The limit counts symbols, so all channels of a symbol share one socket. */
export function planSockets(before: SocketPlan, symbols: readonly string[], loggedIn: boolean): SocketPlan {
  const kind = loggedIn ? "authenticated" : "anonymous";
  const room = MARKET_STREAM_LIMITS.pairsPerConnection[kind];
  const sockets = MARKET_STREAM_LIMITS.connectionsPerIp[kind];
  const bySymbol = new Map<string, number>();
  const load = new Array<number>(sockets).fill(0);
  const put = (symbol: string, socket: number): void => {
    bySymbol.set(symbol, socket);
    load[socket] = (load[socket] ?? 0) + 1;
  };
  for (const symbol of symbols) {
    const kept = before.bySymbol.get(symbol);
    if (kept !== undefined && (load[kept] ?? room) < room) put(symbol, kept);
  }
  const left: string[] = [];
  for (const symbol of symbols) {
    if (bySymbol.has(symbol)) continue;
    const free = load.findIndex((count) => count < room);
    if (free < 0) left.push(symbol);
    else put(symbol, free);
  }
  return { bySymbol, left };
}

/** The initial plan. */
export const EMPTY_PLAN: SocketPlan = { bySymbol: new Map(), left: [] };
