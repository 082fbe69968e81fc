/** When a write reached the venue. */
import type { History } from "./history.ts";
import type { Write } from "./journal-view.ts";
import { matchedFrames } from "./wire-match.ts";

const kept = new WeakMap<History, ReadonlyMap<number, number>>();

/** By the wire log; without it, or if the write did not arrive, the time of its row. */
export function arrivalOf(history: History, { row }: Write): number {
  const known = kept.get(history);
  const arrivals =
    known ??
    new Map(
      matchedFrames(history).flatMap(({ write, frame, again }) =>
        write && !again ? [[write.row.seq, frame.atMs]] : [],
      ),
    );
  if (!known) kept.set(history, arrivals);
  return arrivals.get(row.seq) ?? row.atMs;
}
