import { z } from "zod";
import type { Decimal } from "../../core/decimal.ts";
import { endpoint } from "../endpoint.ts";
import { upperCased } from "../normalize.ts";
import { moneyMaybe, priceOrNull, textMaybe, timeMaybe, timeOf } from "../reply-fields.ts";
import { symbol } from "../request-fields.ts";

/** One symbol's mark price; its time, epoch ms, is in one of two fields. */
export const markPriceRecord = z.looseObject({
  /** MARK_PRICE. */
  publicChannelTypeEnum: textMaybe,
  sym: z.string().min(1),
  /** Empty or null while there is none. */
  markPrice: moneyMaybe,
  /** A JSON number here. */
  time: timeMaybe,
  /** One SDK's name for time. */
  timestamp: timeMaybe,
});

/** Mark prices; of every perpetual when no symbol is given [guess]. */
export const markPrice = endpoint({
  method: "GET",
  path: "/api/v1/market/markPrice",
  section: "1 §4.5, §8.1; records §9.3",
  limit: { requests: 3, perMs: 10_000 },
  permission: "read",
  normalize: upperCased("sym"),
  request: z.strictObject({ sym: symbol.optional() }),
  reply: z.union([z.array(markPriceRecord), markPriceRecord]),
});

/** `atMs` is the venue's clock in epoch ms; zero where it gave no time. */
export interface MarkPriceReading {
  readonly symbol: string;
  readonly markPrice: Decimal;
  readonly atMs: number;
}

/**
 * From a list or a single row, without symbols that have no mark price; the times also serve to measure the venue's
 * clock.
 */
export function readMarkPrices(reply: z.output<typeof markPrice.reply>): readonly MarkPriceReading[] {
  const rows = Array.isArray(reply) ? reply : [reply];
  return rows.flatMap((row) => {
    const price = priceOrNull(row.markPrice);
    return price === null ? [] : [{ symbol: row.sym, markPrice: price, atMs: timeOf(row.time ?? row.timestamp) }];
  });
}
