import { expect, test } from "vitest";
import { CHART_BARS, CHART_INTERVALS, intervalFor } from "../../src/deck/chart-intervals.ts";
import { KLINE_INTERVAL_MS } from "../../src/domain/market.ts";

const MINUTE_MS = 60_000;

test("a chart begins with the shortest candles that reach back to the entry of its position", () => {
  const ages = [0, 3 * 60, 4 * 60, 16 * 60, 24 * 60, 49 * 60, 50 * 60, 8 * 1_440, 9 * 1_440, 90 * 1_440];
  expect(ages.map((minutes) => intervalFor(minutes * MINUTE_MS))).toEqual([
    ...["1m", "1m", "5m", "5m", "15m", "15m"],
    ...["1H", "1H", "4H", "4H"],
  ]);
});

test("what is chosen by itself reaches back to the entry, to the minute", () => {
  for (const interval of CHART_INTERVALS.slice(0, -1)) {
    const reachMs = (KLINE_INTERVAL_MS[interval] ?? NaN) * (CHART_BARS - 1);
    expect(intervalFor(reachMs - 1)).toBe(interval);
    expect(intervalFor(reachMs)).not.toBe(interval);
  }
});
