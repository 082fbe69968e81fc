/**
 * One symbol's order book from snapshots and updates with absolute quantities. Sorted typed arrays, best price first;
 * writes allocate nothing. Reports when it must not be used: a sequence gap, crossed, or frozen. Spec: 1 §6.1;
 * records §10.5; faults M3, M4.
 */
import type { BookLevel } from "../domain/market.ts";

/** Levels kept per side; deeper ones are dropped. */
const LEVELS = 256;
/** After this many consecutive numbers a hole counts as a loss; before, the venue may count in another way. */
const STREAK_TRUSTED = 3;
/** This many messages in a row without a change of the top levels are a replay, not a quiet market. */
const IDLE_MESSAGES_MAX = 60;
const CROSSED_MS_MAX = 1_000;
const IMBALANCE_LEVELS = 5;

/**
 * "empty": a side has no level. "gap": consecutive numbers had a hole, until the next snapshot. "crossed": bid at or
 * above ask for over a second. "frozen": 60 messages in a row left the best ten levels unchanged.
 */
export type BookDefect = "empty" | "gap" | "crossed" | "frozen";

/** One side, best first. `sign` 1 for bids (falling), -1 for asks (rising). */
class Side {
  readonly prices = new Float64Array(LEVELS + 1);
  readonly qtys = new Float64Array(LEVELS + 1);
  readonly #sign: 1 | -1;
  size = 0;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** Sets one level, or removes it when `qty` is zero. */
  set(price: number, qty: number): void {
    const at = this.#find(price);
    const known = at < this.size && this.prices[at] === price;
    if (qty > 0) {
      if (!known) this.#open(at, price);
      if (at < LEVELS) this.qtys[at] = qty;
    } else if (known) this.#close(at);
  }

  /** The first index whose price is not better than the given one. */
  #find(price: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (((this.prices[middle] ?? 0) - price) * this.#sign > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #open(at: number, price: number): void {
    if (at >= LEVELS) return;
    this.prices.copyWithin(at + 1, at, this.size);
    this.qtys.copyWithin(at + 1, at, this.size);
    this.prices[at] = price;
    this.size = Math.min(LEVELS, this.size + 1);
  }

  #close(at: number): void {
    this.prices.copyWithin(at, at + 1, this.size);
    this.qtys.copyWithin(at, at + 1, this.size);
    this.size--;
  }
}

/** Written by `begin`, levels, `end`. Check `defect` before use; best prices are NaN while a side is empty. */
export class Book {
  readonly #bids = new Side(1);
  readonly #asks = new Side(-1);
  #seq = -1;
  #streak = 0;
  #taking = false;
  #gap = false;
  #crossedSinceMs = Infinity;
  #idle = 0;
  #print = 0;
  /** Venue's time and our time of the last accepted message. */
  venueMs = -Infinity;
  seenMs = -Infinity;
  /** Messages dropped as out of date, and losses noticed. */
  dropped = 0;
  gaps = 0;

  /** Begins a message. An update that is not newer than the book is skipped. */
  begin(snapshot: boolean, seq: number, venueMs: number, seenMs: number): void {
    this.#taking = snapshot || seq > this.#seq || !Number.isFinite(seq);
    if (!this.#taking) {
      this.dropped++;
      return;
    }
    if (snapshot) this.#restart();
    else this.#follow(seq);
    this.#seq = Number.isFinite(seq) ? seq : this.#seq;
    this.venueMs = venueMs;
    this.seenMs = seenMs;
  }

