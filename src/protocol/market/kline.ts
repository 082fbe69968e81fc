/** KLINE, INDEX_KLINE and MARK_PRICE_KLINE: the running bar. Spec: 1 §6.1; records §10.6. */
import { z } from "zod";
import { KLINE_INTERVAL_MS, type KlineKind, type MarketSink } from "../../domain/market.ts";
import {
  amountField,
  countField,
  isAmount,
  isCount,
  isPrice,
  numberOf,
  priceField,
  type WireNumber,
} from "./numbers.ts";

/** [open time ms, open, high, low, close, volume]; an earlier edition had a closed flag at the end. */
const row = z.tuple([countField, priceField, priceField, priceField, priceField, amountField]).rest(z.unknown());
/** `data` of a push of bars; `readKlines` applies the same rules. */
export const klineData = z.array(row);

const EARLIER_SPELLINGS: Readonly<Record<string, string>> = {
  "1h": "1H",
  "2h": "2H",
  "4h": "4H",
  "8h": "8H",
  "12h": "12H",
  "1d": "1D",
  "2d": "2D",
  "5d": "5D",
  "1w": "1W",
};

/** The documented spelling of an interval, or null. Case matters only between `1m` (minute) and `1M` (month). */
export function readInterval(text: unknown): string | null {
  if (typeof text !== "string") return null;
  if (Object.hasOwn(KLINE_INTERVAL_MS, text)) return text;
  const earlier = Object.hasOwn(EARLIER_SPELLINGS, text) ? EARLIER_SPELLINGS[text] : undefined;
  if (earlier) return earlier;
  const minutes = /^(3|5|15|30)M$/.exec(text);
  return minutes ? text.toLowerCase() : null;
}

type Row = readonly [WireNumber, WireNumber, WireNumber, WireNumber, WireNumber, WireNumber];

const isRow = (value: unknown): value is Row =>
  Array.isArray(value) &&
  isCount(value[0]) &&
  isPrice(value[1]) &&
  isPrice(value[2]) &&
  isPrice(value[3]) &&
  isPrice(value[4]) &&
  isAmount(value[5]);

const COLUMNS = ["open time", "open", "high", "low", "close", "volume"] as const;

function faultOf(value: unknown): string {
  if (!Array.isArray(value)) return "data";
  for (let column = 0; column < COLUMNS.length; column++) {
    const sound = column === 0 ? isCount(value[0]) : column === 5 ? isAmount(value[5]) : isPrice(value[column]);
    if (!sound) return COLUMNS[column] ?? "data";
  }
  return "data";
}

/** Null when read; otherwise the invalid field, and the sink received nothing. */
export function readKlines(
  kind: KlineKind,
  symbol: string,
  interval: unknown,
  data: unknown,
  sink: MarketSink,
): string | null {
  const known = readInterval(interval);
  if (known === null) return "interval";
  if (!Array.isArray(data)) return "data";
  for (const bar of data) if (!isRow(bar)) return faultOf(bar);
  for (const bar of data as readonly Row[]) {
    sink.kline(
      kind,
      symbol,
      known,
      numberOf(bar[0]),
      numberOf(bar[1]),
      numberOf(bar[2]),
      numberOf(bar[3]),
      numberOf(bar[4]),
      numberOf(bar[5]),
    );
  }
  return null;
}
