/**
 * The past of a generated market: prices move by the same rules, from a seed of their own, to their starting values.
 * Generated per base on request, because it is often not needed.
 */
import type { Entropy } from "../../core/entropy.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { Candle } from "../../domain/market.ts";
import { createPaths, nervousness, stepPaths } from "./price-path.ts";
import { CLASS_FIGURES, referenceFor } from "./reference-prices.ts";

/** `prices` are those of the first instant, by base. */
export interface GeneratedPast {
  readonly entropy: Entropy;
  readonly startMs: number;
  readonly volatilityScale: number;
  readonly prices: ReadonlyMap<string, number>;
}

const HOURS_FOR_MS = 24 * DAY_MS;
const MINUTES_FOR_MS = 2 * DAY_MS;
/** The path uses these steps when only hourly bars are needed. */
const COARSE_MS = 20 * MINUTE_MS;

type Bars = Readonly<Record<"1m" | "1H", readonly Candle[]>>;

/** Bars that ended by the first instant, oldest first; none for an unknown base. Volumes are in base units. */
export function generatePast({ entropy, startMs, volatilityScale, prices }: GeneratedPast): (base: string) => Bars {
  let newest: { readonly base: string; readonly bars: Bars } | null = null;
  return (base) => {
    if (newest?.base === base) return newest.bars;
    const price = prices.get(base);
    const bars = price === undefined ? { "1m": [], "1H": [] } : walked();
    newest = { base, bars };
    return bars;

    function walked(): Bars {
      const endMs = Math.floor(startMs / MINUTE_MS) * MINUTE_MS;
      const fromMs = Math.floor((endMs - HOURS_FOR_MS) / HOUR_MS) * HOUR_MS;
      const fineMs = Math.floor((endMs - MINUTES_FOR_MS) / HOUR_MS) * HOUR_MS;
      const paths = createPaths({ bases: [base], entropy: entropy.fork("past"), startMs: fromMs, volatilityScale });
      const path = paths.byBase.get(base) ?? paths.leader;
      const { tradesPerSecond, tradeUsdt } = CLASS_FIGURES[referenceFor(base).liquidity];
      const steps: Step[] = [];
      for (let atMs = fromMs; atMs < endMs;) {
        const lengthMs = atMs < fineMs ? COARSE_MS : MINUTE_MS;
        const from = path.logPrice;
        stepPaths(paths, { fromMs: atMs, toMs: atMs + lengthMs });
        const usdt = ((tradesPerSecond * tradeUsdt * lengthMs) / 1_000) * nervousness(path);
        steps.push({ openMs: atMs, from, to: path.logPrice, usdt });
        atMs += lengthMs;
      }
      // Shifts the walk so that it ends at the market's starting price.
      const shift = Math.log(price ?? 1) - path.logPrice;
      const barsOf = (stepMs: number, sinceMs: number): readonly Candle[] =>
        barsFrom(
          steps.filter(({ openMs }) => openMs >= sinceMs),
          { stepMs, endMs, shift },
        );
      return { "1H": barsOf(HOUR_MS, fromMs), "1m": barsOf(MINUTE_MS, fineMs) };
    }
  };
}

/** Logarithms of the price at both ends, and the value traded between them. */
interface Step {
  readonly openMs: number;
  readonly from: number;
  readonly to: number;
  readonly usdt: number;
}

function barsFrom(
  steps: readonly Step[],
  { stepMs, endMs, shift }: { readonly stepMs: number; readonly endMs: number; readonly shift: number },
): readonly Candle[] {
  const made: { -readonly [K in keyof Candle]: Candle[K] }[] = [];
  for (const step of steps) {
    const openMs = Math.floor(step.openMs / stepMs) * stepMs;
    if (openMs + stepMs > endMs) break;
    const [from, to] = [Math.exp(step.from + shift), Math.exp(step.to + shift)];
    const running = made.at(-1);
    const bar =
      running?.openMs === openMs ? running : { openMs, open: from, high: from, low: from, close: from, volume: 0 };
    if (bar !== running) made.push(bar);
    bar.high = Math.max(bar.high, to);
    bar.low = Math.min(bar.low, to);
    bar.close = to;
    bar.volume += step.usdt / to;
  }
  return made;
}
