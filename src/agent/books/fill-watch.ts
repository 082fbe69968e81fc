/** Which fills are known, and how far the venue's list of executions has been read. */
import { BoundedMap } from "../../core/bounded.ts";
import { venueNotBefore, type VenueTime } from "../../domain/venue-time.ts";

const SEEN_CAP = 5_000;

/** What an earlier run knew. */
export interface RestoredFills {
  readonly ids: readonly string[];
  /** The newest fill that the list had shown, by the venue's time; null where no run of this journal had read it. */
  readonly throughMs: number | null;
  /** Earlier fills are in the positions that the journal began with. The venue's time; ours where the list was never read. */
  readonly sinceMs?: number;
}

/** Mutable. `seen` is by transaction id, the last 5,000; the rest is our time, -Infinity for never. */
export interface FillWatch {
  readonly seen: BoundedMap<string, true>;
  /** Fills before this, the venue's time, are not counted. */
  sinceMs: number;
  /**
   * Whose time that is. Where no run had read the list, it is ours until the venue's clock has been measured; that of an earlier run
   * by a clock that may have been set since. Fault C2.
   */
  sinceBy: "venue" | "this-run" | "earlier-run";
  /** The newest fill that the list has shown, by the venue's time: our clock may be an hour ahead of it. Fault C1. */
  throughMs: number;
  /** When the last reading of the list began. */
  readMs: number;
  /** When something last was held or on its way. */
  busyMs: number;
  /** Until then nothing was pushed to us: at a start, or when the stream came back. */
  blindMs: number;
  /** True from a start or an outage of the stream until the list has been read. */
  due: boolean;
}

/** In a new journal nothing of the list from before `atMs` is counted, in any later run. It is to be read at once. */
export function createFillWatch(restored: RestoredFills | undefined, atMs: number): FillWatch {
  const seen = new BoundedMap<string, true>(SEEN_CAP);
  for (const id of restored?.ids ?? []) seen.set(id, true);
  const throughMs = restored?.throughMs ?? null;
  const earlierMs = restored?.sinceMs;
  const sinceBy = throughMs !== null ? "venue" : earlierMs === undefined ? "this-run" : "earlier-run";
  const sinceMs = earlierMs ?? (throughMs === null ? atMs : 0);
  // Busy at first: the fills of the run before may appear in the list only after a while. Fault R9.
  const read = { throughMs: throughMs ?? sinceMs, readMs: -Infinity };
  return { seen, sinceMs, sinceBy, ...read, busyMs: atMs, blindMs: atMs, due: true };
}

/**
 * The venue's clock has been measured: where the list was never read, fills count from the journal's beginning by that clock. If
 * ours may have been set since then, they count from the earlier of both times: no fill of the journal may be left out.
 */
export function dateFills(fills: FillWatch, venueTime: VenueTime): void {
  const { sinceBy, sinceMs } = fills;
  if (sinceBy === "venue") return;
  const byVenueMs = venueNotBefore(venueTime, sinceMs);
  fills.sinceBy = "venue";
  fills.sinceMs = sinceBy === "this-run" ? byVenueMs : Math.min(byVenueMs, sinceMs);
  fills.throughMs = Math.min(fills.throughMs, fills.sinceMs);
}
