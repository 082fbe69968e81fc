/**
 * The ended hours of one symbol as an even series: what trends, volatilities and distances over days are computed from.
 * An hour without a bar has the close of the hour before it and no volume; after a hole of more than a day the series
 * begins again. Read again only when a bar has ended or history has been loaded.
 */
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { CandleSeries } from "./candles.ts";

/** A hole longer than this ends the past: prices on its two sides are not one path. */
const HOLE_HOURS_MAX = 24;

/** Arrays of equal length, oldest first; one entry for each hour, the last one ended at `endMs`. */
export interface Hours {
  readonly closes: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
  readonly volumes: readonly number[];
  /** When the newest of them ended, epoch ms; null without any. */
  readonly endMs: number | null;
  /** Hours among them without a bar. */
  readonly missing: number;
}

export const NO_HOURS: Hours = Object.freeze({ closes: [], highs: [], lows: [], volumes: [], endMs: null, missing: 0 });

/** A series with the age of its newest ended bar. */
interface Read {
  readonly version: number;
  readonly first: number;
  readonly hours: Hours;
}

const reads = new WeakMap<CandleSeries, Read>();

/** The ended bars of a series of hours; the same object until one more has ended or the past has changed. */
export function endedHours(series: CandleSeries | undefined, nowMs: number): Hours {
  if (!series || series.size === 0) return NO_HOURS;
  const first = series.openMs(0) + HOUR_MS > nowMs ? 1 : 0;
  const known = reads.get(series);
  if (known?.version === series.version && known.first === first) return known.hours;
  const hours = read(series, first);
  reads.set(series, { version: series.version, first, hours });
  return hours;
}

/** How many hours say something of now: none once the newest ended more than a day ago. */
export function freshHours(series: CandleSeries | undefined, nowMs: number): number {
  const hours = endedHours(series, nowMs);
  return isFresh(hours, nowMs) ? hours.closes.length : 0;
}

export const isFresh = ({ endMs }: Hours, nowMs: number): boolean => endMs !== null && nowMs - endMs < DAY_MS;

function read(series: CandleSeries, newest: number): Hours {
  if (series.size <= newest) return NO_HOURS;
  let [closes, highs, lows, volumes]: [number[], number[], number[], number[]] = [[], [], [], []];
  let missing = 0;
  for (let age = series.size - 1; age >= newest; age--) {
    const close = series.close(age);
    const before = closes.at(-1);
    const hole = before === undefined ? 0 : Math.round((series.openMs(age) - series.openMs(age + 1)) / HOUR_MS) - 1;
    if (hole > HOLE_HOURS_MAX) {
      [closes, highs, lows, volumes] = [[], [], [], []];
      missing = 0;
    } else if (before !== undefined) {
      for (let at = 0; at < hole; at++) {
        for (const column of [closes, highs, lows]) column.push(before);
        volumes.push(0);
        missing += 1;
      }
    }
    closes.push(close);
    highs.push(series.high(age));
    lows.push(series.low(age));
    volumes.push(series.volume(age));
  }
  for (const column of [closes, highs, lows, volumes]) Object.freeze(column);
  return { closes, highs, lows, volumes, endMs: series.openMs(newest) + HOUR_MS, missing };
}
