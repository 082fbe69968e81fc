/**
 * The fast reader of the market stream: it takes a parsed frame and passes plain numbers to the sink. It creates no
 * objects while frames are valid; a property test compares it with the zod schema of each channel.
 */
import { isRecord } from "../../core/record.ts";
import type { MarketSink } from "../../domain/market.ts";
import { readBbo } from "./bbo.ts";
import { readIndexPrice } from "./index-price.ts";
import { readKlines } from "./kline.ts";
import { readMarkPrice } from "./mark-price.ts";
import { readOpenInterest } from "./open-interest.ts";
import { readOrderBook } from "./order-book.ts";
import { readTicker } from "./ticker.ts";
import { readTrades } from "./trade.ts";

/** For a refused frame the sink received nothing; the reason names the channel and the field. */
export type MarketFrameKind = "push" | "ack" | "pong" | { readonly refused: string };

/** `undefined` for an unknown channel. */
function readChannel(
  arg: Readonly<Record<string, unknown>>,
  symbol: string,
  data: unknown,
  sink: MarketSink,
): string | null | undefined {
  switch (arg.channel) {
    case "TICKER":
      return readTicker(symbol, data, sink);
    case "BBO":
      return readBbo(symbol, data, sink);
    case "TRADE":
      return readTrades(symbol, data, sink);
    case "ORDER_BOOK":
      return readOrderBook(symbol, data, arg.updatetype, sink);
    case "MARK_PRICE":
      return readMarkPrice(symbol, data, sink);
    case "INDEX_PRICE":
      return readIndexPrice(symbol, data, sink);
    case "OPEN_INTEREST":
      return readOpenInterest(symbol, data, sink);
    case "KLINE":
    case "INDEX_KLINE":
    case "MARK_PRICE_KLINE":
      return readKlines(arg.channel, symbol, arg.interval, data, sink);
    default:
      return undefined;
  }
}

/**
 * Reads a frame after `JSON.parse`. It only recognises acks, errors (`event`) and pongs; `messages.ts` reads them. It
 * tolerates the documented variants: `instId` for `sym`, `updatetype` in `arg`, TRADE as object or array, times and
 * numbers as text or number.
 */
export function readMarketFrame(frame: unknown, sink: MarketSink): MarketFrameKind {
  if (!isRecord(frame)) return { refused: "frame is not an object" };
  if (typeof frame.event === "string") return "ack";
  if (frame.pong !== undefined) return "pong";
  const arg = frame.arg;
  if (!isRecord(arg)) return { refused: "frame has neither event, pong nor arg" };
  const symbol = arg.sym ?? arg.instId;
  if (typeof symbol !== "string" || symbol === "") return { refused: "arg.sym must be a symbol" };
  const fault = readChannel(arg, symbol, frame.data, sink);
  if (fault === null) return "push";
  const channel = typeof arg.channel === "string" ? arg.channel.slice(0, 40) : typeof arg.channel;
  return {
    refused: fault === undefined ? `unknown channel ${channel}` : `${channel} ${symbol.slice(0, 60)}: ${fault}`,
  };
}
