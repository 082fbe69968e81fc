/**
 * Market data as it flows inside: floats, because it feeds signals; what becomes an order passes through
 * `core/decimal.ts` `quantize`. Spec: 1 §6.1; records §10.
 */

/** A price in USDT and the quantity that rests there, in the venue's order unit and never zero. */
export interface BookLevel {
  readonly price: number;
  readonly qty: number;
}

/**
 * Where parsed market frames go. Methods take bare numbers so that the market path allocates nothing of its own. All
 * `tsMs` are the venue's own times; `received` reports our time for the calls that follow it.
 */
export interface MarketSink {
  received(atMs: number): void;
  ticker(
    symbol: string,
    last: number,
    change24hPercent: number,
    high24h: number,
    low24h: number,
    volume24h: number,
    tsMs: number,
  ): void;
  bbo(symbol: string, bid: number, bidQty: number, ask: number, askQty: number, tsMs: number): void;
  /** A book message begins. `snapshot` empties the book first. */
  bookBegin(symbol: string, snapshot: boolean, seq: number, tsMs: number): void;
  /**
   * One side of the book message that has begun: price and quantity of so many levels in turn, a quantity of 0 to remove one. The
   * list is the caller's and changes after the call.
   */
  bookSide(bid: boolean, levels: Float64Array, count: number): void;
  bookEnd(): void;
  trade(symbol: string, takerBuys: boolean, price: number, qty: number, tsMs: number): void;
  mark(symbol: string, price: number, tsMs: number): void;
  index(symbol: string, price: number, tsMs: number): void;
  openInterest(symbol: string, openInterest: number, tsMs: number): void;
  /** The running bar; a new `openMs` means that the one before is final. */
  kline(
    kind: KlineKind,
    symbol: string,
    interval: string,
    openMs: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void;
}

/** The channel that a bar came by: bars of trades, of the index price, of the mark price. */
export type KlineKind = "KLINE" | "INDEX_KLINE" | "MARK_PRICE_KLINE";

/** `openMs` is the venue's time; the last bar of a list may still be running. */
export interface Candle {
  readonly openMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Channel names of the market stream, case-sensitive. Spec: 1 §6.1. */
export const MARKET_CHANNELS = [
  "TICKER",
  "ORDER_BOOK",
  "BBO",
  "TRADE",
  "MARK_PRICE",
  "INDEX_PRICE",
  "KLINE",
  "INDEX_KLINE",
  "MARK_PRICE_KLINE",
  "OPEN_INTEREST",
] as const;
export type MarketChannel = (typeof MARKET_CHANNELS)[number];

/** One symbol on one channel, and for bars one interval: what an ack and a push refer to. */
export interface MarketSubscription {
  readonly channel: MarketChannel;
  readonly symbol: string;
  /** For the three kline channels. */
  readonly interval?: string;
}

/** Intervals of the kline channels with their lengths. `1m` is a minute, `1M` a month (taken as 30 days). */
export const KLINE_INTERVAL_MS: Readonly<Record<string, number>> = {
  "1m": 60_000,
  "3m": 180_000,
  "5m": 300_000,
  "15m": 900_000,
  "30m": 1_800_000,
  "1H": 3_600_000,
  "2H": 7_200_000,
  "4H": 14_400_000,
  "8H": 28_800_000,
  "12H": 43_200_000,
  "1D": 86_400_000,
  "2D": 172_800_000,
  "5D": 432_000_000,
  "1W": 604_800_000,
  "1M": 2_592_000_000,
};

const ignore = (): void => undefined;

/** Ignores every event: spread a listener of single events over it. */
export const NOOP_SINK: MarketSink = {
  received: ignore,
  ticker: ignore,
  bbo: ignore,
  bookBegin: ignore,
  bookSide: ignore,
  bookEnd: ignore,
  trade: ignore,
  mark: ignore,
  index: ignore,
  openInterest: ignore,
  kline: ignore,
};

/**
 * A source of historical candles: a folder on this machine, the practice market, or a public address. Rows come oldest first
 * and may be fewer than requested; volumes are in base units. An unreachable source returns none.
 */
export interface CandleSource {
  /** For people. */
  readonly name: string;
  /** The most rows of one reply. */
  readonly most: number;
  /** The newest `limit` bars, before `beforeMs` if the source supports it. */
  candles(symbol: string, interval: string, limit: number, beforeMs?: number): Promise<readonly Candle[]>;
}
