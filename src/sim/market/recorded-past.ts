/** The bars of a recorded symbol before an instant, as known at that instant. */
import type { Candle } from "../../domain/market.ts";
import { candleIndexFrom, priceUnitOf, type Recorded, volumeUnitOf } from "./recorded.ts";

/** Times are those of the data plus `shiftMs`, 0 by default. */
export interface PastSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
  readonly shiftMs?: number;
}

/**
 * Bars of `stepMs` that ended by `untilMs`, oldest first, volumes in base units; a bar only partly covered by the data
 * is left out.
 */
export function barsBefore(recorded: Recorded, { fromMs, untilMs, stepMs, shiftMs = 0 }: PastSpan): readonly Candle[] {
  const { candles, intervalMs } = recorded;
  const [price, volume] = [priceUnitOf(recorded), volumeUnitOf(recorded)];
  const made: { -readonly [K in keyof Candle]: Candle[K] }[] = [];
  const firstMs = (candles.openMs[0] ?? Infinity) + shiftMs;
  for (let at = candleIndexFrom(candles, fromMs - shiftMs); at < candles.count; at++) {
    const openMs = (candles.openMs[at] ?? Infinity) + shiftMs;
    const bucketMs = Math.floor(openMs / stepMs) * stepMs;
    if (bucketMs + stepMs > untilMs) break;
    if (openMs + intervalMs > untilMs || bucketMs < Math.max(fromMs, firstMs)) continue;
    const figure = (column: Float64Array): number => (column[at] ?? NaN) * price;
    const [open, high, low, close] = [candles.open, candles.high, candles.low, candles.close].map(figure) as [
      number,
      number,
      number,
      number,
    ];
    const traded = (candles.volume[at] ?? 0) * volume;
    const running = made.at(-1);
    if (running?.openMs !== bucketMs) made.push({ openMs: bucketMs, open, high, low, close, volume: traded });
    else {
      running.high = Math.max(running.high, high);
      running.low = Math.min(running.low, low);
      running.close = close;
      running.volume += traded;
    }
  }
  return made;
}
