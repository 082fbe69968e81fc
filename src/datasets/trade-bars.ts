/** Minute candles out of single or aggregated trades, in the order in which they happened. */
import { dec, type Decimal } from "../core/decimal.ts";
import { isoTime, MINUTE_MS } from "../core/time.ts";

/** `id` rises by one from trade to trade; NaN where the dump has none. Figures are plain texts. */
export interface DumpedTrade {
  readonly id: number;
  readonly atMs: number;
  readonly price: string;
  readonly qty: string;
}

interface Bar {
  readonly open: string;
  high: string;
  low: string;
  close: string;
  volume: Decimal;
}

export interface TradeBars {
  /** Says which rule the trade breaks; `repeated` for one that another file had already; null where it was taken. */
  take(trade: DumpedTrade): string | null;
  /** By minute: open, high, low, close, volume. */
  rows(): ReadonlyMap<number, string>;
}

export const REPEATED = "repeated";

/** Of one symbol. A minute in which nobody traded is a flat candle where the ids prove it, else a gap. */
export function createTradeBars(): TradeBars {
  const bars = new Map<number, Bar>();
  let first: DumpedTrade | null = null;
  let last: DumpedTrade | null = null;
  const quietUntil = (minuteMs: number, before: DumpedTrade): void => {
    for (let atMs = minuteOf(before.atMs) + MINUTE_MS; atMs < minuteMs; atMs += MINUTE_MS)
      bars.set(atMs, { ...flat(before.price), volume: dec(0) });
  };
  return {
    take: (given) => {
      if (Number(given.price) <= 0) return "prices must be above zero";
      if (Number(given.qty) < 0) return "the quantity must not be negative";
      if (last !== null && given.id <= last.id) {
        return given.id >= (first?.id ?? Infinity)
          ? REPEATED
          : "it is older than the trades before it; name the files in chronological order";
      }
      if (last !== null && Number.isNaN(given.id) && given.atMs < last.atMs)
        return `${isoTime(given.atMs)} comes after ${isoTime(last.atMs)}: times must rise from trade to trade`;
      // Exchanges stamp a trade now and then a little before the one that came before it.
      const trade = { ...given, atMs: Math.max(given.atMs, last?.atMs ?? 0) };
      const minuteMs = minuteOf(trade.atMs);
      if (last !== null && trade.id === last.id + 1) quietUntil(minuteMs, last);
      const bar = bars.get(minuteMs) ?? { ...flat(trade.price), volume: dec(0) };
      bars.set(minuteMs, bar);
      if (Number(trade.price) > Number(bar.high)) bar.high = trade.price;
      if (Number(trade.price) < Number(bar.low)) bar.low = trade.price;
      bar.close = trade.price;
      bar.volume = bar.volume.add(trade.qty);
      first ??= trade;
      last = trade;
      return null;
    },
    rows: () =>
      new Map(
        [...bars].map(([atMs, { open, high, low, close, volume }]) => [
          atMs,
          [open, high, low, close, volume.toFixed()].join(","),
        ]),
      ),
  };
}

const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
const flat = (price: string) => ({ open: price, high: price, low: price, close: price });
