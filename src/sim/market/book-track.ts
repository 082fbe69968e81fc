/**
 * The recorded books of one symbol on the venue's time: reads on event by event, keeps what stands, and shows it to the
 * exchange. Between two events recorded trades take from it: what stood at better prices than a trade's was gone then,
 * and with the next event every level stands as recorded again.
 */
import type { LevelChange, MarketInput } from "../exchange/market-api.ts";
import { type BookRecording, type DepthEvent, depthEvents } from "./book-recording.ts";
import { LevelLadder } from "./level-ladder.ts";

/** Ticks and lots of one unit of a recording's figures. */
export interface BookScale {
  readonly ticksPerUnit: number;
  readonly lotsPerUnit: number;
}

/** A recording fitted to the instrument's ticks and lots. */
export interface ScaledBook {
  readonly recording: BookRecording;
  readonly scale: BookScale;
}

/** An event that is due, in venue time, with the recording that it is from. */
export interface DueDepth {
  readonly atMs: number;
  readonly event: DepthEvent;
  readonly book: ScaledBook;
}

/** The best levels are shown again this often, and all of them, so that what participants took comes back. */
const REFRESH = { best: 500, bestEveryMs: 1_000, allEveryMs: 60_000 };

/** The player asks it for what is due, plays trades and events in order of time, and then has it shown. */
export class BookTrack {
  readonly symbol: string;
  readonly bids = new LevelLadder(true);
  readonly asks = new LevelLadder(false);
  readonly #books: readonly ScaledBook[];
  readonly #offsetMs: number;
  #reading: Generator<DepthEvent, void> | null = null;
  /** Of the recording that is being read. */
  #index = 0;
  #next: DepthEvent | null = null;
  /** The recording that stands in the ladders. */
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

  /** Whether the book of this instant was recorded, as far as has been read. */
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

  /** Takes the events that are due up to an instant of the venue's time. */
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

  /** Brings the ladders to an event, and the exchange where it shows this book. */
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

  /** Shows the book as it stands: at first the whole of it, later what is missing, and that not all the time. */
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

  /** Something else is shown from here on. */
  leave(): void {
    this.#serving = false;
  }

  /** Makes way for a trade at a price: nothing stood before it any more. */
  makeWay(input: MarketInput, takerBuys: boolean, ticks: number, atMs: number): void {
    const side = takerBuys ? this.asks : this.bids;
    const touched = takerBuys ? this.#touched.asks : this.#touched.bids;
    const passed = side.betterThan(ticks);
    const gone = passed.map((price): LevelChange => ({ bid: side.bid, ticks: price, lots: 0, arriving: 0 }));
    for (const price of [...passed, ticks]) touched.add(price);
    if (gone.length > 0) input.changeLiquidity(this.symbol, gone, atMs);
  }

  #changes({ rows }: DepthEvent, { ticksPerUnit, lotsPerUnit }: BookScale): LevelChange[] {
    // A level that is named twice, as by the snapshot and the first event, is changed once.
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

  /** What trades took and no event has reported since stands as recorded. */
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
