/**
 * What a run knows when it begins: the bars and settlements of the data before its start, as an agent that reads its
 * history would know them. Nothing that ended after the start is among them, and nothing is decided on them.
 */
import type { Context } from "../../context/context.ts";
import { toFloat } from "../../core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { type Candle, KLINE_INTERVAL_MS } from "../../domain/market.ts";
import { candleIndexFrom, type Recorded } from "../../sim/market/recorded.ts";
import { orderUnitOf } from "./bar-feed.ts";

/** As far back as the context keeps hours. */
const HOURS_MS = 50 * DAY_MS;
/** Shorter bars are of use for the last days alone. */
const SHORT_MS = 2 * DAY_MS;

const nameOf = (intervalMs: number): string | undefined =>
  Object.keys(KLINE_INTERVAL_MS).find((name) => KLINE_INTERVAL_MS[name] === intervalMs);

/** Fills the context with what the data holds before `fromMs`. */
export function warmPast(context: Context, recorded: readonly Recorded[], fromMs: number): void {
  for (const one of recorded) {
    const { symbol } = one.spec.rules;
    const own = nameOf(one.intervalMs);
    if (own !== undefined && one.intervalMs < HOUR_MS)
      context.warmUp(
        symbol,
        own,
        barsBefore(one, { fromMs: fromMs - SHORT_MS, untilMs: fromMs, stepMs: one.intervalMs }),
      );
    context.warmUp(symbol, "1H", barsBefore(one, { fromMs: fromMs - HOURS_MS, untilMs: fromMs, stepMs: HOUR_MS }));
    const settled = one.funding.filter(({ atMs }) => atMs <= fromMs);
    context.warmUpFunding(
      symbol,
      settled.map(({ atMs, rate }) => ({ atMs, rate: toFloat(rate) })),
    );
  }
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly stepMs: number;
}

/** Bars of `stepMs` that have ended by `untilMs`, oldest first; one that the data covers in part only is left out. */
export function barsBefore(recorded: Recorded, { fromMs, untilMs, stepMs }: Span): readonly Candle[] {
  const { candles, intervalMs } = recorded;
  const price = 10 ** -candles.priceDecimals;
  const volume = 10 ** -candles.volumeDecimals / orderUnitOf(recorded);
  const made: { -readonly [K in keyof Candle]: Candle[K] }[] = [];
  const firstMs = candles.openMs[0] ?? Infinity;
  for (let at = candleIndexFrom(candles, fromMs); at < candles.count; at++) {
    const openMs = candles.openMs[at] ?? Infinity;
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
