/**
 * Everything known about one symbol. The market path writes without allocation; decisions read. Each figure keeps the
 * venue's time and ours, and its age is the worse of the two, so a stream that replays old frames is as stale as a
 * silent one. Faults M2, M3, M4, M9.
 */
import { filling, type Gauge } from "../core/bounded.ts";
import { toFloat } from "../core/decimal.ts";
import type { Funding } from "../domain/position.ts";
import { baseOf, type SymbolRules } from "../domain/symbol.ts";
import { Book } from "./book.ts";
import { Flow } from "./flow.ts";
import { FundingHistory } from "./funding-history.ts";
import { OpenInterest } from "./open-interest.ts";
import { nearPrice, Sanity } from "./sanity.ts";
import { Seconds } from "./seconds.ts";
import { type BarCaps, SymbolBars } from "./symbol-bars.ts";

/** Indices of the figures in the arrays. */
export const LAST = 0;
export const BID = 1;
export const ASK = 2;
export const MARK = 3;
export const INDEX = 4;
export const OPEN_INTEREST = 5;
/** A fraction; the venue sends percent. */
export const CHANGE_24H = 6;
/** Fraction per settlement. Has no venue time: its age counts from its arrival. */
export const FUNDING = 7;
/** Price of the last trade, kept for its age, because tickers update LAST as well. */
export const TRADE = 8;
const FIGURES = 9;

/** A venue time further ahead than this is ignored. */
const AHEAD_MS_MAX = 60_000;
/** Figures used to check each other, best first. */
const REFERENCES = [MARK, INDEX, BID, LAST] as const;
const PRICES = [LAST, BID, ASK, MARK, INDEX, TRADE] as const;
/** Two account readings and their possible delay. */
const VOUCHED_FOR_MS = 20_000;

/** One per symbol of the universe. `tsMs` is the venue's time, `seenMs` and `nowMs` are ours. */
export class SymbolState {
  readonly symbol: string;
  readonly base: string;
  readonly book = new Book();
  readonly flow = new Flow();
  readonly seconds = new Seconds();
  readonly sanity = new Sanity();
  readonly bars: SymbolBars;
  readonly openInterest = new OpenInterest();
  readonly funding = new FundingHistory();
  readonly #value = new Float64Array(FIGURES).fill(NaN);
  readonly #venueMs = new Float64Array(FIGURES).fill(-Infinity);
  readonly #seenMs = new Float64Array(FIGURES).fill(-Infinity);
  rules: SymbolRules | null = null;
  nextFundingAtMs: number | null = null;
  /** Messages dropped as out of date. */
  reordered = 0;
  /** The venue's clock minus ours, as last measured. */
  clockOffsetMs = 0;
  /** The mark at which the venue last valued our position, a source independent of the stream, and when that was. */
  valued = NaN;
  valuedMs = -Infinity;

  constructor(symbol: string, intervals: ReadonlyMap<string, number>, caps: BarCaps) {
    this.symbol = symbol;
    this.base = baseOf(symbol);
    this.bars = new SymbolBars(intervals, caps);
  }

  /** Our time of the figure's last update; -Infinity if never. */
  seenMs(figure: number): number {
    return this.#seenMs[figure] ?? -Infinity;
  }

  /** NaN while unknown. */
  value(figure: number): number {
    return this.#value[figure] ?? NaN;
  }

  /** Age of the figure in ms by the worse of the two times; Infinity if never updated. */
  ageMs(figure: number, nowMs: number): number {
    return this.#worseAge(this.#venueMs[figure] ?? -Infinity, this.#seenMs[figure] ?? -Infinity, nowMs);
  }

  /** Infinity also while the book must not be used. */
  bookAgeMs(nowMs: number): number {
    if (this.book.defect(nowMs) !== null) return Infinity;
    return this.#worseAge(this.book.venueMs, this.book.seenMs, nowMs);
  }

