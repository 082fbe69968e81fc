/** TRADE: public trades as they happen. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { amountField, countField, isAmount, isCount, isPrice, numberOf, priceField } from "./numbers.ts";

/** One public trade; `readTrades` applies the same rules. */
export const tradeItem = z.looseObject({
  tradeid: z.unknown().optional(),
  /** The taker's side, in either case. */
  side: z.string().regex(/^(buy|sell)$/i),
  price: priceField,
  /** Base units. */
  qty: amountField,
  ts: countField,
});

/** An array; the general documents show a single object. */
export const tradeData = z.union([z.array(tradeItem), tradeItem]);

const isSide = (value: unknown): value is string =>
  value === "BUY" || value === "SELL" || (typeof value === "string" && /^(buy|sell)$/i.test(value));

const takerBuys = (side: string): boolean => side.charCodeAt(0) === 66 || side.charCodeAt(0) === 98;

function faultOf(item: unknown): string | null {
  if (!isRecord(item)) return "data";
  if (!isSide(item.side)) return "side";
  if (!isPrice(item.price)) return "price";
  if (!isAmount(item.qty)) return "qty";
  return isCount(item.ts) ? null : "ts";
}

function report(symbol: string, item: unknown, sink: MarketSink): void {
  if (!isRecord(item)) return;
  const { side, price, qty, ts } = item;
  if (isSide(side) && isPrice(price) && isAmount(qty) && isCount(ts)) {
    sink.trade(symbol, takerBuys(side), numberOf(price), numberOf(qty), numberOf(ts));
  }
}

/**
 * Null when read; otherwise the invalid field, and the sink received nothing: a frame counts as a whole or not at all.
 */
export function readTrades(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!Array.isArray(data)) {
    const fault = faultOf(data);
    if (fault === null) report(symbol, data, sink);
    return fault;
  }
  for (const item of data) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  for (const item of data) report(symbol, item, sink);
  return null;
}
