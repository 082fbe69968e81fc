/** The bars of one symbol, a series per interval. Minutes build the longer bars until the venue pushes those itself. */
import { filling, type Gauge } from "../core/bounded.ts";
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { Candle } from "../domain/market.ts";
import { CandleSeries, wholeBars } from "./candles.ts";
import { Rollup } from "./rollup.ts";

/** Bars kept: of the minute, of the hour, and of each other interval. */
export interface BarCaps {
  readonly minuteBars: number;
  readonly hourBars: number;
  readonly bars: number;
}

/** By interval, as the venue spells it. */
export class SymbolBars {
  readonly series: ReadonlyMap<string, CandleSeries>;
  /** The same, the shortest interval first. */
  readonly byLength: readonly CandleSeries[];
  /** Our time of the newest minute bar. */
  seenMs = -Infinity;
  readonly #rollup: Rollup;

  constructor(intervals: ReadonlyMap<string, number>, caps: BarCaps) {
    this.series = new Map(
      [...intervals].map(([name, intervalMs]) => [name, new CandleSeries(intervalMs, capOf(intervalMs, caps))]),
    );
    this.byLength = [...this.series.values()].sort((a, b) => a.intervalMs - b.intervalMs);
    this.#rollup = new Rollup([...this.series.values()].filter((series) => series.intervalMs > MINUTE_MS));
  }

  /**
   * A bar from the stream. Minutes also build the longer bars, until the venue pushes those itself. False if invalid.
   */
  take(
    interval: string,
    openMs: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
    seenMs: number,
  ): boolean {
    const series = this.series.get(interval);
    if (!series) return true;
    if (!series.bar(openMs, open, high, low, close, volume)) return false;
    if (interval === "1m") {
      this.seenMs = seenMs;
      this.#rollup.minute(openMs, open, high, low, close, volume);
    } else this.#rollup.leave(series);
    return true;
  }

  /**
   * Past bars, oldest first; pushed ones take precedence. Longer bars that they cover whole are made of them, and what
   * was loaded of a longer interval before stays.
   */
  load(interval: string, candles: readonly Candle[]): void {
    const series = this.series.get(interval);
    if (!series) return;
    if (interval === "1m") return this.#loadMinutes(series, candles);
    series.load(candles);
    for (const longer of this.series.values())
      if (longer.intervalMs > series.intervalMs && longer.intervalMs % series.intervalMs === 0)
        longer.load(wholeBars(candles, series.intervalMs, longer.intervalMs));
  }

  #loadMinutes(series: CandleSeries, candles: readonly Candle[]): void {
    const minutes = new Map(candles.map((candle) => [candle.openMs, candle]));
    for (const pushed of series.list(Infinity)) minutes.set(pushed.openMs, pushed);
    series.load(candles);
    const longer = [...this.series.values()].filter(({ intervalMs }) => intervalMs > MINUTE_MS);
    const before = longer.map((each) => each.list(Infinity));
    this.#rollup.restart();
    for (const bar of [...minutes.values()].sort((a, b) => a.openMs - b.openMs))
      this.#rollup.minute(bar.openMs, bar.open, bar.high, bar.low, bar.close, bar.volume);
    for (const [at, each] of longer.entries()) each.load(before[at] ?? []);
  }

  gauges(): readonly Gauge[] {
    return [...this.series].map(([name, { size, capacity }]) => filling(`context.bars.${name}`, size, capacity));
  }
}

function capOf(intervalMs: number, { minuteBars, hourBars, bars }: BarCaps): number {
  if (intervalMs === MINUTE_MS) return minuteBars;
  return intervalMs === HOUR_MS ? hourBars : bars;
}
