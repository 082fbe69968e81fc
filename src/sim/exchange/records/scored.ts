/** Counts for the score as events happen, so that history can be dropped. Spec: records §8.3. */
import { type Decimal, ZERO } from "../../../core/decimal.ts";
import { Sum } from "../state/amount.ts";
import { netOf } from "./position-record.ts";
import type { Instrument, Portfolio, Scored } from "../state/state.ts";

/** Nothing counted yet; the first `skipClosed` of the stored closed positions are not scored. */
export const newScored = (skipClosed: number): Scored => ({
  trades: 0,
  units: new Map(),
  closed: 0,
  won: 0,
  skipClosed,
});

/** `units` is ticks x lots. */
export function countTrade({ scored }: Portfolio, instrument: Instrument, units: number): void {
  scored.trades++;
  let sum = scored.units.get(instrument);
  if (sum === undefined) scored.units.set(instrument, (sum = new Sum()));
  sum.add(units);
}

/** Traded value. Sums of units are kept as if they were hundred-millionths, which is exact. */
export function tradedValue({ scored }: Portfolio): Decimal {
  let value = ZERO;
  for (const [instrument, units] of scored.units) value = value.add(instrument.unitValue.mul(units.value.mul(1e8)));
  return value;
}

/** How many positions were closed, and how many of them with a profit. */
export function closedAndWon({ scored, closedPositions }: Portfolio): { closed: number; won: number } {
  let { closed, won } = scored;
  for (let i = scored.skipClosed; i < closedPositions.length; i++) {
    const ended = closedPositions[i];
    closed++;
    if (ended !== undefined && netOf(ended.position).gt(0)) won++;
  }
  return { closed, won };
}
