/**
 * The rolling context: market, news and rules in, an immutable snapshot out. It has no sockets and no account; time
 * is an argument of every call. `caps` bounds everything in it.
 */
import type { Headroom } from "../domain/competition.ts";
import { filling, type Gauge } from "../core/bounded.ts";
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import { type Candle, KLINE_INTERVAL_MS, type MarketSink } from "../domain/market.ts";
import type { NewsItem } from "../domain/news-item.ts";
import type { Funding } from "../domain/position.ts";
import { baseOf, type SymbolRules } from "../domain/symbol.ts";
import { FactBook, type FactPoint, type FactTerms } from "./facts.ts";
import type { FundingSettlement } from "./funding-history.ts";
import { freshHours } from "./hours.ts";
import { createMarketPath } from "./market-path.ts";
import { type MarketReads, marketReads } from "./market-reads.ts";
import { missingWords } from "./missing.ts";
import { newsRecords, type PricesOf } from "./news-record.ts";
import { NewsWindow } from "./news-window.ts";
import type { InterestReading } from "./open-interest.ts";
import type { AccountView, Snapshot, SymbolView } from "./snapshot.ts";
import { SymbolState } from "./symbol-state.ts";
import { symbolViewOf } from "./symbol-view.ts";

/** Maximum amounts kept and shown; `newsMaxAgeMs` counts from our first sight of an item. */
export interface ContextCaps {
  /** Minute bars kept per symbol; slightly more than two days by default. */
  readonly minuteBars: number;
  /** Hour bars kept per symbol: enough for an average over 256 hours to forget where it began. */
  readonly hourBars: number;
  /** Bars kept of every other interval. */
  readonly bars: number;
  /** Bars of each interval in a snapshot. */
  readonly barsShown: number;
  readonly newsKept: number;
  readonly newsShown: number;
  readonly newsMaxAgeMs: number;
}

/**
 * Default caps: 50 hours of minutes, 50 days of hours. A bar is 48 bytes, so that minutes and hours of a symbol take
 * 0.2 MB, those of 50 symbols 10 MB.
 */
export const DEFAULT_CAPS: ContextCaps = {
  minuteBars: 3_000,
  hourBars: 1_200,
  bars: 200,
  barsShown: 120,
  newsKept: 400,
  newsShown: 24,
  newsMaxAgeMs: 12 * HOUR_MS,
};

/** Fixed for the life of a context. */
export interface ContextSetup {
  /** Canonical symbols. Others are ignored and counted. */
  readonly universe: readonly string[];
  /** The reference symbol of correlations; by default the first of the universe. */
  readonly leader?: string;
  /** Kline intervals to keep, as the venue spells them; "1m" is always kept. */
  readonly intervals?: readonly string[];
  /** Sources of the owner's own data; none by default. */
  readonly sources?: readonly FactTerms[];
  readonly caps?: Partial<ContextCaps>;
}

/** Facts that the context cannot know by itself. `atMs` is on the clock that stamps arriving frames. */
export interface SnapshotInput {
  readonly atMs: number;
  readonly account: AccountView | null;
  readonly headroom: Headroom;
}

/** Counters since the start, for the status page. */
export interface ContextCounts {
  readonly unknownSymbol: number;
  readonly badBars: number;
  readonly refusedPrices: number;
  readonly reordered: number;
  readonly bookGaps: number;
  readonly newsDropped: number;
}

/** Streams write through `sink`, the agent reads on its ticks. Symbols outside the universe are ignored. */
export interface Context extends MarketReads {
  readonly sink: MarketSink;
  onFunding(funding: Funding): void;
  onRules(rules: readonly SymbolRules[]): void;
  onNews(item: NewsItem): void;
  /** Points of a source that the setup names, rising in time and newer than all before. */
  onFacts(source: string, points: readonly FactPoint[]): void;
  /** The venue's clock minus ours, ms; used for ages by venue time. */
  onClockOffset(offsetMs: number): void;
  /** Bars from history, oldest first, in any order of intervals. Pushed bars take precedence. */
  warmUp(symbol: string, interval: string, candles: readonly Candle[]): void;
  /** The mark at which the venue values a position, and its entry price: a check on the stream's prices. */
  vouch(symbol: string, valued: { readonly mark: number; readonly entry: number }, nowMs: number): void;
  /** Past open interest, oldest first. Pushed readings take precedence. */
  warmUpInterest(symbol: string, readings: readonly InterestReading[]): void;
  /** Past settlements of funding. */
  warmUpFunding(symbol: string, settlements: readonly FundingSettlement[]): void;
  snapshot(input: SnapshotInput): Snapshot;
  counts(): ContextCounts;
  /** Every collection with its cap, for the status page and the soak tests. */
  gauges(): readonly Gauge[];
}

/** By symbol, the same coin on another exchange. */
function twinsOf(universe: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const symbol of universe) {
    const twin = universe.find((other) => other !== symbol && baseOf(other) === baseOf(symbol));
    if (twin !== undefined) found.set(symbol, twin);
  }
  return found;
}

function intervalsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>([["1m", 60_000]]);
  for (const name of names) {
    const length = KLINE_INTERVAL_MS[name];
    if (length === undefined) throw new RangeError(`intervals: ${JSON.stringify(name)} is not a kline interval`);
    lengths.set(name, length);
  }
  return lengths;
}

/** Keeps bars of "1m", "5m" and "1H" by default. Throws RangeError on an unknown interval. */
export function createContext(setup: ContextSetup): Context {
  const caps: ContextCaps = { ...DEFAULT_CAPS, ...setup.caps };
  const intervals = intervalsOf(setup.intervals ?? ["5m", "1H"]);
  const states = new Map(setup.universe.map((symbol) => [symbol, new SymbolState(symbol, intervals, caps)]));
  const leader = states.get(setup.leader ?? setup.universe[0] ?? "");
  const twins = twinsOf(setup.universe);
  const path = createMarketPath(states);
  const news = new NewsWindow(
    { kept: caps.newsKept, shown: caps.newsShown, maxAgeMs: caps.newsMaxAgeMs },
    new Set(setup.universe.map(baseOf)),
  );
  const factBook = new FactBook(setup.sources ?? []);

  return {
    ...marketReads(states),
    sink: path.sink,
    onFunding: (funding) => {
      states.get(funding.symbol)?.fundingRead(funding, path.lastMs());
    },
    onRules: (rules) => {
      for (const rule of rules) {
        const state = states.get(rule.symbol);
        if (state) state.rules = rule;
      }
    },
    onNews: (item) => news.add(item),
    onFacts: (source, points) => factBook.add(source, points),
    onClockOffset: (offsetMs) => {
      for (const state of states.values()) state.clockIs(offsetMs);
    },
    warmUp: (symbol, interval, candles) => states.get(symbol)?.bars.load(interval, candles),
    vouch: (symbol, { mark, entry }, nowMs) => states.get(symbol)?.vouch(mark, entry, nowMs),
    warmUpInterest: (symbol, readings) => states.get(symbol)?.openInterest.load(readings),
    warmUpFunding: (symbol, settlements) => states.get(symbol)?.funding.load(settlements),
    snapshot: ({ atMs, account, headroom }) => {
      const input = { nowMs: atMs, leader, barsShown: caps.barsShown };
      const symbols = [...states.values()].map((state) =>
        symbolViewOf(state, { ...input, twin: states.get(twins.get(state.symbol) ?? "") }),
      );
      const heldBases = new Set(account?.positions.map(({ position }) => baseOf(position.symbol)));
      const held = (symbol: string): boolean => states.get(symbol)?.sanity.held(atMs) ?? false;
      const hoursKnown = (symbol: string): number => freshHours(states.get(symbol)?.bars.series.get("1H"), atMs);
      const facts = factBook.at(atMs);
      const shown = news.ranked(atMs, heldBases);
      return Object.freeze({
        atMs,
        symbols: Object.freeze(symbols),
        news: shown,
        newsRecords: newsRecords(shown, news.all(), pricesOf(states, symbols), atMs),
        account,
        headroom,
        facts,
        missing: missingWords({ symbols, held, hoursKnown, account, newsSeen: news.isSeen, facts }),
      });
    },
    counts: () => ({
      ...path.counts,
      ...countsOf([...states.values()]),
      newsDropped: news.dropped,
    }),
    gauges: () => [...gaugesOf([...states.values()]), news.gauge(), ...factBook.gauges()],
  };
}

const PRICE_WITHIN_MS = 5 * MINUTE_MS;

/** Of a coin on several instruments the first one counts. */
function pricesOf(states: ReadonlyMap<string, SymbolState>, views: readonly SymbolView[]): PricesOf {
  const byBase = new Map(views.toReversed().map((view) => [view.base, view]));
  return {
    priceBefore: (base, atMs) => {
      const minutes = states.get(byBase.get(base)?.symbol ?? "")?.bars.series.get("1m");
      return minutes?.closeBefore(atMs, PRICE_WITHIN_MS) ?? null;
    },
    volatilityHour: (base) => byBase.get(base)?.volatilityHour ?? null,
  };
}

/** Of all symbols together. */
function countsOf(states: readonly SymbolState[]): Pick<ContextCounts, "refusedPrices" | "reordered" | "bookGaps"> {
  const sum = (count: (state: SymbolState) => number): number =>
    states.reduce((total, state) => total + count(state), 0);
  return {
    refusedPrices: sum(({ sanity }) => sanity.refused),
    reordered: sum(({ reordered, book }) => reordered + book.dropped),
    bookGaps: sum(({ book }) => book.gaps),
  };
}

/** Collections of all symbols combined, one gauge per kind. */
function gaugesOf(states: readonly SymbolState[]): readonly Gauge[] {
  const sums = new Map<string, { size: number; cap: number }>();
  for (const state of states) {
    for (const { name, size, cap } of state.gauges()) {
      const sum = sums.get(name) ?? { size: 0, cap: 0 };
      sums.set(name, { size: sum.size + size, cap: sum.cap + cap });
    }
  }
  return [...sums].map(([name, { size, cap }]) => filling(name, size, cap));
}