  /** Price and quantity of so many levels in turn. */
  side(bid: boolean, levels: Float64Array, count: number): void {
    if (!this.#taking) return;
    const side = bid ? this.#bids : this.#asks;
    for (let at = 0; at < count; at++) {
      const price = levels[2 * at] ?? NaN;
      const qty = levels[2 * at + 1] ?? NaN;
      if (price > 0 && qty >= 0 && price < Infinity && qty < Infinity) side.set(price, qty);
    }
  }

  end(): void {
    if (!this.#taking) return;
    this.#taking = false;
    const crossed = this.#bids.size > 0 && this.#asks.size > 0 && this.bid >= this.ask;
    if (!crossed) this.#crossedSinceMs = Infinity;
    else if (this.#crossedSinceMs === Infinity) this.#crossedSinceMs = this.seenMs;
    const print = this.#fingerprint();
    this.#idle = print === this.#print ? this.#idle + 1 : 0;
    this.#print = print;
  }

  get bid(): number {
    return this.#bids.size > 0 ? (this.#bids.prices[0] ?? NaN) : NaN;
  }

  get ask(): number {
    return this.#asks.size > 0 ? (this.#asks.prices[0] ?? NaN) : NaN;
  }

  /** Levels on both sides, and the maximum. */
  get levels(): number {
    return this.#bids.size + this.#asks.size;
  }

  readonly levelsMax = 2 * LEVELS;

  get crossed(): boolean {
    return this.#crossedSinceMs !== Infinity;
  }

  /** Why this book must not be used, or null. */
  defect(nowMs: number): BookDefect | null {
    if (this.#bids.size === 0 || this.#asks.size === 0) return "empty";
    if (this.#gap) return "gap";
    if (nowMs - this.#crossedSinceMs > CROSSED_MS_MAX) return "crossed";
    return this.#idle >= IDLE_MESSAGES_MAX ? "frozen" : null;
  }

  /** (bids - asks) / (bids + asks) of the quantities over the best levels; null while a side is empty. */
  imbalance(): number | null {
    const bids = this.#sum(this.#bids);
    const asks = this.#sum(this.#asks);
    return bids > 0 && asks > 0 ? (bids - asks) / (bids + asks) : null;
  }

  /** Price times quantity within `bps` basis points of the middle, both sides; null while a side is empty. */
  depthWithin(bps: number): number | null {
    if (this.#bids.size === 0 || this.#asks.size === 0) return null;
    const middle = (this.bid + this.ask) / 2;
    const reach = (middle * bps) / 10_000;
    return this.#value(this.#bids, middle, reach) + this.#value(this.#asks, middle, reach);
  }

  /** Price times quantity of one side within `band` (a fraction) of its best price; null while it is empty. */
  depthOf(bid: boolean, band: number): number | null {
    const side = bid ? this.#bids : this.#asks;
    const best = side.prices[0] ?? NaN;
    return side.size === 0 ? null : this.#value(side, best, best * band);
  }

  /** The best levels of a side, for tests and people. Allocates. */
  top(bid: boolean, count: number): readonly BookLevel[] {
    const side = bid ? this.#bids : this.#asks;
    return Array.from({ length: Math.min(count, side.size) }, (_, at) => ({
      price: side.prices[at] ?? NaN,
      qty: side.qtys[at] ?? NaN,
    }));
  }

  #restart(): void {
    this.#bids.size = 0;
    this.#asks.size = 0;
    this.#gap = false;
    this.#streak = 0;
    this.#crossedSinceMs = Infinity;
  }

  #follow(seq: number): void {
    if (!Number.isFinite(seq)) return;
    if (seq === this.#seq + 1) this.#streak++;
    else if (this.#streak >= STREAK_TRUSTED) {
      this.#gap = true;
      this.gaps++;
    } else this.#streak = 0;
  }

  #sum(side: Side): number {
    let sum = 0;
    for (let at = 0; at < Math.min(IMBALANCE_LEVELS, side.size); at++) sum += side.qtys[at] ?? 0;
    return sum;
  }

  #value(side: Side, middle: number, reach: number): number {
    let sum = 0;
    for (let at = 0; at < side.size; at++) {
      const price = side.prices[at] ?? 0;
      if (Math.abs(price - middle) > reach) break;
      sum += price * (side.qtys[at] ?? 0);
    }
    return sum;
  }

  /** Changes with any of the best ten levels of either side; equal for equal tops. */
  #fingerprint(): number {
    let print = 0;
    for (let at = 0; at < 10; at++) {
      const weight = at + 1;
      if (at < this.#bids.size) print += weight * ((this.#bids.prices[at] ?? 0) + 3 * (this.#bids.qtys[at] ?? 0));
      if (at < this.#asks.size) print += weight * (7 * (this.#asks.prices[at] ?? 0) + 11 * (this.#asks.qtys[at] ?? 0));
    }
    return print;
  }
}
