/** The channels whose push is a list: public trades, and bars of three kinds. */
import type { KlineKind, MarketSink } from "../../domain/market.ts";
import { BRACKET, type ByteReader, bytesOf, nameBytes } from "./byte-reader.ts";
import { type ByteForm, readFigure } from "./figure-bytes.ts";

const ROWS_MAX = 64;
const BAR_COLUMNS = ["count", "price", "price", "price", "price", "amount"] as const;

/** Bars of six columns each. `interval` is the documented spelling. */
export function barForm(kind: KlineKind, interval: string): ByteForm {
  const width = BAR_COLUMNS.length;
  const values = new Float64Array(ROWS_MAX * width);
  let rows = 0;
  const readBar = (reader: ByteReader): boolean => {
    if (rows === ROWS_MAX || !reader.takes(BRACKET.list)) return false;
    for (let column = 0; column < width; column++) {
      const last = column === width - 1;
      if (!readFigure(reader, BAR_COLUMNS[column] ?? "price", values, rows * width + column)) return false;
      if (reader.goesOn(BRACKET.listEnd) !== !last) return false;
    }
    rows += 1;
    return true;
  };
  const valueAt = (at: number): number => values[at] ?? NaN;
  return {
    read: (reader) => {
      rows = 0;
      return readList(reader, readBar);
    },
    report: (symbol, sink) => {
      for (let row = 0, at = 0; row < rows; row++, at += width)
        sink.kline(
          kind,
          symbol,
          interval,
          valueAt(at),
          valueAt(at + 1),
          valueAt(at + 2),
          valueAt(at + 3),
          valueAt(at + 4),
          valueAt(at + 5),
        );
    },
  };
}

/** A list of such items, or none. */
function readList(reader: ByteReader, readItem: (reader: ByteReader) => boolean): boolean {
  if (!reader.takes(BRACKET.list)) return false;
  if (reader.takes(BRACKET.listEnd)) return true;
  for (;;) {
    if (!readItem(reader)) return false;
    const more = reader.goesOn(BRACKET.listEnd);
    if (more === null) return false;
    if (!more) return true;
  }
}

const TRADE_NAMES = ["tradeid", "side", "price", "qty", "ts"].map(nameBytes);
const TRADE = { id: 0, side: 1, price: 2, qty: 3, ts: 4 } as const;
const NEEDED = (1 << TRADE.side) | (1 << TRADE.price) | (1 << TRADE.qty) | (1 << TRADE.ts);
/** Those of buyers first. */
const SIDES = ["BUY", "buy", "SELL", "sell"].map((word) => bytesOf(`"${word}"`));
const BUYS = 2;

const trades = new Float64Array(ROWS_MAX * TRADE_NAMES.length);
let tradeCount = 0;

function readTradeField(reader: ByteReader, field: number, place: number): boolean {
  switch (field) {
    case TRADE.id:
      return reader.skipsScalar();
    case TRADE.side: {
      const side = reader.name(SIDES, 0);
      trades[place] = side;
      return side !== -1;
    }
    case TRADE.price:
      return readFigure(reader, "price", trades, place);
    case TRADE.qty:
      return readFigure(reader, "amount", trades, place);
    case TRADE.ts:
      return readFigure(reader, "count", trades, place);
    default:
      return false;
  }
}

function readTrade(reader: ByteReader): boolean {
  if (tradeCount === ROWS_MAX || !reader.takes(BRACKET.object)) return false;
  let seen = 0;
  for (let read = 0; ; read++) {
    const field = reader.name(TRADE_NAMES, read);
    if (field === -1 || (seen & (1 << field)) !== 0) return false;
    if (!readTradeField(reader, field, tradeCount * TRADE_NAMES.length + field)) return false;
    seen |= 1 << field;
    const more = reader.goesOn(BRACKET.objectEnd);
    if (more === null) return false;
    if (!more) break;
  }
  tradeCount += 1;
  return (seen & NEEDED) === NEEDED;
}

function reportTrade(symbol: string, sink: MarketSink, from: number): void {
  const buys = (trades[from + TRADE.side] ?? NaN) < BUYS;
  sink.trade(
    symbol,
    buys,
    trades[from + TRADE.price] ?? NaN,
    trades[from + TRADE.qty] ?? NaN,
    trades[from + TRADE.ts] ?? NaN,
  );
}

/** A list of trades; the general documents show a single object, which takes the longer way. */
export const TRADES: ByteForm = {
  read: (reader) => {
    tradeCount = 0;
    return readList(reader, readTrade);
  },
  report: (symbol, sink) => {
    for (let at = 0; at < tradeCount; at++) reportTrade(symbol, sink, at * TRADE_NAMES.length);
  },
};
