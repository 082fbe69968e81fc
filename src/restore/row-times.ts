/** When rows were written, by the clock of the start that reads them. */
import { DAY_MS } from "../core/time.ts";
import type { JournalReader } from "../journal/reader.ts";
import type { JournalRow, RowKind } from "../rows/row.ts";

/** The machine's clock may have been set by as much since. */
export const CLOCK_STEP_MS = DAY_MS;

/** When a row was written, our time, ms. */
export type TimeOf = (row: JournalRow) => number;

/** A run writes one when it begins, and one when it is ready. */
const BOOTS_READ = 2;

/**
 * Within the last run the monotonic clock counts, since the wall clock may have been set meanwhile. No row is later than `nowMs`,
 * since a clock that was set back dates it ahead; rows of earlier runs are then as far from the beginning of the last run as they
 * say, and never after it. Our time, ms. Fault C2.
 */
export function rowTimes(reader: JournalReader, nowMs: number): TimeOf {
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

/** Rows since then by their `timeOf`: the clock may have been set after they were written, forward as well as back. Fault C1. */
export const rowsSince = (
  reader: JournalReader,
  kinds: readonly RowKind[],
  sinceMs: number,
  timeOf: TimeOf,
): readonly JournalRow[] =>
  reader.rows({ kinds, sinceMs: sinceMs - CLOCK_STEP_MS }).filter((row) => timeOf(row) >= sinceMs);

/**
 * Rows of the last `spanMs` before the end of the journal, and how long before it each was written. How long nothing has run since
 * is unknown, because the clock may have been set meanwhile: what no list need have shown by then counts as not shown yet.
 * Faults C1, R9.
 */
export function lastRows(
  reader: JournalReader,
  kinds: readonly RowKind[],
  spanMs: number,
  timeOf: TimeOf,
): readonly { readonly row: JournalRow; readonly agoMs: number }[] {
  const last = reader.rows({ limit: 1, newest: true })[0];
  if (!last) return [];
  const endMs = timeOf(last);
  return rowsSince(reader, kinds, endMs - spanMs, timeOf).map((row) => ({ row, agoMs: endMs - timeOf(row) }));
}
