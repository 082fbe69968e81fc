/** The candles that a chart of the page may show: agreed between the page and the port. */

export const CHART_INTERVALS = ["1m", "5m", "15m", "1H", "4H"] as const;
export type ChartInterval = (typeof CHART_INTERVALS)[number];

const MINUTES: Readonly<Record<ChartInterval, number>> = { "1m": 1, "5m": 5, "15m": 15, "1H": 60, "4H": 240 };

/** Newest candles on a chart. */
export const CHART_BARS = 200;

/** The shortest candles whose chart reaches back so far. */
export const intervalFor = (ageMs: number): ChartInterval =>
  CHART_INTERVALS.find((name) => ageMs < MINUTES[name] * 60_000 * (CHART_BARS - 1)) ?? "4H";
