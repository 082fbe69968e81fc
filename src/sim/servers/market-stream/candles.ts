/**
 * Running bars of every symbol, kind and interval, built from the exchange's public events, with a bounded history of
 * finished one-minute bars. In floats, because bars are used for signals and never for a ledger. Spec: 1 §6.1; records
 * §10.6.
 */
import { BoundedList } from "../../../core/bounded.ts";
import { type Candle, KLINE_INTERVAL_MS, type KlineKind } from "../../../domain/market.ts";

/** Accepted names of an interval: the newest list, and the earlier lower-case one. */
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

/** The interval's own spelling, or null if unknown. `1m` is a minute and `1M` a month. */
export const knownInterval = (text: string): string | null => INTERVAL_ALIASES.get(text) ?? null;

/** The start of the bar that contains `atMs`. Weeks begin on Monday: the epoch was a Thursday. */
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
  /** Totals of the finished minutes of the last day; null once another minute has finished. */
  day: FinishedDay | null;
}

interface FinishedDay extends DayFigures {
  /** The figures are valid until the oldest minute leaves the day. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const INTERVALS = Object.entries(KLINE_INTERVAL_MS);
/** A day of minutes, for the 24-hour figures of TICKER, plus a margin. */
const HISTORY_MINUTES = 1_500;
const DAY_MS = 86_400_000;

/** Prices in quote coin, volume in base units. */
export interface DayFigures {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
}

/** Bars of trades, mark and index prices, fed by the market publisher. They start empty. */
export class Candles {
  readonly #series = new Map<string, Series>();

  /** Adds one price. `volume` is in base units, 0 for mark and index prices and for bars that only continue. */
  update(kind: KlineKind, symbol: string, price: number, volume: number, atMs: number): void {
    const series = this.#of(kind, symbol);
    for (const [interval, lengthMs] of INTERVALS) {
      const bar = series.running.get(interval);
      if (bar && atMs < bar.openMs + lengthMs) widen(bar, price, volume);
      else {
        if (bar && interval === "1m") {
          series.minutes.push({ ...bar });
          series.day = null;
        }
        const openMs = barOpenMs(lengthMs, atMs);
        series.running.set(interval, { openMs, open: price, high: price, low: price, close: price, volume });
      }
    }
  }

  /** Opens flat bars at the last close if time has passed without a trade. Returns whether any was opened. */
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

  /** Open, high, low and volume of the last 24 hours, or since the start; null before the first trade. */
  day(symbol: string, nowMs: number): DayFigures | null {
    const series = this.#of("KLINE", symbol);
    const running = series.running.get("1m");
    if (series.day === null || nowMs < series.day.fromMs || nowMs >= series.day.untilMs) {
      series.day = finishedDay(series.minutes.items(), nowMs);
    }
    const { day } = series;
    if (!running) return day.untilMs === Infinity ? null : day;
    if (day.untilMs === Infinity) return { ...running };
    return {
      open: day.open,
      high: Math.max(day.high, running.high),
      low: Math.min(day.low, running.low),
      volume: day.volume + running.volume,
    };
  }

  #of(kind: KlineKind, symbol: string): Series {
    const name = `${kind}|${symbol}`;
    const known = this.#series.get(name);
    if (known) return known;
    const made: Series = { running: new Map(), minutes: new BoundedList(HISTORY_MINUTES), day: null };
    this.#series.set(name, made);
    return made;
  }
}

/** `untilMs` is Infinity if the day has none. */
function finishedDay(minutes: readonly Candle[], nowMs: number): FinishedDay {
  const figures = { open: 0, high: -Infinity, low: Infinity, volume: 0, fromMs: nowMs, untilMs: Infinity };
  for (const { openMs, open, high, low, volume } of minutes) {
    if (openMs <= nowMs - DAY_MS) continue;
    if (figures.untilMs === Infinity) {
      figures.open = open;
      figures.untilMs = openMs + DAY_MS;
    }
    figures.high = Math.max(figures.high, high);
    figures.low = Math.min(figures.low, low);
    figures.volume += volume;
  }
  return figures;
}

/** A bar that only continues the last close has no price of its own: the first trade opens it. */
function widen(bar: Bar, price: number, volume: number): void {
  if (bar.volume === 0 && volume > 0) bar.open = bar.high = bar.low = price;
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
  bar.volume += volume;
}