  /** Drops times that a wrong clock made look valid and that would block all later updates. Faults C1, C2. */
  clockIs(offsetMs: number): void {
    this.clockOffsetMs = offsetMs;
    for (const [figure, seenMs] of this.#seenMs.entries())
      this.#venueMs[figure] = believedMs(this.#venueMs[figure] ?? -Infinity, seenMs + offsetMs);
  }

  /** Whether the venue can have sent this time of its own by then. */
  isReached(tsMs: number, seenMs: number): boolean {
    return isReached(tsMs, seenMs + this.clockOffsetMs);
  }

  /** Stores a figure unless a later one is known. */
  report(figure: number, value: number, tsMs: number, seenMs: number): boolean {
    const venueMs = believedMs(tsMs, seenMs + this.clockOffsetMs);
    if (venueMs < (this.#venueMs[figure] ?? -Infinity)) {
      this.reordered++;
      return false;
    }
    this.#value[figure] = value;
    this.#venueMs[figure] = venueMs;
    this.#seenMs[figure] = seenMs;
    return true;
  }

  /** The same for a price, which must also be plausible beside the other figures. */
  price(figure: number, price: number, tsMs: number, seenMs: number): boolean {
    const vouched = seenMs - this.valuedMs < VOUCHED_FOR_MS;
    const reference = vouched ? this.valued : this.#reference(figure);
    return this.sanity.accepts(price, reference, seenMs, vouched) && this.report(figure, price, tsMs, seenMs);
  }

  /**
   * The venue values a position with entry price `entry` at the mark `price`. If the streamed price contradicts this
   * mark, discard whichever is further from the entry, and drop the cached stream prices.
   */
  vouch(price: number, entry: number, seenMs: number): void {
    if (!(price > 0)) return;
    const reported = this.#reference(MARK);
    if (Number.isNaN(reported) || nearPrice(reported, price)) {
      this.valued = price;
      this.valuedMs = seenMs;
      return;
    }
    this.sanity.hold(seenMs);
    if (factor(price, entry) > factor(reported, entry)) return;
    this.valued = price;
    this.valuedMs = seenMs;
    for (const figure of PRICES) {
      if (nearPrice(this.value(figure), price)) continue;
      this.#value[figure] = NaN;
      this.#venueMs[figure] = -Infinity;
      this.#seenMs[figure] = -Infinity;
    }
  }

  bbo(bid: number, ask: number, tsMs: number, seenMs: number): void {
    if (!(bid < ask)) {
      this.sanity.refused++;
      return;
    }
    if (!this.price(BID, bid, tsMs, seenMs) || !this.price(ASK, ask, tsMs, seenMs)) return;
    this.seconds.sample((bid + ask) / 2, seenMs);
  }

  bookDone(): void {
    this.book.end();
    if (this.book.crossed || this.#seenMs[BID] !== -Infinity) return;
    const middle = (this.book.bid + this.book.ask) / 2;
    if (middle > 0) this.seconds.sample(middle, this.book.seenMs);
  }

  interest(openInterest: number, tsMs: number, seenMs: number): void {
    if (!(openInterest >= 0) || !this.report(OPEN_INTEREST, openInterest, tsMs, seenMs)) return;
    this.openInterest.reported(openInterest, seenMs);
  }

  /** A funding record has no time of its own: its age counts from its arrival. */
  fundingRead({ rate, nextFundingAtMs }: Funding, seenMs: number): void {
    this.report(FUNDING, toFloat(rate), NaN, seenMs);
    this.nextFundingAtMs = nextFundingAtMs;
    this.funding.upcoming(toFloat(rate), nextFundingAtMs);
  }

  /** Best bid and ask from the more recently updated of BBO and book; NaN if neither is usable. */
  touch(bid: boolean, nowMs: number): number {
    const useBook = this.book.defect(nowMs) === null && !this.book.crossed;
    const bookSeenMs = useBook ? this.book.seenMs : -Infinity;
    const bboSeenMs = this.#seenMs[BID] ?? -Infinity;
    if (bboSeenMs >= bookSeenMs) return this.value(bid ? BID : ASK);
    return bid ? this.book.bid : this.book.ask;
  }

  /** The middle, or the last or mark price without a quote; NaN if nothing is known. */
  fair(nowMs: number): number {
    const middle = (this.touch(true, nowMs) + this.touch(false, nowMs)) / 2;
    if (middle > 0) return middle;
    return Number.isNaN(this.value(LAST)) ? this.value(MARK) : this.value(LAST);
  }

  gauges(): readonly Gauge[] {
    return [
      ...this.bars.gauges(),
      filling("context.bookLevels", this.book.levels, this.book.levelsMax),
      filling("context.tradeBuckets", this.flow.size, this.flow.capacity),
      filling("context.priceSamples", this.seconds.size, this.seconds.capacity),
      filling("context.openInterest", this.openInterest.size, this.openInterest.capacity),
    ];
  }

  #worseAge(venueMs: number, seenMs: number, nowMs: number): number {
    return Math.max(0, nowMs - seenMs, nowMs + this.clockOffsetMs - venueMs);
  }

  #reference(figure: number): number {
    for (const other of REFERENCES) {
      const value = this.value(other);
      if (other !== figure && !Number.isNaN(value)) return value;
    }
    return this.value(figure);
  }
}

/** Ratio of the larger to the smaller. */
const factor = (a: number, b: number): number => Math.max(a / b, b / a);

const isReached = (tsMs: number, venueMs: number): boolean => tsMs < venueMs + AHEAD_MS_MAX;

/** The venue's time; without one, or with one in the future, the time its clock should show. */
const believedMs = (tsMs: number, venueMs: number): number => (tsMs > 0 && isReached(tsMs, venueMs) ? tsMs : venueMs);
