/** Market, user and news streams: their pushes become events, and their health becomes stream states. */
import type { AgentEvent } from "../agent/contract/events.ts";
import type { Context } from "../context/context.ts";
import type { Log } from "../core/log.ts";
import { counted } from "../core/words.ts";
import type { NetEnv } from "../net/network.ts";
import type { MarketSubscription } from "../domain/market.ts";
import { createNewsSource, type NewsSource } from "../news/news-source.ts";
import { parseSymbol } from "../domain/symbol.ts";
import type { MarketStream, UserStream, Venue } from "../domain/venue.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { ServiceAccess } from "../control/environment.ts";

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;
/** Events without a time, which the feed adds. */
export type Feed = (event: DistributiveOmit<AgentEvent, "atMs">) => void;

/** Nothing connects before `start`; `stop` waits only for the news source. */
export interface Streams {
  readonly market: MarketStream;
  readonly user: UserStream;
  readonly news: NewsSource;
  start(): void;
  stop(): Promise<void>;
}

const NEWS_LOOK_MS = 500;
const NEWS_CATCH_UP_MS = 6 * 3_600_000;

/** The agent's subscriptions for every symbol; klines of one interval, from which the others are built. */
const subscriptionsFor = (symbols: readonly string[]): readonly MarketSubscription[] =>
  symbols.flatMap((symbol) => [
    ...(["BBO", "ORDER_BOOK", "TRADE", "MARK_PRICE", "INDEX_PRICE", "TICKER", "OPEN_INTEREST"] as const).map(
      (channel) => ({ channel, symbol }),
    ),
    { channel: "KLINE" as const, symbol, interval: "1m" },
  ]);

/** The assets that news may be about: those listed at our venue. */
export const basesOf = (symbols: readonly string[]): readonly string[] =>
  symbols.flatMap((symbol) => {
    const parsed = parseSymbol(symbol);
    return parsed.ok ? [parsed.value.base] : [];
  });

/** What the streams are created from, and where their output goes. */
export interface StreamParts {
  readonly env: NetEnv;
  readonly log: Log;
  readonly access: ServiceAccess;
  readonly venue: Venue;
  readonly context: Context;
  readonly feed: Feed;
  readonly symbols: readonly string[];
  readonly recorder: Recorder | null;
}

/** Market and user streams report their states; the state of the news stream is polled twice a second. */
export function createStreams(parts: StreamParts): Streams {
  const { env, feed } = parts;
  const market = marketOf(parts);
  const user = userOf(parts);
  const news = newsOf(parts);
  let newsUp = false;
  let stopWatching: () => void = () => undefined;
  const watchNews = (): void => {
    const { up, reason } = news.health();
    if (up !== newsUp) feed({ kind: "stream", stream: "news", up, reason: up ? "subscribed" : reason });
    newsUp = up;
  };
  return {
    market,
    user,
    news,
    start: () => {
      market.want(subscriptionsFor(parts.symbols));
      market.start();
      user.start();
      news.start();
      stopWatching = env.clock.every(Math.max(NEWS_LOOK_MS, env.network?.stepMs ?? 0), watchNews);
    },
    stop: async () => {
      market.stop();
      user.stop();
      stopWatching();
      await news.stop();
    },
  };
}

/** Up means that every subscription was answered and at least one accepted. */
function marketOf({ venue, context, feed, recorder }: StreamParts): MarketStream {
  let marketUp = false;
  return venue.streams.market({
    sink: recorder ? recorder.tee(context.sink) : context.sink,
    onHealth: (health) => {
      const up = health.up && health.acknowledged > 0 && health.acknowledged + health.refused.length >= health.wanted;
      if (up !== marketUp)
        feed({
          kind: "stream",
          stream: "market",
          up,
          reason: `${health.acknowledged} of ${counted(health.wanted, "subscription")} on ${counted(health.sockets.up, "socket")}`,
        });
      if (!up) recorder?.gap();
      marketUp = up;
    },
  });
}

const userOf = ({ venue, feed }: StreamParts): UserStream =>
  venue.streams.user({
    order: (update) => feed({ kind: "order", update }),
    execution: (execution) => feed({ kind: "fill", execution }),
    position: (update) => feed({ kind: "position", update }),
    asset: (asset) => feed({ kind: "asset", asset }),
    algo: (algo) => feed({ kind: "algo", algo }),
    marginCall: (account) =>
      feed({ kind: "venue-alarm", what: `margin call on ${account.exchange} (${account.status})` }),
    liquidation: (liquidation) => feed({ kind: "venue-alarm", what: `liquidation on ${liquidation.symbol}` }),
    up: () => feed({ kind: "stream", stream: "user", up: true, reason: "logged in" }),
    down: (reason) => feed({ kind: "stream", stream: "user", up: false, reason }),
  });

const newsOf = ({ env, log, access, venue, feed, symbols, recorder }: StreamParts): NewsSource =>
  createNewsSource({
    env,
    log,
    restUrl: access.restUrl,
    wsUrl: access.feedsWsUrl,
    keys: { accessKey: access.accessKey, secretKey: access.secretKey },
    catchUpMs: NEWS_CATCH_UP_MS,
    venueNowMs: venue.clock.nowMs,
    bases: basesOf(symbols),
    onItem: (item, how) => {
      if (how === "new") recorder?.news(item);
      feed({ kind: "news", item });
    },
  });
