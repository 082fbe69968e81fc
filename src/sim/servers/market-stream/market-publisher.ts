/**
 * Turns public events into pushes: keeps bars, books and last values per symbol, and passes each push to the hub once.
 * It knows topics, not connections. Spec: 1 §6.1; records §10.3 to §10.6.
 */
import type { Clock } from "../../../core/clock.ts";
import { toFloat, type Decimal } from "../../../core/decimal.ts";
import { type KlineKind } from "../../../domain/market.ts";
import { MARKET_STREAM_LIMITS } from "../../../protocol/limits.ts";
import type { PublicEvent, SymbolSpec } from "../../exchange/contract/market-api.ts";
import { BookFeed } from "./book-feed.ts";
import { Candles } from "./candles.ts";
import {
  stepText,
  indexRecord,
  klineRow,
  markRecord,
  openInterestRecord,
  tickerRecord,
  tradeRecord,
} from "./market-records.ts";
import type { MarketSource } from "./market-source.ts";

/** Receives pushes. `wanted` avoids creating what nobody follows. */
export interface TopicSink {
  wanted(channel: string, symbol: string, interval: string | null): boolean;
  /** The intervals of a kind of bar that somebody follows. */
  intervals(channel: string, symbol: string): Iterable<string>;
  publish(channel: string, symbol: string, interval: string | null, data: unknown): void;
}

interface SymbolState {
  readonly spec: SymbolSpec;
  readonly book: BookFeed;
  readonly priceText: (ticks: number) => string;
  readonly qtyText: (lots: number) => string;
  bboText: string;
  last: Decimal | null;
  mark: { readonly mark: Decimal; readonly index: Decimal; readonly atMs: number } | null;
  openInterest: { readonly value: Decimal; readonly atMs: number } | null;
}

/** `source` supplies books and specs, `sink` is the hub or a digest before it. */
export interface PublisherOptions {
  readonly source: MarketSource;
  readonly sink: TopicSink;
  readonly clock: Clock;
  /** The service's visible time, which a fault may have skewed. */
  readonly nowMs: () => number;
  /** The market's own interval, which is the shortest one between reports. */
  readonly stepMs: number;
}

/** Trades, mark prices and best prices are reported as they happen, tickers and books at intervals. */
export class MarketPublisher {
  readonly candles = new Candles();
  readonly #source: MarketSource;
  readonly #sink: TopicSink;
  readonly #clock: Clock;
  readonly #nowMs: () => number;
  readonly #stepMs: number;
  readonly #states = new Map<string, SymbolState>();
  readonly #stops: (() => void)[] = [];

  constructor(options: PublisherOptions) {
    this.#source = options.source;
    this.#sink = options.sink;
    this.#clock = options.clock;
    this.#nowMs = options.nowMs;
    this.#stepMs = options.stepMs;
  }

  start(): void {
    this.#stops.push(this.#source.onPublic((event) => this.#take(event)));
    this.#stops.push(
      this.#clock.every(Math.max(this.#stepMs, MARKET_STREAM_LIMITS.tickerEveryMs), () => this.#tickers()),
    );
    this.#stops.push(this.#clock.every(Math.max(this.#stepMs, MARKET_STREAM_LIMITS.bookEveryMs), () => this.#books()));
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  book(symbol: string): BookFeed | null {
    return this.#state(symbol)?.book ?? null;
  }

  /** What a new follower receives at once, if the channel is pushed only on change; null if nothing is known yet. */
  current(channel: string, symbol: string, interval: string | null): unknown {
    const state = this.#state(symbol);
    if (!state) return null;
    switch (channel) {
      case "BBO":
        return this.#bbo(state);
      case "TICKER":
        return this.#ticker(symbol, state);
      case "MARK_PRICE":
        return state.mark && markRecord(state.mark.mark, state.mark.atMs);
      case "INDEX_PRICE":
        return state.mark && indexRecord(state.mark.index, state.mark.atMs);
      case "OPEN_INTEREST":
        return state.openInterest && openInterestRecord(state.openInterest);
      case "KLINE":
      case "INDEX_KLINE":
      case "MARK_PRICE_KLINE": {
        const bar = this.candles.running(channel, symbol, interval ?? "");
        return bar && [klineRow(bar)];
      }
      default:
        return null;
    }
  }

  /** The last traded price; null before the first trade. */
  last(symbol: string): Decimal | null {
    return this.#states.get(symbol)?.last ?? null;
  }

