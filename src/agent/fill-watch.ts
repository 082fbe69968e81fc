/** Which fills are known, and how far the venue's list of executions has been read. */
import { BoundedMap } from "../core/bounded.ts";

const SEEN_CAP = 5_000;

/** What an earlier run knew. */
export interface RestoredFills {
  readonly ids: readonly string[];
  /** Until then the list had been read; null in a new journal. */
  readonly throughMs: number | null;
}

export interface FillWatch {
  readonly seen: BoundedMap<string, true>;
  /** What happened before this is none of ours. */
  readonly sinceMs: number;
  throughMs: number;
  askedMs: number;
  busyMs: number;
  /** True from a start or an outage of the stream until the list has been read. */
  due: boolean;
}

export function createFillWatch(restored: RestoredFills | undefined, atMs: number): FillWatch {
  const seen = new BoundedMap<string, true>(SEEN_CAP);
  for (const id of restored?.ids ?? []) seen.set(id, true);
  const throughMs = restored?.throughMs ?? null;
  const sinceMs = throughMs === null ? atMs : 0;
  return { seen, sinceMs, throughMs: throughMs ?? atMs, askedMs: -Infinity, busyMs: -Infinity, due: true };
}
