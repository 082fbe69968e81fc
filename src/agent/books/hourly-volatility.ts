/** The unrest that predictions and trailing distances are counted in, measured at most once in ten seconds a symbol. */
import { BoundedMap } from "../../core/bounded.ts";

const MEASURE_EVERY_MS = 10_000;
const SYMBOLS_CAP = 200;

/** Standard deviation of an hour's return, fraction; null while it is not known. */
export type VolatilityOf = (symbol: string, nowMs: number) => number | null;

/** Keeps each answer of `measure`, a null too, for ten seconds a symbol. */
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
