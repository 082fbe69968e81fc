/** Whether a figure of a long run grows towards its limit: a linear fit of its readings with its standard error. */

export interface Reading {
  /** Monotonic ms. */
  readonly atMs: number;
  readonly value: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Caches that fill once have filled by then. */
const WARM_MS = 10 * MINUTE_MS;
/** A shorter span shows only the current load. */
const LEAST_MS = 50 * MINUTE_MS;
/** The lowest reading of each bucket counts, because a heap only rises between two garbage collections. */
const BUCKET_MS = 5 * MINUTE_MS;
/** Twice the length of a competition; the extrapolation also stops at this multiple of the observed span. */
const AHEAD_HOURS = 14 * 24;
const AHEAD_TIMES = 48;

/** A sentence if even the smallest slope within the error reaches the limit in time. */
export function growthOf(what: string, readings: readonly Reading[], limit: number): readonly string[] {
  const first = readings[0]?.atMs ?? 0;
  const lowest = new Map<number, Reading>();
  for (const reading of readings.filter(({ atMs }) => atMs - first >= WARM_MS)) {
    const bucket = Math.floor((reading.atMs - first) / BUCKET_MS);
    const known = lowest.get(bucket);
    if (!known || reading.value < known.value) lowest.set(bucket, reading);
  }
  const points = [...lowest.values()].map(({ atMs, value }) => ({ x: (atMs - first) / HOUR_MS, y: value }));
  const last = points.at(-1);
  const seenHours = last ? last.x - (points[0]?.x ?? 0) : 0;
  if (!last || points.length < 4 || seenHours * HOUR_MS < LEAST_MS - BUCKET_MS) return [];
  const aheadHours = Math.min(AHEAD_HOURS, AHEAD_TIMES * seenHours);
  const { slope, error } = lineThrough(points);
  const sure = slope - 2 * error;
  if (last.y + sure * aheadHours <= limit) return [];
  return [
    `${what} grows by ${Math.round(slope)} (at least ${Math.round(sure)}) an hour and would pass its limit of ${limit} within ${Math.round(aheadHours)} hours`,
  ];
}

/** Least squares through at least three points that differ in x; `error` is the standard error of the slope. */
export function lineThrough(points: readonly { readonly x: number; readonly y: number }[]): {
  slope: number;
  error: number;
} {
  const n = points.length;
  const mx = points.reduce((sum, { x }) => sum + x, 0) / n;
  const my = points.reduce((sum, { y }) => sum + y, 0) / n;
  const sxx = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / sxx;
  const rest = points.reduce((sum, { x, y }) => sum + (y - my - slope * (x - mx)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (n - 2) / sxx) };
}
