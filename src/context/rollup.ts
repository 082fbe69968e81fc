/**
 * Longer bars out of minute bars as they come: the running minute is folded into the running hour, and so on, without
 * allocating and without reading any bar twice. A first bar that is cut off at its beginning is left out.
 */
import type { CandleSeries } from "./candles.ts";

/** Columns of a row: which bar is running, which one is left out, and what the closed minutes of the running one add up to. */
const BUCKET = 0;
const CUT = 1;
const OPEN = 2;
const HIGH = 3;
const LOW = 4;
const VOLUME = 5;
const COLUMNS = 6;

/** Writes into series longer than a minute, which must be whole multiples of one. */
export class Rollup {
  readonly #series: readonly CandleSeries[];
  readonly #rows: Float64Array;
  /** Series that the venue pushes itself. */
  readonly #pushed: boolean[];
  #openMs = NaN;
  #open = NaN;
  #high = NaN;
  #low = NaN;
  #close = NaN;
  #volume = NaN;

  constructor(series: readonly CandleSeries[]) {
    this.#series = series;
    this.#rows = new Float64Array(series.length * COLUMNS).fill(NaN);
    this.#pushed = series.map(() => false);
  }

  /** From now on this series is left to the venue's own bars. */
  leave(series: CandleSeries): void {
    const at = this.#series.indexOf(series);
    if (at >= 0) this.#pushed[at] = true;
  }

  /** Forgets everything; minutes reported from now on begin afresh. */
  restart(): void {
    this.#rows.fill(NaN);
    this.#openMs = NaN;
    for (let at = 0; at < this.#series.length; at++) if (this.#pushed[at] !== true) this.#series[at]?.clear();
  }

  /** The running minute, reported again and again; a later opening time closes the one before. Late minutes are passed over. */
  minute(openMs: number, open: number, high: number, low: number, close: number, volume: number): void {
    if (openMs < this.#openMs) return;
    if (openMs > this.#openMs) for (let at = 0; at < this.#series.length; at++) this.#turn(at, openMs);
    else if (Number.isNaN(this.#openMs)) for (let at = 0; at < this.#series.length; at++) this.#begin(at, openMs);
    this.#openMs = openMs;
    this.#open = open;
    this.#high = high;
    this.#low = low;
    this.#close = close;
    this.#volume = volume;
    for (let at = 0; at < this.#series.length; at++) this.#write(at);
  }

  /** The first minute: a bar that began before it is not known whole. */
  #begin(at: number, openMs: number): void {
    const bucket = this.#bucketOf(at, openMs);
    this.#rows[at * COLUMNS + (bucket === openMs ? BUCKET : CUT)] = bucket;
  }

  /** A minute has ended: it joins the closed ones of its bar, or a new bar begins. */
  #turn(at: number, openMs: number): void {
    const row = at * COLUMNS;
    const bucket = this.#bucketOf(at, openMs);
    if (bucket === this.#rows[row + CUT]) return;
    if (bucket !== this.#rows[row + BUCKET]) {
      this.#rows[row + BUCKET] = bucket;
      this.#rows[row + OPEN] = NaN;
      return;
    }
    const first = Number.isNaN(this.#rows[row + OPEN]);
    if (first) this.#rows[row + OPEN] = this.#open;
    this.#rows[row + HIGH] = first ? this.#high : Math.max(this.#rows[row + HIGH] ?? NaN, this.#high);
    this.#rows[row + LOW] = first ? this.#low : Math.min(this.#rows[row + LOW] ?? NaN, this.#low);
    this.#rows[row + VOLUME] = first ? this.#volume : (this.#rows[row + VOLUME] ?? NaN) + this.#volume;
  }

  #write(at: number): void {
    const series = this.#series[at];
    const row = at * COLUMNS;
    const bucket = this.#rows[row + BUCKET] ?? NaN;
    if (series === undefined || this.#pushed[at] === true || bucket !== this.#bucketOf(at, this.#openMs)) return;
    if (Number.isNaN(this.#rows[row + OPEN])) {
      series.bar(bucket, this.#open, this.#high, this.#low, this.#close, this.#volume);
      return;
    }
    const high = Math.max(this.#rows[row + HIGH] ?? NaN, this.#high);
    const low = Math.min(this.#rows[row + LOW] ?? NaN, this.#low);
    series.bar(
      bucket,
      this.#rows[row + OPEN] ?? NaN,
      high,
      low,
      this.#close,
      (this.#rows[row + VOLUME] ?? NaN) + this.#volume,
    );
  }

  #bucketOf(at: number, openMs: number): number {
    const lengthMs = this.#series[at]?.intervalMs ?? NaN;
    return Math.floor(openMs / lengthMs) * lengthMs;
  }
}
