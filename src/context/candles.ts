/** Bars of one symbol and interval in a ring; the newest one may still be running. */
import type { Candle } from "../domain/market.ts";
import { Ring } from "./ring.ts";

const OPEN_MS = 0;
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;
const VOLUME = 5;
/** The figures of a bar in the order of these columns. */
export const newBarRow = (): Float64Array => new Float64Array(VOLUME + 1);
/** How far back a late bar is accepted; older ones are dropped. */
const LATE_BARS = 5;

/** Age 0 is the newest bar, which may still be running. When the ring is full the oldest bar is dropped. */
export class CandleSeries {
  readonly intervalMs: number;
  readonly #ring: Ring;
  /** The last list, how many bars have begun since, and how many of the newest differ from it: the rest is copied. */
  #listed: readonly Candle[] = [];
  #begun = 0;
  #changed = 0;
  /** By slot, the squared log return to the bar from the one before it; NaN until somebody asks. */
  readonly #squares: Float64Array;
  /** How many of the newest bars follow each other without a gap. */
  #inARow = 0;
  #version = 0;
  readonly #given = newBarRow();

  constructor(intervalMs: number, capacity: number) {
    this.intervalMs = intervalMs;
    this.#ring = new Ring(6, capacity);
    this.#squares = new Float64Array(capacity).fill(NaN);
  }

  get size(): number {
    return this.#ring.size;
  }

  /** Changes whenever a bar begins, or one that has ended changes; not with the running bar. */
  get version(): number {
    return this.#version;
  }

  /** Adds a bar: a new one, an update of the running one, or a late correction. False if it is invalid or too old. */
  bar(openMs: number, open: number, high: number, low: number, close: number, volume: number): boolean {
    const row = this.#given;
    row[OPEN_MS] = openMs;
    row[OPEN] = open;
    row[HIGH] = high;
    row[LOW] = low;
    row[CLOSE] = close;
    row[VOLUME] = volume;
    return this.take(row);
  }

  /** The same from a row, which is copied: a call with six figures may allocate each of them. */
  take(row: Float64Array): boolean {
    if (!isSound(row)) return false;
    const openMs = row[OPEN_MS] ?? NaN;
    const newest = this.openMs(0);
    if (!(openMs <= newest)) {
      this.#ring.advance();
      this.#inARow = openMs - newest === this.intervalMs ? this.#inARow + 1 : 1;
      this.#version++;
      this.#begun++;
      this.#changed++;
      this.#write(0, row);
      return true;
    }
    for (let age = 0; age <= LATE_BARS; age++) {
      if (this.openMs(age) !== openMs) continue;
      if (age > 0) this.#version++;
      this.#write(age, row);
      return true;
    }
    return false;
  }

