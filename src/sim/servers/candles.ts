/**
 * Running bars of every symbol, kind and interval, built from what the exchange makes public, with a bounded history of
 * finished one-minute bars. Floats: bars feed signals, never a ledger. Spec: 1 §6.1; records §10.6.
 */
import { BoundedList } from "../../core/bounded.ts";
import { type Candle, KLINE_INTERVAL_MS, type KlineKind } from "../../domain/market.ts";

/** Names under which a client may ask for an interval: the newest list, and the earlier lower-case one. */
const INTERVAL_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.keys(KLINE_INTERVAL_MS).flatMap((name): [string, string][] =>
    /^\d+[HDW]$/.test(name)
      ? [
          [name, name],
          [name.toLowerCase(), name],
        ]
      : [[name, name]],
  ),
);

/** The interval's own spelling, or null when there is none. `1m` is a minute and `1M` a month. */
export const knownInterval = (text: string): string | null => INTERVAL_ALIASES.get(text) ?? null;

/** The start of the bar that holds `atMs`. Weeks begin on Monday: the epoch was a Thursday. */
export function barOpenMs(intervalMs: number, atMs: number): number {
  const shift = intervalMs === KLINE_INTERVAL_MS["1W"] ? 4 * 86_400_000 : 0;
  return Math.floor((atMs - shift) / intervalMs) * intervalMs + shift;
}

interface Bar {
  openMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

interface Series {
  readonly running: Map<string, Bar>;
  readonly minutes: BoundedList<Candle>;
}

const INTERVALS = Object.entries(KLINE_INTERVAL_MS);
/** A day of minutes, for the 24-hour figures of TICKER, and a little more. */
const HISTORY_MINUTES = 1_500;
const DAY_MS = 86_400_000;

export interface DayFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
}

export class Candles {
  readonly #series = new Map<string, Series>();

  /** Takes one price in. `volume` is in base units, 0 for mark and index prices and for bars that only roll on. */
  update(kind: KlineKind, symbol: string, price: number, volume: number, atMs: number): void {
    const series = this.#of(kind, symbol);
    for (const [interval, lengthMs] of INTERVALS) {
      const openMs = barOpenMs(lengthMs, atMs);
      const bar = series.running.get(interval);
      if (bar && openMs <= bar.openMs) widen(bar, price, volume);
      else {
        if (bar && interval === "1m") series.minutes.push({ ...bar });
        series.running.set(interval, { openMs, open: price, high: price, low: price, close: price, volume });
      }
    }
  }

  /** Opens flat bars at the last close where time has moved on without a trade. Tells whether any was opened. */
  roll(kind: KlineKind, symbol: string, atMs: number): boolean {
    const last = this.running(kind, symbol, "1m");
    if (!last || barOpenMs(60_000, atMs) <= last.openMs) return false;
    this.update(kind, symbol, last.close, 0, atMs);
    return true;
  }

  running(kind: KlineKind, symbol: string, interval: string): Candle | null {
    return this.#series.get(`${kind}|${symbol}`)?.running.get(interval) ?? null;
  }

  /** Finished one-minute bars, oldest first. */
  minutes(kind: KlineKind, symbol: string): readonly Candle[] {
    return this.#series.get(`${kind}|${symbol}`)?.minutes.items() ?? [];
  }

  /** Open, high, low and volume of the last 24 hours as far as they are known; null before the first trade. */
  day(symbol: string, nowMs: number): DayFigures | null {
    const bars = [...this.minutes("KLINE", symbol).filter((bar) => bar.openMs > nowMs - DAY_MS)];
    const running = this.running("KLINE", symbol, "1m");
    if (running) bars.push(running);
    const first = bars[0];
    if (!first) return null;
    const figures = { open: first.open, high: first.high, low: first.low, volume: 0 };
    for (const bar of bars) {
      figures.high = Math.max(figures.high, bar.high);
      figures.low = Math.min(figures.low, bar.low);
      figures.volume += bar.volume;
    }
    return figures;
  }

  #of(kind: KlineKind, symbol: string): Series {
    const name = `${kind}|${symbol}`;
    const known = this.#series.get(name);
    if (known) return known;
    const made: Series = { running: new Map(), minutes: new BoundedList(HISTORY_MINUTES) };
    this.#series.set(name, made);
    return made;
  }
}

function widen(bar: Bar, price: number, volume: number): void {
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
  bar.volume += volume;
}
