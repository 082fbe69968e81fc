/** TICKER: the last price and the figures of the past 24 h, every 2 s. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import {
  amountField,
  countField,
  isAmount,
  isCount,
  isNumber,
  isPrice,
  numberField,
  numberOf,
  priceField,
} from "./numbers.ts";

/** `data` of a TICKER push; `readTicker` applies the same rules. */
export const tickerData = z.looseObject({
  last: priceField,
  /** Change over 24 h in percent. */
  chg: numberField,
  high24h: priceField,
  low24h: priceField,
  /** Base units over 24 h. */
  vol24h: amountField,
  /** Venue time, ms. */
  ts: countField,
});

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readTicker(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { last, chg, high24h, low24h, vol24h, ts } = data;
  if (!isPrice(last)) return "last";
  if (!isNumber(chg)) return "chg";
  if (!isPrice(high24h)) return "high24h";
  if (!isPrice(low24h)) return "low24h";
  if (!isAmount(vol24h)) return "vol24h";
  if (!isCount(ts)) return "ts";
  sink.ticker(
    symbol,
    numberOf(last),
    numberOf(chg),
    numberOf(high24h),
    numberOf(low24h),
    numberOf(vol24h),
    numberOf(ts),
  );
  return null;
}
