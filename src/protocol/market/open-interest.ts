/** OPEN_INTEREST: open contracts of a perpetual, on change; base or contracts [guess]. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { countField, amountField, isCount, isAmount, numberOf } from "./numbers.ts";

/** `data` of an OPEN_INTEREST push; `readOpenInterest` applies the same rules. */
export const openInterestData = z.looseObject({ open_interest: amountField, ts: countField });

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readOpenInterest(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { open_interest: value, ts } = data;
  if (!isAmount(value)) return "open_interest";
  if (!isCount(ts)) return "ts";
  sink.openInterest(symbol, numberOf(value), numberOf(ts));
  return null;
}
