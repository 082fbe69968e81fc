/** A recorded source: delivers each point at the time it was first received, so that a backtest never sees the future. */
import type { PlayedPlan } from "../control/sources.ts";
import type { Clock } from "../core/clock.ts";
import { HOUR_MS } from "../core/time.ts";
import type { SourcePoint } from "../recorder/lines.ts";
import { readSourcePoints } from "../recorder/source-playback.ts";
import type { Source, SourceSink } from "../strategy/source.ts";

/** Most points in one delivery; the newest are kept. */
const PAST_MAX = 1_000;

/** The whole recording is read at the start; a fault in it counts as a fault of the source. */
export const playedSource = ({ name, staleAfterMs, path }: PlayedPlan, clock: Clock): Source => ({
  name,
  staleAfterMs,
  start: (signal, sink) => {
    const { points, unsound } = readSourcePoints(path, name);
    // The gate counts invalid points.
    if (unsound > 0) sink.points(Array.from({ length: unsound }, () => null).slice(0, PAST_MAX));
    play(points, { clock, signal, sink });
  },
});

function play(
  points: readonly SourcePoint[],
  { clock, signal, sink }: { readonly clock: Clock; readonly signal: AbortSignal; readonly sink: SourceSink },
): void {
  let next = 0;
  let stop = (): void => undefined;
  const reportDue = (): void => {
    const from = next;
    const nowMs = clock.nowMs();
    while ((points[next]?.seenMs ?? Infinity) <= nowMs) next += 1;
    if (next > from) sink.points(points.slice(from, next).slice(-PAST_MAX));
    const later = points[next];
    if (later) stop = clock.after(Math.min(HOUR_MS, Math.max(1, later.seenMs - nowMs)), reportDue);
  };
  signal.addEventListener("abort", () => stop(), { once: true });
  reportDue();
}
