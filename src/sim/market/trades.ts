/**
 * Recorded trades, finer than candles: read into whole numbers, aggregated into candles if there are none beside them,
 * and played one by one if they match a candle exactly. Format: docs/DATA-FORMAT.md.
 */
import { basename } from "node:path";
import { err, ok, type Result } from "../../core/result.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { PathPrint, WholeCandle } from "./candle-path.ts";
import { type CandleColumns, type DecimalColumn, newColumn, readFigure, readText, toCommonDecimals } from "./import.ts";

/** Trades in columns, in order of time. A price is its figure divided by 10 to the `priceDecimals`, a quantity likewise. */
export interface Trades {
  readonly count: number;
  readonly atMs: Float64Array;
  readonly price: Float64Array;
  readonly qty: Float64Array;
  /** 1 if the taker sold. */
  readonly sells: Uint8Array;
  readonly priceDecimals: number;
  readonly qtyDecimals: number;
}

const HEADER = ["trade_time_ms", "price", "qty", "is_buyer_maker"] as const;
/** Length of candles built from trades. */
export const TRADE_CANDLE_MS = MINUTE_MS;

/** Trailing zeros do not count for the step. */
const plain = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Reads the text of a trade file. `name` is for the error. Other columns may be present. */
export function readTrades(text: string, name: string): Result<Trades, string> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const head = (lines[0] ?? "").split(",");
  const places = HEADER.map((column) => head.indexOf(column));
  if (places.includes(-1)) return err(`${name}:1: the first line must name ${HEADER.join(", ")}`);
  const count = lines.length - 1;
  if (count === 0) return err(`${name}: holds no trades`);
  const columns = [newColumn(count), newColumn(count), newColumn(count)] as [
    DecimalColumn,
    DecimalColumn,
    DecimalColumn,
  ];
  const sells = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    const cells = (lines[row + 1] ?? "").split(",");
    const [time = "", price = "", qty = "", maker = ""] = places.map((place) => cells[place]);
    const figures = [time, plain(price), plain(qty)].every((cell, i) =>
      readFigure(cell, columns[i] as DecimalColumn, row),
    );
    if (!figures || !/^[01]$/.test(maker))
      return err(`${name}:${row + 2}: expected plain figures and a side of 0 or 1`);
    if (columns[1].digits[row] === 0 || columns[2].digits[row] === 0)
      return err(`${name}:${row + 2}: price and quantity must be above zero`);
    // Exchanges timestamp simultaneous trades slightly out of order; the order of the rows is the true one.
    columns[0].digits[row] = Math.max(columns[0].digits[row] ?? 0, columns[0].digits[row - 1] ?? 0);
    sells[row] = Number(maker);
  }
  const [time, price, qty] = columns;
  const priceDecimals = toCommonDecimals([price], count);
  const qtyDecimals = toCommonDecimals([qty], count);
  if (priceDecimals === null || qtyDecimals === null) return err(`${name}: a figure has too many digits to be exact`);
  return ok({ count, atMs: time.digits, price: price.digits, qty: qty.digits, sells, priceDecimals, qtyDecimals });
}

/** Reads files of one symbol, given in order of time, as one. */
export function readTradeFiles(paths: readonly string[]): Result<Trades, string> {
  const [first = "", ...rest] = paths.map(readText);
  // One header is enough; the others are removed.
  const text = [first, ...rest.map((each) => each.slice(each.indexOf("\n") + 1))].join("");
  return readTrades(text, basename(paths[0] ?? ""));
}

/** The candles of these trades. The first and last may be incomplete. */
export function candlesOf(trades: Trades): CandleColumns {
  const rows: [openMs: number, open: number, high: number, low: number, close: number, volume: number][] = [];
  for (let i = 0; i < trades.count; i++) {
    const [atMs, price, qty] = [trades.atMs[i] ?? 0, trades.price[i] ?? 0, trades.qty[i] ?? 0];
    const openMs = Math.floor(atMs / TRADE_CANDLE_MS) * TRADE_CANDLE_MS;
    const last = rows.at(-1);
    if (last?.[0] !== openMs) rows.push([openMs, price, price, price, price, qty]);
    else {
      last[2] = Math.max(last[2], price);
      last[3] = Math.min(last[3], price);
      last[4] = price;
      last[5] += qty;
    }
  }
  const column = (place: number): Float64Array => Float64Array.from(rows, (row) => row[place] ?? 0);
  return {
    count: rows.length,
    openMs: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
    priceDecimals: trades.priceDecimals,
    volumeDecimals: trades.qtyDecimals,
  };
}

function firstFrom({ atMs, count }: Trades, ms: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((atMs[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ticks of one price figure and lots of one quantity figure, each as a fraction. */
export interface TradeScale {
  readonly ticks: number;
  readonly ticksPer: number;
  readonly lots: number;
  readonly lotsPer: number;
}

/** Recorded trades of a span. */
export interface FoundTrades {
  readonly prints: readonly PathPrint[];
  /** Whether the recording begins or ends in the span: no other trade for as long as the span before it, or after it. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/**
 * The trades within a candle, with timestamps from `openMs` on; null if there are none, or one is not in whole ticks
 * and lots.
 */
export function tradesWithin(
  trades: Trades,
  candle: WholeCandle,
  scale: TradeScale,
  openMs: number,
): FoundTrades | null {
  const { intervalMs } = candle;
  const endMs = candle.openMs + intervalMs;
  const prints: PathPrint[] = [];
  const from = firstFrom(trades, candle.openMs);
  let i = from;
  for (; i < trades.count; i++) {
    const atMs = trades.atMs[i] ?? 0;
    if (atMs >= endMs) break;
    const ticks = ((trades.price[i] ?? 0) * scale.ticks) / scale.ticksPer;
    const lots = ((trades.qty[i] ?? 0) * scale.lots) / scale.lotsPer;
    if (!Number.isInteger(ticks) || !Number.isInteger(lots)) return null;
    prints.push({ atMs: atMs - candle.openMs + openMs, ticks, lots, takerBuys: trades.sells[i] === 0 });
  }
  if (prints.length === 0) return null;
  const begins = from === 0 || (trades.atMs[from - 1] ?? 0) < candle.openMs - intervalMs;
  const ends = i === trades.count || (trades.atMs[i] ?? 0) >= endMs + intervalMs;
  return { prints, begins, ends };
}

/** Whether these trades are all of a candle: they match its open, high, low, close and volume. */
export function makeUp(candle: WholeCandle, prints: readonly PathPrint[]): boolean {
  let [high, low, volume] = [0, Infinity, 0];
  for (const { ticks, lots } of prints)
    [high, low, volume] = [Math.max(high, ticks), Math.min(low, ticks), volume + lots];
  const same = prints[0]?.ticks === candle.open && prints.at(-1)?.ticks === candle.close;
  return same && high === candle.high && low === candle.low && volume === candle.volume;
}
