/**
 * The history at the start of a run: bars and settlements before it, as an agent would read them from its sources. It
 * excludes everything that ended after the start, and no decision falls into it.
 */
import type { Context } from "../../context/context.ts";
import { toFloat } from "../../core/decimal.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { type Candle, KLINE_INTERVAL_MS } from "../../domain/market.ts";
import type { Recorded } from "../../sim/market/recorded.ts";
import { barsBefore } from "../../sim/market/recorded-past.ts";
import { orderUnitOf } from "./bar-feed.ts";

/** As far back as the context keeps hourly bars. */
const HOURS_MS = 50 * DAY_MS;
/** Shorter bars are needed for the last days only. */
const SHORT_MS = 2 * DAY_MS;

const nameOf = (intervalMs: number): string | undefined =>
  Object.keys(KLINE_INTERVAL_MS).find((name) => KLINE_INTERVAL_MS[name] === intervalMs);

/** Fills the context with the data before `fromMs`. */
export function warmPast(context: Context, recorded: readonly Recorded[], fromMs: number): void {
  for (const one of recorded) {
    const { symbol } = one.spec.rules;
    const unit = orderUnitOf(one);
    const inUnits = (bars: readonly Candle[]): readonly Candle[] =>
      bars.map((bar) => ({ ...bar, volume: bar.volume / unit }));
    const own = nameOf(one.intervalMs);
    if (own !== undefined && one.intervalMs < HOUR_MS)
      context.warmUp(
        symbol,
        own,
        inUnits(barsBefore(one, { fromMs: fromMs - SHORT_MS, untilMs: fromMs, stepMs: one.intervalMs })),
      );
    context.warmUp(
      symbol,
      "1H",
      inUnits(barsBefore(one, { fromMs: fromMs - HOURS_MS, untilMs: fromMs, stepMs: HOUR_MS })),
    );
    const settled = one.funding.filter(({ atMs }) => atMs <= fromMs);
    context.warmUpFunding(
      symbol,
      settled.map(({ atMs, rate }) => ({ atMs, rate: toFloat(rate) })),
    );
  }
}
