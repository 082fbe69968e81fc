/**
 * Builds longer bars from minute bars as they arrive: the running minute is merged into the running hour and so on,
 * without allocation and without reading a bar twice. Omits an incomplete first bar.
 */
import { type CandleSeries, newBarRow } from "./candles.ts";

/** Columns of a row: the running bar, the omitted bar, and the totals of the running bar's closed minutes. */
const BUCKET = 0;
const CUT = 1;
const OPEN = 2;
const HIGH = 3;
const LOW = 4;
const VOLUME = 5;
const COLUMNS = 6;

/** Writes into series whose interval is a multiple of a minute. */
export class Rollup {
  readonly #series: readonly CandleSeries[];
  readonly #rows: Float64Array;
  /** Series that the venue pushes itself. */
  readonly #pushed: boolean[];
  /** The bar that is being written. */
  readonly #bar = newBarRow();
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

  /** From now on only the venue's own bars update this series. */
  leave(series: CandleSeries): void {
    const at = this.#series.indexOf(series);
    if (at >= 0) this.#pushed[at] = true;
  }

  /** Clears everything; later minutes start again. */
  restart(): void {
    this.#rows.fill(NaN);
    this.#openMs = NaN;
    for (let at = 0; at < this.#series.length; at++) if (this.#pushed[at] !== true) this.#series[at]?.clear();
  }

  /** An update of the running minute; a later open time closes the previous one. Late minutes are ignored. */
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

  /** The first minute: a bar that began before it is incomplete. */
  #begin(at: number, openMs: number): void {
    const bucket = this.#bucketOf(at, openMs);
    this.#rows[at * COLUMNS + (bucket === openMs ? BUCKET : CUT)] = bucket;
  }

  /** A minute has ended: adds it to the closed minutes of its bar, or starts a new bar. */
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
    const isFirst = Number.isNaN(this.#rows[row + OPEN]);
    const bar = this.#bar;
    bar[0] = bucket;
    bar[1] = isFirst ? this.#open : (this.#rows[row + OPEN] ?? NaN);
    bar[2] = isFirst ? this.#high : Math.max(this.#rows[row + HIGH] ?? NaN, this.#high);
    bar[3] = isFirst ? this.#low : Math.min(this.#rows[row + LOW] ?? NaN, this.#low);
    bar[4] = this.#close;
    bar[5] = isFirst ? this.#volume : (this.#rows[row + VOLUME] ?? NaN) + this.#volume;
    series.take(bar);
  }

  #bucketOf(at: number, openMs: number): number {
    const lengthMs = this.#series[at]?.intervalMs ?? NaN;
    return Math.floor(openMs / lengthMs) * lengthMs;
  }
}
