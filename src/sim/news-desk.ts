/** Fills the feed: the past at the start, then item by item over time, for stream and queries. */
import type { Env } from "../core/ids.ts";
import { parseSymbol } from "../domain/symbol.ts";
import { createFeedStore, type FeedStore } from "./feed/feed-store.ts";
import { createGeneratedNews } from "./feed/generated-news.ts";
import type { FeedSource } from "./feed/news-source.ts";
import { createReplayedNews, hasNews, readHeadlines } from "./feed/replayed-news.ts";
import type { ChosenMarket } from "./choose-market.ts";
import type { Tape } from "./market/tape.ts";
import type { MarketDisguise } from "./options.ts";

const EVERY_MS = 1_000;
const REAL_EVERY_MS = 50;

/** The running feed. `stop` ends new items; stored items remain available to queries. */
export interface NewsDesk {
  readonly store: FeedStore;
  stop(): void;
}

interface NewsSetup {
  readonly env: Env;
  readonly market: ChosenMarket;
  readonly data?: string | undefined;
  readonly disguise?: MarketDisguise | undefined;
  /** False: generated news appears as usual but moves no price. */
  readonly movesPrices?: boolean;
  /** News items appear at most once per market step. */
  readonly stepMs: number;
  /** How far back generated news goes; by default as far as queries reach. */
  readonly pastMs?: number | undefined;
}

/** Recorded news with recorded prices, if the folder has any; else generated news, some of which moves prices. */
function sourceOf({ env, market, data, disguise, movesPrices = true, pastMs }: NewsSetup): FeedSource {
  const { tape, offsetMs } = market;
  const headlines = data === undefined || offsetMs === null || !hasNews(data) ? null : readHeadlines(data);
  if (headlines && offsetMs) {
    if (!headlines.ok) throw new RangeError(`news in ${data}: ${headlines.error}`);
    if (headlines.value.length > 0)
      return createReplayedNews({ headlines: headlines.value, offsetMs, ...(disguise ? { disguise } : {}) });
  }
  const symbolsOf = symbolsByBase(tape);
  return createGeneratedNews({
    entropy: env.entropy.fork("news"),
    bases: [...symbolsOf.keys()],
    ...(pastMs === undefined ? {} : { pastMs }),
    push: (base, move, overMs) => {
      const first = symbolsOf.get(base);
      // Symbols of one base share its path, so one push moves them all.
      if (movesPrices && first !== undefined) tape.push(first, move, overMs);
    },
  });
}

/** The tape must be running: it gives recorded news its time. */
export function startNews(setup: NewsSetup): NewsDesk {
  const { clock } = setup.env;
  const source = sourceOf(setup);
  const store = createFeedStore();
  const now = (): number => Math.floor(clock.nowMs());
  store.backfill(source.history(now()));
  const stop = clock.every(Math.max(EVERY_MS, setup.stepMs, REAL_EVERY_MS * clock.scale), () => {
    for (const item of source.step(now())) store.add(item);
  });
  return { store, stop };
}

function symbolsByBase(tape: Tape): ReadonlyMap<string, string> {
  const byBase = new Map<string, string>();
  for (const { rules } of tape.symbols) {
    const parts = parseSymbol(rules.symbol);
    if (parts.ok && !byBase.has(parts.value.base)) byBase.set(parts.value.base, rules.symbol);
  }
  return byBase;
}
