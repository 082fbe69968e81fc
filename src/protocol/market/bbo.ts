/** BBO: best bid and ask, on change. Spec: 1 §6.1; records §10.4. */
import { isRecord } from "../../core/record.ts";
import { z } from "zod";
import type { MarketSink } from "../../domain/market.ts";
import { amountField, countField, isAmount, isCount, isPrice, numberOf, priceField } from "./numbers.ts";

/** `data` of a BBO push; `readBbo` applies the same rules without creating objects. */
export const bboData = z.looseObject({
  bid: priceField,
  /** Order unit (base or contracts) [guess]. */
  bidqty: amountField,
  ask: priceField,
  askqty: amountField,
  ts: countField,
});

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readBbo(symbol: string, data: unknown, sink: MarketSink): string | null {
  if (!isRecord(data)) return "data";
  const { bid, bidqty, ask, askqty, ts } = data;
  if (!isPrice(bid)) return "bid";
  if (!isAmount(bidqty)) return "bidqty";
  if (!isPrice(ask)) return "ask";
  if (!isAmount(askqty)) return "askqty";
  if (!isCount(ts)) return "ts";
  sink.bbo(symbol, numberOf(bid), numberOf(bidqty), numberOf(ask), numberOf(askqty), numberOf(ts));
  return null;
}
