/**
 * Where a stop goes once the price has moved in favour: to break-even, or trailing behind the best price. Pure figures
 * in, one price out; a stop is only ever moved towards safety, never past the mark, never off the symbol's tick.
 */
import { Decimal, maxDecimal, minDecimal, ONE, roundToStep } from "../../core/decimal.ts";
import { BoundedMap } from "../../core/bounded.ts";

/** Distances are fractions of the entry price. Zero switches a rule off. */
export interface TrailRules {
  /** Once the price is this far in favour, the stop moves to the entry plus the costs of both sides. */
  readonly breakEvenAfter: number;
  /** Once the price is this far in favour, the stop begins to follow. */
  readonly activation: number;
  /** How far behind the best price it follows. */
  readonly distance: number;
}

/** All that the price of one stop depends on; prices are exact. */
export interface HeldStop {
  readonly side: "LONG" | "SHORT";
  readonly entry: Decimal;
  /** The stop that is wanted now. */
  readonly stop: Decimal;
  readonly mark: Decimal;
  /** The most favourable mark since the position has been held, as far as known. */
  readonly best: Decimal;
  /** Fraction of the entry's value that opening cost, and that closing will cost. */
  readonly entryFee: Decimal;
  readonly exitFee: Decimal;
  readonly tick: Decimal;
}

/** A stop on the tick, safer than the present one by the least step, with the mark clear of it. */
export interface StopMove {
  readonly stop: Decimal;
  readonly why: "break-even" | "trailing";
}

/** A stop nearer to the mark than this fraction would fire on a price that is only passing. */
const MARK_MARGIN = new Decimal("0.001");

/** True when `a` loses less than `b`. */
export const saferThan = (side: "LONG" | "SHORT", a: Decimal, b: Decimal): boolean =>
  side === "LONG" ? a.gt(b) : a.lt(b);

/** Of two stop prices the one that loses less. */
export const safer = (side: "LONG" | "SHORT", a: Decimal, b: Decimal): Decimal =>
  side === "LONG" ? maxDecimal(a, b) : minDecimal(a, b);

/** The price at which closing loses nothing after the fees of both sides. */
export function breakEvenPrice({ side, entry, entryFee, exitFee }: Omit<HeldStop, "stop" | "mark" | "best">): Decimal {
  return side === "LONG"
    ? entry.mul(ONE.add(entryFee)).div(ONE.sub(exitFee))
    : entry.mul(ONE.sub(entryFee)).div(ONE.add(exitFee));
}

/** How far the best price lies in favour of the entry, fraction. Negative while it never did. */
export const favour = ({ side, entry, best }: Pick<HeldStop, "side" | "entry" | "best">): Decimal =>
  (side === "LONG" ? best.sub(entry) : entry.sub(best)).div(entry);

/**
 * The safest stop of those that the rules want and the mark has not reached, when it is safer than the present one by at least
 * `minStep` (fraction of price); else null.
 */
export function nextStop(held: HeldStop, rules: TrailRules, minStep: number): StopMove | null {
  const { side, stop, mark } = held;
  const ahead = favour(held);
  const wanted = [
    ...(rules.breakEvenAfter > 0 && ahead.gte(rules.breakEvenAfter)
      ? [{ stop: onTick(breakEvenPrice(held), held, "safe"), why: "break-even" } as const]
      : []),
    ...(rules.distance > 0 && ahead.gte(rules.activation)
      ? [{ stop: onTick(behind(held, rules.distance), held, "wide"), why: "trailing" } as const]
      : []),
  ];
  const best = wanted
    .filter((move) => clearOf(side, move.stop, mark))
    .reduce<StopMove | null>(
      (found, move) => (found === null || saferThan(side, move.stop, found.stop) ? move : found),
      null,
    );
  if (best === null || !saferThan(side, best.stop, stop)) return null;
  return best.stop.sub(stop).abs().lt(stop.mul(minStep)) ? null : best;
}

/** True while the mark is on the safe side of a stop, with room to spare. */
export function clearOf(side: "LONG" | "SHORT", stop: Decimal, mark: Decimal): boolean {
  const room = mark.mul(MARK_MARGIN);
  return side === "LONG" ? mark.sub(stop).gte(room) : stop.sub(mark).gte(room);
}

function behind({ side, best }: HeldStop, distance: number): Decimal {
  const share = new Decimal(distance);
  return side === "LONG" ? best.mul(ONE.sub(share)) : best.mul(ONE.add(share));
}

/** Break-even is rounded so that it still covers its costs; a trailing stop so that it is never nearer than configured. */
function onTick(price: Decimal, { side, tick }: HeldStop, rounding: "safe" | "wide"): Decimal {
  const up = (side === "LONG") === (rounding === "safe");
  return roundToStep(price, tick, up ? "up" : "down");
}

const MEASURE_EVERY_MS = 10_000;
const SYMBOLS_CAP = 200;

/** Standard deviation of an hour's return, fraction; null while it is not known. */
export type VolatilityOf = (symbol: string, nowMs: number) => number | null;

/** Keeps each answer of `measure`, null included, for ten seconds per symbol. */
export function createHourlyVolatility(measure: VolatilityOf): VolatilityOf {
  const measured = new BoundedMap<string, { readonly atMs: number; readonly hour: number | null }>(SYMBOLS_CAP);
  return (symbol, nowMs) => {
    const known = measured.get(symbol);
    if (known && nowMs - known.atMs < MEASURE_EVERY_MS) return known.hour;
    const hour = measure(symbol, nowMs);
    measured.set(symbol, { atMs: nowMs, hour });
    return hour;
  };
}