  /** Bars from history, oldest first. They precede the pushed bars; a bar that is already present stays. */
  load(candles: readonly Candle[]): void {
    const byOpen = new Map<number, Candle>();
    for (const candle of candles) byOpen.set(candle.openMs, candle);
    for (const candle of this.list(Infinity)) byOpen.set(candle.openMs, candle);
    const sorted = [...byOpen.values()].sort((a, b) => a.openMs - b.openMs).slice(-this.#ring.capacity);
    this.clear();
    for (const bar of sorted) this.bar(bar.openMs, bar.open, bar.high, bar.low, bar.close, bar.volume);
  }

  clear(): void {
    this.#version++;
    this.#ring.clear();
    this.#listed = [];
  }

  get capacity(): number {
    return this.#ring.capacity;
  }

  /** Number of bars missing among the newest `count`; 0 if there are fewer than two. */
  missing(count: number): number {
    const last = Math.min(count, this.size) - 1;
    if (last < 1) return 0;
    return Math.max(0, Math.round((this.openMs(0) - this.openMs(last)) / this.intervalMs) - last);
  }

  /** Number of bars that open at or after an instant. */
  since(openMs: number): number {
    let [fewest, most] = [0, this.size];
    while (fewest < most) {
      const middle = (fewest + most) >> 1;
      if (this.openMs(middle) >= openMs) fewest = middle + 1;
      else most = middle;
    }
    return fewest;
  }

  /** Close of the last bar that had ended by an instant; null if that was more than `withinMs` before. */
  closeBefore(atMs: number, withinMs: number): number | null {
    const age = this.since(atMs - this.intervalMs + 1);
    return age < this.size && atMs - this.openMs(age) - this.intervalMs <= withinMs ? this.close(age) : null;
  }

  /** NaN if there is no such bar. */
  openMs(age: number): number {
    return this.#ring.at(age, OPEN_MS);
  }

  close(age: number): number {
    return this.#ring.at(age, CLOSE);
  }

  high(age: number): number {
    return this.#ring.at(age, HIGH);
  }

  low(age: number): number {
    return this.#ring.at(age, LOW);
  }

  volume(age: number): number {
    return this.#ring.at(age, VOLUME);
  }

  /**
   * The last `count` bars, oldest first; the same list as before if they are the same bars. Frozen, because whoever asks gets the
   * same list: one strategy that sorted it in place would change what the others see.
   */
  list(count: number): readonly Candle[] {
    const size = Math.min(count, this.size);
    if (this.#changed === 0 && size === this.#listed.length) return this.#listed;
    const end = this.#listed.length - (this.#changed - this.#begun);
    const start = end - (size - this.#changed);
    const found = start >= 0 && start <= end ? this.#listed.slice(start, end) : [];
    for (let age = size - found.length - 1; age >= 0; age--) found.push(this.#bar(age));
    Object.freeze(found);
    if (size < this.#listed.length) return found;
    this.#begun = 0;
    this.#changed = 0;
    return (this.#listed = found);
  }

  /**
   * Writes the squared log returns between the newest `count` bars, newest first, the running bar's included, and says how many
   * there are: they end at the first missing bar.
   */
  squaresInARow(count: number, into: Float64Array): number {
    const squares = this.#squares;
    const found = Math.max(0, Math.min(count, this.size, this.#inARow) - 1);
    let slot = this.#ring.slot(0);
    for (let age = 0; age < found; age++) {
      let square = squares[slot] ?? NaN;
      if (Number.isNaN(square)) squares[slot] = square = Math.log(this.close(age) / this.close(age + 1)) ** 2;
      into[age] = square;
      slot = slot === 0 ? this.capacity - 1 : slot - 1;
    }
    return found;
  }

  #bar(age: number): Candle {
    return {
      openMs: this.#ring.at(age, OPEN_MS),
      open: this.#ring.at(age, OPEN),
      high: this.#ring.at(age, HIGH),
      low: this.#ring.at(age, LOW),
      close: this.#ring.at(age, CLOSE),
      volume: this.#ring.at(age, VOLUME),
    };
  }

  #write(age: number, row: Float64Array): void {
    this.#changed = Math.max(this.#changed, age + 1);
    this.#squares[this.#ring.slot(age)] = NaN;
    if (age > 0) this.#squares[this.#ring.slot(age - 1)] = NaN;
    this.#ring.put(age, row);
  }
}

function isSound(row: Float64Array): boolean {
  const [high, low] = [row[HIGH] ?? NaN, row[LOW] ?? NaN];
  if (!((row[OPEN_MS] ?? NaN) > 0) || !(low > 0) || !(high >= low) || !Number.isFinite(high)) return false;
  const [open, close] = [row[OPEN] ?? NaN, row[CLOSE] ?? NaN];
  return open >= low && open <= high && close >= low && close <= high && (row[VOLUME] ?? NaN) >= 0;
}

/** Builds bars of a longer interval from shorter ones, oldest first. Omits an incomplete first bar. */
export function aggregate(bars: readonly Candle[], intervalMs: number): Candle[] {
  const made: Candle[] = [];
  const bucketOf = (bar: Candle): number => Math.floor(bar.openMs / intervalMs) * intervalMs;
  const first = bars[0];
  const cut = first && first.openMs !== bucketOf(first) ? bucketOf(first) : null;
  let current: { -readonly [K in keyof Candle]: Candle[K] } | null = null;
  for (const bar of bars) {
    const openMs = bucketOf(bar);
    if (openMs === cut) continue;
    if (!current || openMs !== current.openMs) {
      current = { ...bar, openMs };
      made.push(current);
      continue;
    }
    current.high = Math.max(current.high, bar.high);
    current.low = Math.min(current.low, bar.low);
    current.close = bar.close;
    current.volume += bar.volume;
  }
  return made;
}

/** The bars of a longer interval that were made of all of its time: the newest one may still have been running. */
export function wholeBars(bars: readonly Candle[], stepMs: number, intervalMs: number): readonly Candle[] {
  const endMs = (bars.at(-1)?.openMs ?? NaN) + stepMs;
  return aggregate(bars, intervalMs).filter(({ openMs }) => openMs + intervalMs <= endMs);
}
