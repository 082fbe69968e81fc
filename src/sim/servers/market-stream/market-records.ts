/** The records of the market channels, in wire form. Spec: 1 §6.1; records §10.4, §10.6. */
import { type Decimal, toFloat, toWire } from "../../../core/decimal.ts";
import type { Candle } from "../../../domain/market.ts";
import type { PublicEvent } from "../../exchange/contract/market-api.ts";
import type { DayFigures } from "./candles.ts";

/** TRADE; `baseQty` is in base units. */
export const tradeRecord = (event: PublicEvent & { kind: "trade" }, baseQty: Decimal, ts: number): unknown => ({
  tradeid: event.tradeId,
  side: event.takerBuys ? "BUY" : "SELL",
  price: toWire(event.price),
  qty: toWire(baseQty),
  ts,
});

/** TICKER: the last price, and its change over the past 24 hours. */
export const tickerRecord = (last: Decimal, day: DayFigures, nowMs: number): unknown => ({
  last: toWire(last),
  chg: floatText(Math.round((toFloat(last) / day.open - 1) * 10_000) / 100),
  high24h: floatText(day.high),
  low24h: floatText(day.low),
  vol24h: floatText(day.volume),
  ts: Math.round(nowMs),
});

/** MARK_PRICE. */
export const markRecord = (mark: Decimal, atMs: number): unknown => ({ markpx: toWire(mark), ts: Math.round(atMs) });

/** INDEX_PRICE. */
export const indexRecord = (index: Decimal, atMs: number): unknown => ({
  indexpx: toWire(index),
  ts: Math.round(atMs),
});

/** OPEN_INTEREST. */
export const openInterestRecord = (known: { value: Decimal; atMs: number }): unknown => ({
  open_interest: toWire(known.value),
  ts: Math.round(known.atMs),
});

/** A bar: `[ts, open, high, low, close, volume]`, all text. Records §10.6. */
export const klineRow = (bar: Candle): readonly string[] => [
  String(bar.openMs),
  ...[bar.open, bar.high, bar.low, bar.close, bar.volume].map(floatText),
];

/** Plain decimal text of `count * step`, without trailing zeros, for counts whose product is a safe integer. */
export function stepText(step: Decimal): (count: number) => string {
  const places = step.decimalPlaces();
  const units = Number(step.mul(`1e${places}`).toFixed());
  return (count) => {
    const whole = count * units;
    if (!Number.isSafeInteger(whole) || whole < 0) return step.mul(count).toFixed();
    if (places === 0) return String(whole);
    const digits = String(whole).padStart(places + 1, "0");
    const fraction = digits.slice(-places).replace(/0+$/, "");
    const integer = digits.slice(0, -places);
    return fraction === "" ? integer : `${integer}.${fraction}`;
  };
}

/** A float of the bars as plain text: at most eight decimals, no trailing zeros, no exponent. */
export function floatText(value: number): string {
  const text = value.toFixed(8);
  return text.replace(/\.?0+$/, "");
}
