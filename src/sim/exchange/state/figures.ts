/** How the venue rounds, and how its whole ticks and lots become decimals. Spec: records §15. */
import { Decimal, ONE, toWire, ZERO } from "../../../core/decimal.ts";
import { type Money, moneyOf } from "./amount.ts";
import type { Instrument } from "./state.ts";
import type { FeeRate } from "./sums.ts";

/** Average prices are kept and shown with 12 decimals, half up, so that a reader can repeat every sum exactly. */
export const PRICE_PLACES = 12;
/** Amounts of money are rounded to 8 decimals, half up. */
const MONEY_PLACES = 8;

/** To 8 decimals; used for every booked or shown amount. */
export const roundMoney = (value: Decimal): Decimal => value.toDecimalPlaces(MONEY_PLACES, Decimal.ROUND_HALF_UP);
/** To 12 decimals: for averages. Prices of orders are whole ticks and need no rounding. */
export const roundPrice = (value: Decimal): Decimal => value.toDecimalPlaces(PRICE_PLACES, Decimal.ROUND_HALF_UP);
/** An amount as wire text, rounded to 8 decimals. */
export const money = (value: Decimal): string => toWire(roundMoney(value));
/** Ratios are shown with 4 decimals. */
export const ratio = (value: Decimal): string => toWire(value.toDecimalPlaces(4, Decimal.ROUND_HALF_UP));

/** Exact: ticks are whole. */
export const priceOf = (instrument: Instrument, ticks: number): Decimal => instrument.rules.tickSize.mul(ticks);
/** In order units, which are base coins on the first exchange and contracts elsewhere. Exact. */
export const qtyOf = (instrument: Instrument, lots: number): Decimal => instrument.rules.lotSize.mul(lots);
/** Quote value of a sum of ticks x lots. Exact. */
export const valueOf = (instrument: Instrument, units: number): Decimal => instrument.unitValue.mul(units);

/** Average price over fills, from the sums of ticks x lots and of lots; zero without fills. */
export function averageOf(instrument: Instrument, units: number, lots: number): Decimal {
  return lots === 0 ? ZERO : roundPrice(instrument.rules.tickSize.mul(units).div(lots));
}

/** Reciprocals of the leverages that have a finite one: multiplying is then as exact as dividing, and far cheaper. */
const RECIPROCALS: ReadonlyMap<number, Decimal> = new Map(
  [1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 125].map((leverage) => [leverage, ONE.div(leverage)]),
);

/** The margin that a value needs at a leverage. */
export function perLeverage(value: Decimal, leverage: number): Decimal {
  if (leverage === 1) return value;
  const reciprocal = RECIPROCALS.get(leverage);
  return reciprocal === undefined ? value.div(leverage) : value.mul(reciprocal);
}

/** The fee of a fill. */
export const feeOf = (instrument: Instrument, units: number, { rate, perUnit }: FeeRate): Money =>
  moneyOf(units, perUnit) ?? roundMoney(valueOf(instrument, units).mul(rate));

/** The current price: the mark price, or the last trade before there is one. */
export function referencePrice(instrument: Instrument): Decimal | null {
  if (instrument.mark !== null) return instrument.mark;
  return instrument.lastTicks === null ? null : priceOf(instrument, instrument.lastTicks);
}
