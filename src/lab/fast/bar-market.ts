/** All symbols of a run as one market: it moves the exchange and quotes to the agent's context, minute by minute. */
import type { MarketSink } from "../../domain/market.ts";
import { MINUTE_MS } from "../../core/time.ts";
import { NO_FUNDING_RATE, type Recorded } from "../../sim/market/recorded.ts";
import type { KnownPrices } from "./bar-path.ts";
import type { BareExchange } from "./bare-exchange.ts";
import {
  type BarFeed,
  createBarFeed,
  BOOK_LEVELS,
  bookSideOf,
  depthOf,
  enterBar,
  FUNDING_GRID_MS,
  type MinuteBar,
  minuteOf,
  rangeOf,
  orderUnit,
  priceAt,
  turnsBetween,
} from "./bar-feed.ts";
import type { Depth } from "./carried.ts";

/** A followed price is shown to the agent after a move of this fraction since its last tick. */
const LOOK_MOVE = 0.002;
/** Largest move, fraction of price, of a symbol with exposure between two instants. */
const STEP_MAX = 0.0015;

/** Which price moves the agent must see between its regular ticks. */
export interface PriceWatch {
  /** Whether it must see each move of the symbol's price. */
  follows(symbol: string): boolean;
  /** The change of the account's equity since its last tick that it must see, USDT. */
  equityMoveUsdt(): number;
}

export interface BarMarket {
  readonly symbols: readonly string[];
  depth(symbol: string): Depth;
  /** Call once, with the exchange of these symbols. */
  start(bare: BareExchange, nowMs: number): void;
  /** Opens the minute: enters bars, halts symbols without one, and renews settled funding. */
  openMinute(nowMs: number): void;
  /**
   * The instants of the minute, except its end, at which prices must be set: where a symbol moves so far that the agent
   * must see it, or its price touches an order or a stop of the account.
   */
  instants(openMs: number, watch: PriceWatch): readonly number[];
  /** Sets every price to its value at that instant of the minute. */
  putPrices(nowMs: number): void;
  /** Whether any symbol has exposure. */
  atStake(): boolean;
  /** Whether prices have moved far enough since its last tick that the agent must see them. */
  ranFar(watch: PriceWatch): boolean;
  /** Called at the end of the minute that began at `openMs`: reports its bar, its trades and the books. */
  closeMinute(sink: MarketSink, openMs: number): void;
  /** Quotes the current prices, with books if they may determine the size of an order. */
  quote(sink: MarketSink, nowMs: number, books: boolean): void;
}

/** Starts at the first bar that covers the start of the run. */
export function createBarMarket(
  recorded: readonly Recorded[],
  known: ReadonlyMap<string, KnownPrices> = new Map(),
): BarMarket {
  const feeds = recorded.map((each) => createBarFeed(each, known.get(each.spec.rules.symbol) ?? null));
  const bySymbol = new Map(feeds.map((feed) => [feed.symbol, feed]));
  const live = new Set<BarFeed>();
  const minute: MinuteBar = { open: 0, high: 0, low: 0, close: 0, volume: 0, upShare: 0 };
  let bare: BareExchange | null = null;
  /** Symbols that need several instants in the current minute. */
  const restless = new Set<BarFeed>();
  const isRestless = (feed: BarFeed, openMs: number, { follows, equityMoveUsdt }: PriceWatch): boolean => {
    if (!bare?.atStake(feed.symbol)) return false;
    rangeOf(feed, openMs, minute);
    const { high, low, open } = minute;
    return (
      (high - low > LOOK_MOVE * open && follows(feed.symbol)) ||
      Math.abs(bare.gain(feed.symbol, high - low)) > equityMoveUsdt() ||
      bare.reaches(feed.symbol, low, high)
    );
  };
  const leaning = ({ symbol }: BarFeed): number => bare?.leaning(symbol) ?? 0;
  return {
    symbols: feeds.map(({ symbol }) => symbol),
    depth: (symbol) => {
      const feed = bySymbol.get(symbol);
      return feed ? depthOf(feed) : { halfSpread: 0, levels: [] };
    },
    start: (exchange, nowMs) => {
      bare = exchange;
      for (const feed of feeds) {
        exchange.exchange.market.setState(feed.symbol, "halted");
        renewFunding(exchange, feed, nowMs);
      }
    },
    openMinute: (nowMs) => {
      if (!bare) return;
      for (const feed of feeds) {
        const covered = enterBar(feed, nowMs, leaning(feed));
        if (covered !== live.has(feed)) {
          bare.setTrading(feed.symbol, covered);
          if (covered) live.add(feed);
          else live.delete(feed);
        }
        if (nowMs % (5 * MINUTE_MS) === 0) renewFunding(bare, feed, nowMs);
      }
    },
    instants: (openMs, watch) => {
      restless.clear();
      for (const feed of live) if (isRestless(feed, openMs, watch)) restless.add(feed);
      return restless.size === 0 ? NONE : instantsOf(restless, openMs);
    },
    putPrices: (nowMs) => {
      for (const feed of live) feed.price = priceAt(feed, nowMs);
      bare?.run(live, nowMs);
    },
    atStake: () => feeds.some(({ symbol }) => bare?.atStake(symbol)),
    ranFar: ({ follows, equityMoveUsdt }) => {
      if (!bare) return false;
      let gained = 0;
      for (const { symbol, price, shown } of live) {
        if (!bare.atStake(symbol)) continue;
        if (Math.abs(Math.log(price / shown)) > LOOK_MOVE && follows(symbol)) return true;
        gained += bare.gain(symbol, price - shown);
      }
      return Math.abs(gained) > equityMoveUsdt();
    },
    closeMinute: (sink, openMs) => {
      const endMs = openMs + MINUTE_MS;
      for (const feed of live) {
        const { symbol } = feed;
        if (feed.endedMs !== openMs) showBegun(sink, feed, endMs);
        minuteOf(feed, openMs, minute);
        const { open, high, low, close, volume, upShare } = minute;
        const qty = volume / close / orderUnit(feed);
        sink.kline("KLINE", symbol, "1m", openMs, open, high, low, close, qty);
        feed.endedMs = endMs;
        feed.endedAt = close;
        sink.trade(symbol, true, close, qty * upShare, endMs);
        sink.trade(symbol, false, close, qty * (1 - upShare), endMs);
        sink.openInterest(symbol, feed.figures.openInterestUsdt / close / orderUnit(feed), endMs);
      }
    },
    quote: (sink, nowMs, books) => {
      if (books) for (const feed of feeds) showBegun(sink, feed, nowMs);
      for (const feed of live) quoteOne(sink, feed, { nowMs, books });
    },
  };
}

