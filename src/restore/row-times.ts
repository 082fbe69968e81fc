/** When rows were written, by the clock of the start that reads them. */
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow } from "../rows/row.ts";

/** A run writes one when it begins, and one when it is ready. */
const BOOTS_READ = 2;

/**
 * Within the last run the monotonic clock counts, since the wall clock may have been set meanwhile. No row is later than `nowMs`,
 * since a clock that was set back dates it ahead; rows of earlier runs are then as far from the beginning of the last run as they
 * say, and never after it. Our time, ms. Fault C2.
 */
export function rowTimes(reader: JournalReader, nowMs: number): (row: JournalRow) => number {
  const last = reader.rows({ limit: 1, newest: true })[0];
  if (!last) return ({ atMs }) => Math.min(atMs, nowMs);
  const lastMs = Math.min(last.atMs, nowMs);
  const ofLast = ({ monoMs, atMs }: JournalRow): number => {
    const agoMs = last.monoMs - monoMs;
    return agoMs >= 0 ? lastMs - agoMs : Math.min(atMs, nowMs);
  };
  const boots = reader.rows({ kinds: ["boot"], limit: BOOTS_READ, newest: true });
  const first = boots.find(({ runId }) => runId === last.runId) ?? last;
  const beganMs = ofLast(first);
  const aheadMs = Math.max(0, first.atMs - beganMs);
  return (row) => (row.runId === last.runId ? ofLast(row) : Math.min(row.atMs - aheadMs, beganMs));
}
