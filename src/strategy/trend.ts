/** How strongly a symbol has moved in one direction, in units of its own volatility. Describes the past only. */
import type { SymbolView } from "../context/snapshot.ts";
import { HOUR_MS, parseSpan } from "../core/time.ts";

/** Cap on one span's move, in standard deviations: a jump is not a trend. */
const SPAN_CAP = 4;

/**
 * Mean over the given spans of return / expected spread of returns over that span; positive is up. Null while the
 * volatility or more than `spans.length - needed` of the spans are unknown.
 */
export function trendScore(view: SymbolView, spans: readonly string[], needed: number): number | null {
  const volatility = view.volatilityHour;
  if (volatility === null || !(volatility > 0)) return null;
  let sum = 0;
  let count = 0;
  for (const span of spans) {
    const moved = view.returns[span];
    const spanMs = parseSpan(span);
    if (moved === undefined || spanMs === null) continue;
    const units = moved / (volatility * Math.sqrt(spanMs / HOUR_MS));
    sum += Math.max(-SPAN_CAP, Math.min(SPAN_CAP, units));
    count++;
  }
  return count >= needed ? sum / count : null;
}

/** Mean of trade flow and book imbalance, -1 to 1; zero if both are unknown. */
export function pressure(view: SymbolView): number {
  const known = [view.tradeFlow, view.depthImbalance].filter((figure) => figure !== null);
  return known.length === 0 ? 0 : known.reduce((sum, figure) => sum + figure, 0) / known.length;
}
