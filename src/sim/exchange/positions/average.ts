/**
 * The average entry of a position: whole ticks and whole trillionths of a tick, which is the price with the twelve
 * decimals that are kept (records §15). It is computed in whole floats where they are exact, otherwise in decimals.
 */
import { Decimal, dec } from "../../../core/decimal.ts";
import { floorDiv, type Money, moneyOf } from "../state/amount.ts";
import { PRICE_PLACES, priceOf, roundMoney, roundPrice } from "../state/figures.ts";
import type { Position } from "../state/position.ts";
import type { Instrument } from "../state/state.ts";

const PART = dec(`0.${"1".padStart(PRICE_PLACES, "0")}`);

/** The average entry price. */
export function averageEntry(instrument: Instrument, position: Position): Decimal {
  return (position.avg ??= priceOf(instrument, position.avgTicks).add(PART.mul(position.avgRest)));
}

/** Distance of a price in ticks above the average, in trillionths of a tick. */
const above = ({ measures }: Instrument, { avgTicks, avgRest }: Position, ticks: number): number =>
  (ticks - avgTicks) * measures.tickParts - avgRest;

function setAverage(position: Position, ticks: number, rest: number): void {
  position.avgTicks = ticks;
  position.avgRest = rest;
  position.avg = null;
}

function averageByDecimals(instrument: Instrument, position: Position, added: number, ticks: number): void {
  const held = Math.abs(position.lots);
  const paid = averageEntry(instrument, position).mul(held).add(priceOf(instrument, ticks).mul(added));
  const average = roundPrice(paid.div(held + added));
  const { tickSize } = instrument.rules;
  const whole = average.div(tickSize).floor();
  setAverage(position, whole.toNumber(), average.sub(tickSize.mul(whole)).div(PART).toNumber());
}

/** Call before `added` lots at `ticks` join the position. Rounds half up to twelve decimals. */
export function joinAverage(instrument: Instrument, position: Position, added: number, ticks: number): void {
  const held = Math.abs(position.lots);
  if (held === 0) return setAverage(position, ticks, 0);
  const { tickParts } = instrument.measures;
  const lots = held + added;
  const moved = 2 * above(instrument, position, ticks) * added + lots;
  if (!Number.isSafeInteger(moved)) return averageByDecimals(instrument, position, added, ticks);
  const rest = position.avgRest + floorDiv(moved, 2 * lots);
  const carry = floorDiv(rest, tickParts);
  setAverage(position, position.avgTicks + carry, rest - carry * tickParts);
}

/** The profit of closing `lots` of the position at `ticks`. */
export function profitOf(instrument: Instrument, position: Position, lots: number, ticks: number): Money {
  const signed = Math.sign(position.lots) * lots;
  const parts = above(instrument, position, ticks) * signed;
  const whole = Number.isSafeInteger(parts) ? moneyOf(parts, instrument.measures.partValue) : null;
  if (whole !== null) return whole;
  const perBase = priceOf(instrument, ticks).sub(averageEntry(instrument, position));
  return roundMoney(perBase.mul(instrument.lotBase).mul(signed));
}
