/**
 * The market path: parsed frames in, rolling state changed, nothing allocated. What it does not know (another symbol,
 * another interval) it counts and leaves.
 */
import type { MarketSink } from "../domain/market.ts";
import { CHANGE_24H, INDEX, LAST, MARK, type SymbolState, TRADE } from "./symbol-state.ts";

/** The sink that market streams are given, and counts of what it could not use. */
export interface MarketPath {
  readonly sink: MarketSink;
  readonly counts: { unknownSymbol: number; badBars: number };
  /** Our time of the newest frame; -Infinity before the first. */
  lastMs(): number;
}

/** `states` by canonical symbol: these are kept, frames of any other symbol are only counted. */
export function createMarketPath(states: ReadonlyMap<string, SymbolState>): MarketPath {
  const counts = { unknownSymbol: 0, badBars: 0 };
  let nowMs = -Infinity;
  let writing: SymbolState | null = null;
  const find = (symbol: string): SymbolState | null => {
    const state = states.get(symbol);
    if (!state) counts.unknownSymbol++;
    return state ?? null;
  };
  const sink: MarketSink = {
    received: (atMs) => {
      nowMs = atMs;
    },
    ticker: (symbol, last, change24hPercent, _high, _low, _volume, tsMs) => {
      const state = find(symbol);
      if (!state?.price(LAST, last, tsMs, nowMs)) return;
      if (Number.isFinite(change24hPercent)) state.report(CHANGE_24H, change24hPercent / 100, tsMs, nowMs);
    },
    bbo: (symbol, bid, _bidQty, ask, _askQty, tsMs) => {
      find(symbol)?.bbo(bid, ask, tsMs, nowMs);
    },
    bookBegin: (symbol, snapshot, seq, tsMs) => {
      writing = find(symbol);
      writing?.book.begin(snapshot, seq, tsMs > 0 ? tsMs : nowMs, nowMs);
    },
    bookSide: (bid, levels, count) => {
      writing?.book.side(bid, levels, count);
    },
    bookEnd: () => {
      writing?.bookDone();
      writing = null;
    },
    trade: (symbol, takerBuys, price, qty, tsMs) => {
      const state = find(symbol);
      // A ticker may be newer than a trade that comes after it: that is flow all the same.
      if (!state || !(qty > 0) || !state.price(TRADE, price, tsMs, nowMs)) return;
      state.report(LAST, price, tsMs, nowMs);
      state.flow.trade(takerBuys, price * qty, nowMs);
    },
    mark: (symbol, price, tsMs) => {
      find(symbol)?.price(MARK, price, tsMs, nowMs);
    },
    index: (symbol, price, tsMs) => {
      find(symbol)?.price(INDEX, price, tsMs, nowMs);
    },
    openInterest: (symbol, openInterest, tsMs) => {
      find(symbol)?.interest(openInterest, tsMs, nowMs);
    },
    kline: (kind, symbol, interval, openMs, open, high, low, close, volume) => {
      if (kind !== "KLINE") return;
      const state = find(symbol);
      if (!state) return;
      // A bar of the future would be the newest for ever, and every later one too old.
      const isSound = state.isReached(openMs, nowMs);
      if (!isSound || !state.bars.take(interval, openMs, open, high, low, close, volume, nowMs)) counts.badBars++;
    },
  };
  return { sink, counts, lastMs: () => nowMs };
}