const NONE: readonly number[] = [];

/** A price needs an instant at each turning point; a long move gets further instants in between. */
function instantsOf(feeds: ReadonlySet<BarFeed>, openMs: number): readonly number[] {
  const endMs = openMs + MINUTE_MS;
  const found = new Set<number>();
  for (const feed of feeds) {
    const turns = [openMs, ...turnsBetween(feed, openMs, endMs), endMs];
    turns.slice(1).forEach((untilMs, i) => {
      const fromMs = turns[i] ?? openMs;
      const [from, to] = [priceAt(feed, fromMs), priceAt(feed, untilMs)];
      const steps = Math.max(1, Math.ceil(Math.abs(Math.log(to / from)) / STEP_MAX));
      for (let step = 1; step <= steps; step++) found.add(Math.round(fromMs + ((untilMs - fromMs) * step) / steps));
    });
  }
  found.delete(endMs);
  return [...found].sort((a, b) => a - b);
}

/** The bar after the last one, as it began: only an agent that ticks before it ends can see that. */
function showBegun(sink: MarketSink, feed: BarFeed, nowMs: number): void {
  const { endedMs, endedAt: price, symbol } = feed;
  if (endedMs === null) return;
  feed.endedMs = null;
  sink.received(endedMs);
  sink.kline("KLINE", symbol, "1m", endedMs, price, price, price, price, 0);
  sink.received(nowMs);
}

function quoteOne(sink: MarketSink, feed: BarFeed, { nowMs, books }: { nowMs: number; books: boolean }): void {
  const { symbol, price, figures } = feed;
  feed.shown = price;
  const half = figures.spread / 2;
  const [bid, ask] = [price * (1 - half), price * (1 + half)];
  sink.bbo(symbol, bid, 1, ask, 1, nowMs);
  sink.mark(symbol, price, nowMs);
  sink.index(symbol, price, nowMs);
  if (!books) return;
  const unit = price * orderUnit(feed);
  sink.bookBegin(symbol, true, nowMs, nowMs);
  sink.bookSide(true, bookSideOf(feed, bid, -1 / unit), BOOK_LEVELS);
  sink.bookSide(false, bookSideOf(feed, ask, 1 / unit), BOOK_LEVELS);
  sink.bookEnd();
}

/** Sets the next settlement: the recorded one, or the plain grid without one. */
function renewFunding({ exchange }: BareExchange, feed: BarFeed, nowMs: number): void {
  const { funding } = feed.recorded;
  const before = feed.fundingAt;
  while ((funding[feed.fundingAt]?.atMs ?? Infinity) <= nowMs) feed.fundingAt += 1;
  const row = funding[feed.fundingAt];
  if (row && feed.fundingAt === before && feed.at >= 0) return;
  const nextMs = row?.atMs ?? (Math.floor(nowMs / FUNDING_GRID_MS) + 1) * FUNDING_GRID_MS;
  exchange.market.setFunding(feed.symbol, row?.rate ?? NO_FUNDING_RATE, nextMs);
}