  #take(event: PublicEvent): void {
    const state = this.#state(event.symbol);
    if (!state) return;
    switch (event.kind) {
      case "trade":
        return this.#trade(event, state);
      case "book-changed":
        return this.#bookChanged(event.symbol, state);
      case "mark":
        return this.#marked(event, state);
      case "open-interest":
        state.openInterest = { value: event.openInterest, atMs: event.atMs };
        return this.#sink.publish("OPEN_INTEREST", event.symbol, null, openInterestRecord(state.openInterest));
      case "funding-settled":
        return;
    }
  }

  #trade(event: PublicEvent & { kind: "trade" }, state: SymbolState): void {
    const { symbol, price, atMs } = event;
    const baseQty = event.qty.mul(state.spec.rules.contractSize);
    state.last = price;
    this.candles.update("KLINE", symbol, toFloat(price), toFloat(baseQty), atMs);
    if (this.#sink.wanted("TRADE", symbol, null)) {
      this.#sink.publish("TRADE", symbol, null, [tradeRecord(event, baseQty, this.#shown(atMs))]);
    }
    this.#pushBars("KLINE", symbol);
  }

  #bookChanged(symbol: string, state: SymbolState): void {
    state.book.dirty = true;
    if (!this.#sink.wanted("BBO", symbol, null)) return;
    const before = state.bboText;
    const data = this.#bbo(state);
    if (data && state.bboText !== before) this.#sink.publish("BBO", symbol, null, data);
  }

  #marked(event: PublicEvent & { kind: "mark" }, state: SymbolState): void {
    const { symbol, mark, index, atMs } = event;
    state.mark = { mark, index, atMs: this.#shown(atMs) };
    this.candles.update("MARK_PRICE_KLINE", symbol, toFloat(mark), 0, atMs);
    this.candles.update("INDEX_KLINE", symbol, toFloat(index), 0, atMs);
    if (this.#sink.wanted("MARK_PRICE", symbol, null))
      this.#sink.publish("MARK_PRICE", symbol, null, markRecord(mark, this.#shown(atMs)));
    if (this.#sink.wanted("INDEX_PRICE", symbol, null))
      this.#sink.publish("INDEX_PRICE", symbol, null, indexRecord(index, this.#shown(atMs)));
    this.#pushBars("MARK_PRICE_KLINE", symbol);
    this.#pushBars("INDEX_KLINE", symbol);
    if (this.candles.roll("KLINE", symbol, atMs)) this.#pushBars("KLINE", symbol);
  }

  #pushBars(kind: KlineKind, symbol: string): void {
    for (const interval of this.#sink.intervals(kind, symbol)) {
      const bar = this.candles.running(kind, symbol, interval);
      if (bar) this.#sink.publish(kind, symbol, interval, [klineRow(bar)]);
    }
  }

  #tickers(): void {
    for (const { rules } of this.#source.symbols) {
      if (!this.#sink.wanted("TICKER", rules.symbol, null)) continue;
      const state = this.#state(rules.symbol);
      const data = state && this.#ticker(rules.symbol, state);
      if (data) this.#sink.publish("TICKER", rules.symbol, null, data);
    }
  }

  #books(): void {
    for (const [symbol, state] of this.#states) {
      if (!this.#sink.wanted("ORDER_BOOK", symbol, null)) continue;
      const data = state.book.tick(Math.round(this.#nowMs()));
      if (data) this.#sink.publish("ORDER_BOOK", symbol, null, data);
    }
  }

  #ticker(symbol: string, state: SymbolState): unknown {
    const day = this.candles.day(symbol, this.#clock.nowMs());
    if (!day || !state.last) return null;
    return tickerRecord(state.last, day, this.#nowMs());
  }

  #bbo(state: SymbolState): unknown {
    const { bids, asks } = this.#source.book(state.spec.rules.symbol, 1);
    const bid = bids[0];
    const ask = asks[0];
    if (!bid || !ask) return null;
    state.bboText = `${bid[0]},${bid[1]},${ask[0]},${ask[1]}`;
    return {
      bid: state.priceText(bid[0]),
      bidqty: state.qtyText(bid[1]),
      ask: state.priceText(ask[0]),
      askqty: state.qtyText(ask[1]),
      ts: Math.round(this.#nowMs()),
    };
  }

  /** The venue's time of an event, shifted by a clock fault. */
  #shown(atMs: number): number {
    return Math.round(atMs + this.#nowMs() - this.#clock.nowMs());
  }

  #state(symbol: string): SymbolState | null {
    const known = this.#states.get(symbol);
    if (known) return known;
    const spec = this.#source.spec(symbol);
    if (!spec) return null;
    const priceText = stepText(spec.rules.tickSize);
    const qtyText = stepText(spec.rules.lotSize);
    const made: SymbolState = {
      spec,
      book: new BookFeed(() => this.#source.book(symbol, MARKET_STREAM_LIMITS.bookDepth), {
        price: priceText,
        qty: qtyText,
      }),
      priceText,
      qtyText,
      bboText: "",
      last: null,
      mark: null,
      openInterest: null,
    };
    this.#states.set(symbol, made);
    return made;
  }
}
