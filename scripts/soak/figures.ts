/** Slopes and shares for soak reports. */
import { quantile as quantileOf } from "simple-statistics";
import { lineThrough } from "../../src/verify/growth.ts";

export interface Point {
  /** Hours. */
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly slope: number;
  /** Standard error of the slope; a slope within two of them cannot be distinguished from flat. */
  readonly error: number;
  readonly points: number;
}

/** Least squares; null for fewer than three instants. */
export function leastSquares(points: readonly Point[]): Line | null {
  if (new Set(points.map(({ x }) => x)).size < 3) return null;
  return { ...lineThrough(points), points: points.length };
}

/** The lowest reading of each stretch: between two garbage collections a heap only grows. */
export function lowestOf(points: readonly Point[], hours: number): readonly Point[] {
  const lowest = new Map<number, Point>();
  for (const point of points) {
    const known = lowest.get(Math.floor(point.x / hours));
    if (!known || point.y < known.y) lowest.set(Math.floor(point.x / hours), point);
  }
  return [...lowest.values()];
}

export const slopeText = (line: Line | null, unit: string): string =>
  line === null
    ? "too few readings for a slope"
    : `${line.slope.toFixed(3)} ± ${(2 * line.error).toFixed(3)} ${unit} (${line.points} readings)`;

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  return values.length === 0 ? NaN : quantileOf([...values], share);
}

export const MB = 1_048_576;
export const percent = (share: number | null): string => (share === null ? "unknown" : `${(share * 100).toFixed(3)} %`);
