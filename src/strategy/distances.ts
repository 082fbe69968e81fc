/** Stops, targets and sizes from volatility. Code computes them for every target, regardless of who has the opinion. */
import type { SymbolView } from "../context/snapshot.ts";

/** Allowed range of a stop: bounds from the strategy's settings, costs from the snapshot's headroom. */
export interface StopBounds {
  /** Fractions of price. */
  readonly min: number;
  readonly max: number;
  /** Fraction of notional for opening and closing; a stop nearer than four times this is within noise and fees. */
  readonly roundTripCost: number;
}

const COSTS_IN_STOP = 4;

/** Limits a stop distance to the range between costs and settings. The upper bound takes precedence. */
export const boundedStop = (wanted: number, { min, max, roundTripCost }: StopBounds): number =>
  Math.min(max, Math.max(wanted, min, COSTS_IN_STOP * roundTripCost));

/** Expected spread of returns over some hours, fraction of price. */
export const volatilityOver = (volatilityHour: number, hours: number): number => volatilityHour * Math.sqrt(hours);

/**
 * Share of the maximum position, in steps of a twentieth so that small changes of volatility cause no trade: full
 * size up to `fullAt` (hourly volatility), proportionally less beyond, never under a tenth.
 */
export function volatilitySize(volatilityHour: number, fullAt: number, maxSize: number): number {
  const share = Math.max(0.1, Math.min(1, fullAt / volatilityHour));
  return Math.min(1, Math.max(0.05, Math.floor(share * maxSize * 20 + 1e-9) / 20));
}

/** Whether the symbol can be judged and traded now: live, with a recent quote and mark. */
export function isTradable(view: SymbolView, ageMsMax: number): boolean {
  const { book, bbo, mark } = view.ageMs;
  const quoted = view.bid !== null && view.ask !== null && Math.min(book, bbo) <= ageMsMax;
  return view.rules?.state === "live" && quoted && view.mark !== null && mark <= ageMsMax;
}
