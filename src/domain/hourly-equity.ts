/**
 * The account's equity at full hours, as the organiser reads it, made of readings that come about once a minute. An hour
 * that no reading was near takes the last one before it: nothing else is known of it.
 */
import { HOUR_MS, MINUTE_MS } from "../core/time.ts";

/** Equity at one instant, in USDT. */
export interface EquityPoint {
  readonly atMs: number;
  readonly equityUsdt: number;
}

/** A reading so long after the hour still counts as the hour's. */
const NEAR_MS = 5 * MINUTE_MS;
/** Forty days, longer than both phases. */
export const HOURS_KEPT = 960;

/** The readings of full hours of a finished run. */
export function atFullHours(points: readonly EquityPoint[]): readonly EquityPoint[] {
  const hourly = createHourlyEquity(Infinity);
  for (const { atMs, equityUsdt } of points) hourly.note(atMs, equityUsdt);
  return hourly.hours();
}

/** Readings in the order of their time; an older one than the last is left out. */
export interface HourlyEquity {
  note(atMs: number, equityUsdt: number): void;
  /** Full hours, oldest first, without a gap since the first. A list that was given out never changes. */
  hours(): readonly EquityPoint[];
  /** The last reading; null before any. */
  last(): EquityPoint | null;
}

export function createHourlyEquity(kept = HOURS_KEPT): HourlyEquity {
  let hours: readonly EquityPoint[] = [];
  let last: EquityPoint | null = null;
  return {
    note: (atMs, equityUsdt) => {
      if (last && atMs <= last.atMs) return;
      const newest = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      const next = last ? Math.floor(last.atMs / HOUR_MS) * HOUR_MS + HOUR_MS : newest;
      const added: EquityPoint[] = [];
      for (let hour = Math.max(next, newest - (kept - 1) * HOUR_MS); hour <= newest; hour += HOUR_MS) {
        const near = atMs - hour <= NEAR_MS;
        if (near) added.push({ atMs: hour, equityUsdt });
        else if (last) added.push({ atMs: hour, equityUsdt: last.equityUsdt });
      }
      if (added.length > 0) hours = [...hours, ...added].slice(-kept);
      last = { atMs, equityUsdt };
    },
    hours: () => hours,
    last: () => last,
  };
}
