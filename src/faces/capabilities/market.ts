/**
 * Market data from the service itself: by REST if it has a call, otherwise by a short subscription to its stream. No other
 * source is used unless the operator configured a candle source. Spec: 3 §4.2; records §17.8.
 */
import type { BookLevel } from "../../domain/market.ts";
import { z } from "zod";
import { Decimal, toWire } from "../../core/decimal.ts";
import type { Outcome } from "../../core/outcome.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isoTime } from "../../core/time.ts";
import { KLINE_INTERVAL_MS } from "../../domain/market.ts";
import { parseSymbol } from "../../domain/symbol.ts";
import { type Failure, failure, readFailure } from "../contract/statuses.ts";
import { type Answer, type Call, capability } from "../contract/capability.ts";
import type { CandleRow, MarketLook } from "../contract/client.ts";
import * as fields from "./fields.ts";
import { readRest, wireParams } from "./read.ts";

const shared = { operationType: "READ", riskLevel: "read" } as const;
const symbolInput = z.strictObject({ symbol: fields.symbol });
const example = { symbol: "EXCHANGE_A_PERP_BTC_USDT" };
const figure = z.string();
/** Formats a float of the stream as plain text without an exponent. */
const plain = (value: number): string => toWire(new Decimal(value));

/** Reads one message of the stream. */
async function look<T>(call: Call, ask: (market: MarketLook) => Promise<Outcome<T>>): Promise<Result<T, Failure>> {
  const service = call.client.service();
  if (!service.ok) return service;
  const outcome = await ask(service.value.market);
  if (outcome.kind !== "done") return err(readFailure(outcome));
  call.seen.real = true;
  return ok(outcome.value);
}

async function ticker(call: Call, { symbol }: { symbol: string }): Answer {
  const seen = await look(call, (market) => market.ticker(symbol, call.signal));
  if (!seen.ok) return seen;
  const { last, changePercent, high, low, volume, atMs } = seen.value;
  const before = last / (1 + changePercent / 100);
  return ok({
    symbol,
    lastPrice: plain(last),
    priceChange: plain(Number((last - before).toPrecision(8))),
    priceChangePercent: plain(changePercent),
    highPrice: plain(high),
    lowPrice: plain(low),
    volume: plain(volume),
    // The stream has no quote volume: estimate it from the base volume and the middle of the day's range.
    quoteVolume: plain(Number((volume * ((high + low + last) / 3)).toPrecision(8))),
    atMs,
  });
}

const DEFAULT_DEPTH = 20;
const levelText = ({ price, qty }: BookLevel): { price: string; quantity: string } => ({
  price: plain(price),
  quantity: plain(qty),
});

async function orderbook(
  call: Call,
  input: { symbol: string; level?: number | undefined; depth?: number | undefined },
): Answer {
  const depth = input.level ?? input.depth ?? DEFAULT_DEPTH;
  const seen = await look(call, (market) => market.book(input.symbol, call.signal));
  if (!seen.ok) return seen;
  const bids = seen.value.bids.slice(0, depth).map(levelText);
  const asks = seen.value.asks.slice(0, depth).map(levelText);
  const { symbol } = input;
  return ok({ symbol, bestBid: bids[0] ?? null, bestAsk: asks[0] ?? null, bids, asks, atMs: seen.value.atMs });
}

/** The stream's name of an interval. Case matters only between 1m (a minute) and 1M (a month). */
function streamInterval(text: string): string | null {
  if (Object.hasOwn(KLINE_INTERVAL_MS, text)) return text;
  const upper = text.toUpperCase();
  return upper !== "1M" && Object.hasOwn(KLINE_INTERVAL_MS, upper) ? upper : null;
}

const rowText = (row: CandleRow): readonly (number | string)[] => [
  row.openMs,
  ...[row.open, row.high, row.low, row.close, row.volume].map(plain),
];

/** Past candles from this machine's sources, followed by the stream's running bar. */
async function klines(
  call: Call,
  input: { symbol: string; interval?: string | undefined; limit?: number | undefined },
): Answer {
  const asked = input.interval ?? "1h";
  const interval = streamInterval(asked);
  if (interval === null) {
    const known = Object.keys(KLINE_INTERVAL_MS).join(", ");
    return err(failure("INVALID_INPUT", "30001", `interval must be one of ${known}`));
  }
  const limit = input.limit ?? 100;
  const byOpen = new Map<number, CandleRow>();
  const sources: string[] = [];
  const steps = call.client.candleSources.length + 1;
  for (const [index, source] of call.client.candleSources.entries()) {
    call.progress(index, steps, `reading candles from ${source.name}`);
    const rows = await source.candles(input.symbol, interval, limit);
    if (rows.length > 0) sources.push(source.name);
    for (const row of rows) byOpen.set(row.openMs, row);
  }
  call.progress(steps - 1, steps, "listening for the running candle");
  const running = await look(call, (market) => market.candle(input.symbol, interval, call.signal));
  if (!running.ok && byOpen.size === 0) return running;
  if (running.ok) {
    byOpen.set(running.value.openMs, running.value);
    sources.push("stream");
  }
  const candles = [...byOpen.values()].sort((a, b) => a.openMs - b.openMs).slice(-limit);
  const { symbol } = input;
  const gap = gapNote(candles, KLINE_INTERVAL_MS[interval] ?? Infinity);
  const data = { symbol, interval: asked, count: candles.length, candles: candles.map(rowText), sources, ...gap };
  if (candles.length >= limit) return ok(data);
  // A caller that reads only the status must not mistake one candle for the requested hundred.
  const message = `${candles.length} of ${limit} candles: the service has no call for history`;
  return err(failure("NOT_VERIFIED", "23001", message, { data, details: { hint: MORE_CANDLES } }));
}

