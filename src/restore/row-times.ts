/** When rows were written, by the clock of the start that reads them. */
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";

/**
 * Within the last run the monotonic clock counts, since the wall clock may have been set meanwhile; no other row is later than
 * `nowMs`, since a clock that was set back dates it ahead. Our time, ms. Fault C2.
 */
export function rowTimes(reader: JournalReader, nowMs: number): (row: JournalRow) => number {
  const last = reader.rows({ limit: 1, newest: true })[0];
  const lastMs = Math.min(last?.atMs ?? nowMs, nowMs);
  return ({ runId, monoMs, atMs }) => {
    const agoMs = last && runId === last.runId ? last.monoMs - monoMs : NaN;
    return agoMs >= 0 ? lastMs - agoMs : Math.min(atMs, nowMs);
  };
}
