/** The shape of a series without axes, beside the figure itself: for eyes alone. */

const POINTS_MAX = 240;
const [WIDTH, HEIGHT] = [240, 32];

export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const shown = thinned(values);
  if (shown.length < 2) return null;
  const low = Math.min(...shown);
  const height = Math.max(...shown) - low || 1;
  const points = shown.map((value, at) => {
    const x = (at / (shown.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 1 - ((value - low) / height) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(" ")} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** Evenly spaced points, the newest among them. */
function thinned(values: readonly number[]): readonly number[] {
  if (values.length <= POINTS_MAX) return values;
  const step = (values.length - 1) / (POINTS_MAX - 1);
  return Array.from({ length: POINTS_MAX }, (_, at) => values[Math.round(at * step)] ?? 0);
}