const MORE_CANDLES =
  "name a folder of candles in SVC_CANDLE_DIR or a public source in SVC_CANDLE_URL, or leave ballast run recording";

/** A folder may end long before now. A gap is more than one and a half candles, because months differ in length. */
function gapNote(candles: readonly CandleRow[], lengthMs: number): { readonly note?: string } {
  const last = candles.findLastIndex(
    (row, at) => row.openMs - (candles[at - 1]?.openMs ?? row.openMs) > lengthMs * 1.5,
  );
  const [before, after] = [candles[last - 1], candles[last]];
  if (!before || !after) return {};
  return { note: `no candles between ${isoTime(before.openMs)} and ${isoTime(after.openMs)}` };
}

async function openInterest(call: Call, { symbol }: { symbol: string }): Answer {
  const parts = parseSymbol(symbol);
  if (parts.ok && parts.value.type !== "PERP") {
    return err(failure("INVALID_INPUT", "00001", "open interest exists for perpetuals only"));
  }
  const seen = await look(call, (market) => market.openInterest(symbol, call.signal));
  if (!seen.ok) return seen;
  return ok({ symbol, openInterest: plain(seen.value.openInterest), time: seen.value.atMs });
}

const rest = { ...shared, input: symbolInput, inputName: "SymbolInput", output: fields.restEnvelope, example };

/** The service keeps no candle history, so klines combine its running bar with this machine's own sources. */
export const marketReads = [
  capability({
    ...shared,
    id: "market.ticker",
    command: ["market", "get-ticker"],
    summary: "Last price and the day's change, range and volume.",
    inputName: "SymbolInput",
    input: symbolInput,
    outputName: "MarketTicker",
    output: z.looseObject({ symbol: z.string(), lastPrice: figure }),
    example,
    run: ticker,
  }),
  capability({
    ...shared,
    id: "market.orderbook",
    command: ["market", "get-orderbook"],
    summary: "Bids and asks, best first, to the requested level.",
    inputName: "OrderbookInput",
    input: z.strictObject({
      symbol: fields.symbol,
      level: fields.whole(1, 1_000, "Levels per side; default 20.").optional(),
      depth: fields.whole(1, 1_000, "Another name of level.").optional(),
    }),
    outputName: "Orderbook",
    output: z.looseObject({ symbol: z.string(), bids: z.array(z.unknown()), asks: z.array(z.unknown()) }),
    example: { ...example, level: 5 },
    run: orderbook,
  }),
  capability({
    ...shared,
    id: "market.klines",
    command: ["market", "get-klines"],
    summary: "Candles, oldest first, with the running one; NOT_VERIFIED if fewer exist than requested.",
    inputName: "KlinesInput",
    input: z.strictObject({
      symbol: fields.symbol,
      interval: fields.text("1m 3m 5m 15m 30m 1H 2H 4H 8H 12H 1D 2D 5D 1W 1M; default 1h.").optional(),
      limit: fields.whole(1, 1_500, "Most candles to return; default 100.").optional(),
    }),
    outputName: "Klines",
    output: z.looseObject({ symbol: z.string(), interval: z.string(), candles: z.array(z.unknown()) }),
    example: { ...example, interval: "15m", limit: 50 },
    run: klines,
  }),
  capability({
    ...rest,
    id: "market.funding-rate",
    command: ["market", "get-funding-rate"],
    summary: "Funding rate and the next settlement.",
    outputName: "FundingRate",
    run: (call, input) => readRest(call, "fundingRate", wireParams(input)),
  }),
  capability({
    ...rest,
    id: "market.mark-price",
    command: ["market", "get-mark-price"],
    summary: "Mark price, which determines profit and liquidation.",
    outputName: "MarkPrice",
    run: (call, input) => readRest(call, "markPrice", wireParams(input)),
  }),
  capability({
    ...rest,
    id: "market.symbol-info",
    command: ["market", "get-symbol-info"],
    summary: "Tick, lot, minimum sizes and other rules of a symbol.",
    outputName: "SymbolInfo",
    run: (call, input) => readRest(call, "symbolInfo", wireParams(input)),
  }),
  capability({
    ...shared,
    id: "market.open-interest",
    command: ["market", "get-open-interest"],
    summary: "Open interest of a perpetual.",
    inputName: "SymbolInput",
    input: symbolInput,
    outputName: "OpenInterest",
    output: z.looseObject({ symbol: z.string(), openInterest: figure }),
    example,
    run: openInterest,
  }),
];
