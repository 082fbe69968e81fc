/** MARK_PRICE: the mark price of a perpetual, in real time. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { countField, priceField, isCount, isPrice, numberOf } from "./numbers.ts";

/** `data` of a MARK_PRICE push; `readMarkPrice` applies the same rules. */
export const markPriceData = z.looseObject({ markpx: priceField, ts: countField });

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readMarkPrice(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { markpx: value, ts } = data;
  if (!isPrice(value)) return "markpx";
  if (!isCount(ts)) return "ts";
  sink.mark(symbol, numberOf(value), numberOf(ts));
  return null;
}
