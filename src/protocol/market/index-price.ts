/** INDEX_PRICE: the index price of a perpetual, in real time. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { countField, priceField, isCount, isPrice, numberOf } from "./numbers.ts";

/** `data` of an INDEX_PRICE push; `readIndexPrice` applies the same rules. */
export const indexPriceData = z.looseObject({ indexpx: priceField, ts: countField });

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readIndexPrice(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { indexpx: value, ts } = data;
  if (!isPrice(value)) return "indexpx";
  if (!isCount(ts)) return "ts";
  sink.index(symbol, numberOf(value), numberOf(ts));
  return null;
}
