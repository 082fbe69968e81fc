/** Frames of market data as the practice venue sends them to a subscriber of fifty symbols, for the benchmarks of the market path. */
import { gzipSync } from "node:zlib";
import { seededEntropy } from "../../src/core/entropy.ts";
import { PHASE_ONE_BASES } from "../../src/domain/competition.ts";
import type { MarketChannel, MarketSubscription } from "../../src/domain/market.ts";
import { perpSymbol } from "../../src/domain/symbol.ts";

/** Frames of one symbol in two seconds, roughly as the practice venue sends them. */
const MIX = { BBO: 10, ORDER_BOOK: 8, TRADE: 6, MARK_PRICE: 2, INDEX_PRICE: 2, KLINE: 4, TICKER: 1, OPEN_INTEREST: 1 };
const BOOK_LEVELS = 12;

export const symbols = PHASE_ONE_BASES.map((base) => perpSymbol("EXCHANGE_A", base));
const entropy = seededEntropy("bench:market");

/** Channels in turn, as often as the mix gives. */
const channels = Object.entries(MIX).flatMap(([channel, often]) => Array.from({ length: often }, () => channel));

function bodyOf(channel: string, price: number, seq: number, ts: number): unknown {
  const text = (value: number, digits = 2): string => value.toFixed(digits);
  const levels = (sign: number): string[][] =>
    Array.from({ length: BOOK_LEVELS }, (_, n) => [
      text(price * (1 + (sign * (n + 1)) / 20_000)),
      text(entropy.int("qty", 0, 500) / 100),
    ]);
  switch (channel) {
    case "BBO":
      return { bid: text(price * 0.9999), bidqty: "3.2", ask: text(price * 1.0001), askqty: "1.1", ts };
    case "ORDER_BOOK":
      return {
        updatetype: seq === 1 ? "snapshot" : "update",
        seq,
        pre_seq: seq - 1,
        Bids: levels(-1),
        Asks: levels(1),
        ts,
      };
    case "TRADE":
      return [{ tradeid: String(seq), side: seq % 2 ? "BUY" : "SELL", price: text(price), qty: "0.02", ts }];
    case "MARK_PRICE":
      return { markpx: text(price), ts };
    case "INDEX_PRICE":
      return { indexpx: text(price), ts };
    case "KLINE":
      return [[String(Math.floor(ts / 60_000) * 60_000), text(price), text(price), text(price), text(price), "31.77"]];
    case "TICKER":
      return { last: text(price), chg: "1.25", high24h: text(price), low24h: text(price), vol24h: "1512.5", ts };
    default:
      return { open_interest: "67684.63", ts };
  }
}

/** Frames in the order of a live hour, each a gzipped text as received. */
export function drawFrames(count: number): { texts: Buffer[]; zipped: Buffer[] } {
  const books = new Map<string, number>();
  const nowMs = Date.now();
  const texts = Array.from({ length: count }, (_, n) => {
    const symbol = symbols[n % symbols.length] ?? "";
    const channel = channels[Math.floor(n / symbols.length) % channels.length] ?? "BBO";
    const seq = (books.get(symbol) ?? 0) + (channel === "ORDER_BOOK" ? 1 : 0);
    books.set(symbol, seq);
    const price = 60_000 / (1 + (n % symbols.length)) + entropy.int("price", 0, 100) / 100;
    const arg = { channel, sym: symbol, ...(channel === "KLINE" ? { interval: "1m" } : {}) };
    return Buffer.from(JSON.stringify({ arg, data: bodyOf(channel, price, Math.max(1, seq), nowMs + n) }));
  });
  return { texts, zipped: texts.map((text) => gzipSync(text)) };
}

/** Every channel of every symbol. */
export const wanted: readonly MarketSubscription[] = symbols.flatMap((symbol) =>
  (Object.keys(MIX) as MarketChannel[]).map((channel) => ({
    channel,
    symbol,
    ...(channel === "KLINE" ? { interval: "1m" } : {}),
  })),
);
