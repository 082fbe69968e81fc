/** The price a span ago from the most precise source: seconds, minute bars, longer bars, the day's figure. */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";
import type { CandleSeries } from "./candles.ts";
import { CHANGE_24H, type SymbolState } from "./symbol-state.ts";

/** Spans shown in a snapshot. Those below a minute give a fresh start some data. */
export const RETURN_SPANS: readonly (readonly [string, number])[] = [
  ["15s", 15_000],
  ["30s", 30_000],
  ["1m", MINUTE_MS],
  ["5m", 5 * MINUTE_MS],
  ["15m", 15 * MINUTE_MS],
  ["1h", HOUR_MS],
  ["4h", 4 * HOUR_MS],
  ["24h", 24 * HOUR_MS],
];
/** Longest span that the per-second samples answer. */
const BY_SECONDS_MS = 10 * MINUTE_MS;

/** Returns over every known span, as fractions. */
export function returnsOf(state: SymbolState, nowMs: number): Record<string, number> {
  const now = state.fair(nowMs);
  const found: Record<string, number> = {};
  if (!(now > 0)) return found;
  for (const [name, spanMs] of RETURN_SPANS) {
    const before = priceAgo(state, nowMs, spanMs);
    if (before !== null && before > 0) found[name] = now / before - 1;
  }
  const day = state.value(CHANGE_24H);
  if (found["24h"] === undefined && !Number.isNaN(day)) found["24h"] = day;
  return found;
}

function priceAgo(state: SymbolState, nowMs: number, spanMs: number): number | null {
  const atMs = nowMs - spanMs;
  if (spanMs <= BY_SECONDS_MS) {
    const sampled = state.seconds.priceAt(atMs, Math.max(2_000, spanMs / 10));
    if (sampled !== null) return sampled;
  }
  return closeAt(state, atMs, spanMs / 4);
}

/** The close of the last bar that ended before `atMs`, from the finest interval that reaches back that far. */
function closeAt(state: SymbolState, atMs: number, slackMs: number): number | null {
  for (const series of state.bars.byLength) {
    if (series.intervalMs > slackMs) break;
    const age = newestEnded(series, atMs);
    if (atMs - series.openMs(age) - series.intervalMs <= slackMs) return series.close(age);
  }
  return null;
}

/** Age of the newest bar that had ended at `atMs`; no bar has that age where none had. */
function newestEnded(series: CandleSeries, atMs: number): number {
  let [newer, older] = [0, series.size];
  while (newer < older) {
    const middle = (newer + older) >> 1;
    if (series.openMs(middle) + series.intervalMs > atMs) newer = middle + 1;
    else older = middle;
  }
  return newer;
}
