/**
 * The recorded books of one symbol on the venue's time: reads event by event, keeps the present levels, and shows them
 * to the exchange. Between two events recorded trades take from it: levels at better prices than a trade's must have
 * been gone by then. With the next event every level is as recorded again.
 */
import type { LevelChange, MarketInput } from "../exchange/contract/market-api.ts";
import { type BookRecording, type DepthEvent, depthEvents } from "./book-recording.ts";
import { LevelLadder } from "./level-ladder.ts";

/** Ticks and lots per unit of a recording's figures. */
export interface BookScale {
  readonly ticksPerUnit: number;
  readonly lotsPerUnit: number;
}

/** A recording converted to the instrument's ticks and lots. */
export interface ScaledBook {
  readonly recording: BookRecording;
  readonly scale: BookScale;
}

/** A due event, in venue time, with its recording. */
export interface DueDepth {
  readonly atMs: number;
  readonly event: DepthEvent;
  readonly book: ScaledBook;
}

/** The best levels are shown again at this interval, and all levels at a longer one, to restore what participants took. */
const REFRESH = { best: 500, bestEveryMs: 1_000, allEveryMs: 60_000 };

/** The player takes the due events from it, plays trades and events in order of time, and then shows the book. */
export class BookTrack {
  readonly symbol: string;
  readonly bids = new LevelLadder(true);
  readonly asks = new LevelLadder(false);
  readonly #books: readonly ScaledBook[];
  readonly #offsetMs: number;
  #reading: Generator<DepthEvent, void> | null = null;
  /** Index of the recording being read. */
  #index = 0;
  #next: DepthEvent | null = null;
  /** The recording in the ladders. */
  #standing: ScaledBook | null = null;
  #serving = false;
  #shownMs = 0;
  #allShownMs = 0;
  /** Levels that trades have changed since the last event, and those whose price a trade has passed. */
  readonly #touched = { bids: new Set<number>(), asks: new Set<number>() };

  /** `books` in order of time, without overlap. */
  constructor(symbol: string, books: readonly ScaledBook[], offsetMs: number) {
    this.symbol = symbol;
    this.#books = books;
    this.#offsetMs = offsetMs;
    this.#read();
  }

  /** Whether the book of this instant was recorded, within what has been read so far. */
  covers(nowMs: number): boolean {
    const standing = this.#standing?.recording;
    if (!standing) return false;
    const tapeMs = nowMs - this.#offsetMs;
    return tapeMs >= standing.firstMs && tapeMs <= standing.lastMs;
  }

  /** True while the exchange shows this book. */
  get serving(): boolean {
    return this.#serving;
  }

  /** Takes the events due up to an instant of the venue's time. */
  due(untilMs: number): DueDepth[] {
    const found: DueDepth[] = [];
    for (;;) {
      const book = this.#books[this.#index];
      const atMs = (this.#next?.atMs ?? Infinity) + this.#offsetMs;
      if (!this.#next || !book || atMs > untilMs) return found;
      found.push({ atMs, event: this.#next, book });
      this.#read();
    }
  }

  /** Applies an event to the ladders, and to the exchange if it shows this book. */
  take(input: MarketInput, { event, book, atMs }: DueDepth): void {
    const joins = this.#standing === book;
    if (!joins) {
      this.#serving = false;
      this.bids.clear();
      this.asks.clear();
      this.#standing = book;
    }
    const changes = this.#changes(event, book.scale);
    changes.push(...this.#restored());
    if (this.#serving) input.changeLiquidity(this.symbol, changes, atMs);
  }

  /** Shows the present book: first all of it, later at intervals the missing levels. */
  show(input: MarketInput, nowMs: number): void {
    if (this.#serving && nowMs - this.#shownMs < REFRESH.bestEveryMs) return;
    this.#shownMs = nowMs;
    const all = !this.#serving || nowMs - this.#allShownMs >= REFRESH.allEveryMs;
    if (all) this.#allShownMs = nowMs;
    if (this.#serving) {
      const missing = [this.bids, this.asks].flatMap((side) => this.#untouched(side, all ? Infinity : REFRESH.best));
      return input.changeLiquidity(this.symbol, missing, nowMs);
    }
    this.#serving = true;
    input.setLiquidity(this.symbol, true, this.bids.levels(), nowMs);
    input.setLiquidity(this.symbol, false, this.asks.levels(), nowMs);
  }

  /** Called when another book is shown from now on. */
  leave(): void {
    this.#serving = false;
  }

  /** Makes way for a trade at a price: better levels are removed. */
  makeWay(input: MarketInput, takerBuys: boolean, ticks: number, atMs: number): void {
    const side = takerBuys ? this.asks : this.bids;
    const touched = takerBuys ? this.#touched.asks : this.#touched.bids;
    const passed = side.betterThan(ticks);
    const gone = passed.map((price): LevelChange => ({ bid: side.bid, ticks: price, lots: 0, arriving: 0 }));
    for (const price of [...passed, ticks]) touched.add(price);
    if (gone.length > 0) input.changeLiquidity(this.symbol, gone, atMs);
  }

  #changes({ rows }: DepthEvent, { ticksPerUnit, lotsPerUnit }: BookScale): LevelChange[] {
    // A level named twice, as by the snapshot and the first event, changes once.
    const before = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const { bid, price, qty } of rows) {
      const ticks = price * ticksPerUnit;
      const was = (bid ? this.bids : this.asks).set(ticks, qty * lotsPerUnit);
      const side = bid ? before.bids : before.asks;
      if (!side.has(ticks)) side.set(ticks, was);
    }
    const of = (side: LevelLadder, old: Map<number, number>, touched: Set<number>): LevelChange[] =>
      [...old].map(([ticks, was]) => {
        touched.delete(ticks);
        const lots = side.at(ticks);
        return { bid: side.bid, ticks, lots, arriving: Math.max(0, lots - was) };
      });
    return [...of(this.bids, before.bids, this.#touched.bids), ...of(this.asks, before.asks, this.#touched.asks)];
  }

  /** Levels that trades took, and that no event has reported since, return as recorded. */
  #restored(): LevelChange[] {
    const of = (side: LevelLadder, touched: Set<number>): LevelChange[] =>
      [...touched].map((ticks) => ({ bid: side.bid, ticks, lots: side.at(ticks), arriving: 0 }));
    const restored = [...of(this.bids, this.#touched.bids), ...of(this.asks, this.#touched.asks)];
    this.#touched.bids.clear();
    this.#touched.asks.clear();
    return restored;
  }

  #untouched(side: LevelLadder, most: number): LevelChange[] {
    const touched = side.bid ? this.#touched.bids : this.#touched.asks;
    return side
      .levels(most)
      .flatMap(([ticks, lots]) => (touched.has(ticks) ? [] : [{ bid: side.bid, ticks, lots, arriving: 0 }]));
  }

  #read(): void {
    for (;;) {
      const book = this.#books[this.#index];
      if (!book) return void (this.#next = null);
      this.#reading ??= depthEvents(book.recording);
      const read = this.#reading.next();
      if (!read.done) return void (this.#next = read.value);
      this.#reading = null;
      this.#index++;
    }
  }
}
