/** How far a counted share can be trusted: E. B. Wilson's interval (1927), which holds for few cases and for none or all of them. */

/** Normal quantiles of two-sided intervals. */
const Z = { 0.9: 1.6449, 0.95: 1.96 } as const;

export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

/** Bounds of the true share behind `hits` of `count`; everything is possible where nothing was counted. */
export function shareInterval(hits: number, count: number, level: keyof typeof Z = 0.95): ShareInterval {
  if (count <= 0) return { low: 0, high: 1 };
  const [z, share] = [Z[level], hits / count];
  const scale = 1 + (z * z) / count;
  const centre = (share + (z * z) / (2 * count)) / scale;
  const reach = (z / scale) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}
