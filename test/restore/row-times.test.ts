/** Rows are dated by the clock of the start that reads them. Fault C2. */
import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { rowTimes } from "../../src/restore/row-times.ts";
import type { JournalRow } from "../../src/rows/row.ts";

const NOW_MS = 1_000_000;
const row = (runId: string, monoMs: number, atMs: number) => ({ runId, monoMs, atMs }) as JournalRow;

function timesOf(...rows: readonly JournalRow[]): readonly number[] {
  // The first row of a run is the one about its beginning.
  const boots = rows.filter(({ runId }, at) => rows.findIndex((row) => row.runId === runId) === at);
  const find = ({ kinds }: { kinds?: unknown }) => (kinds ? boots.slice(-2) : rows.slice(-1));
  const reader = { rows: find } as unknown as JournalReader;
  return rows.map(rowTimes(reader, NOW_MS));
}

test("within the last run they are as far apart as the monotonic clock says, though the wall clock was set", () => {
  const setBack = [row("b", 10_000, 4_600_000), row("b", 40_000, 900_000), row("b", 50_000, 910_000)];
  expect(timesOf(...setBack)).toEqual([870_000, 900_000, 910_000]);
});

test("none is later than a start after a clock was set back, and earlier runs lie as far back as before", () => {
  expect(timesOf(row("a", 90_000, 4_600_000), row("b", 1_000, 4_610_000), row("b", 3_000, 4_612_000))).toEqual([
    NOW_MS - 12_000,
    NOW_MS - 2_000,
    NOW_MS,
  ]);
});

test("those of earlier runs have their own time, since each run has a monotonic clock of its own", () => {
  expect(timesOf(row("a", 90_000, 600_000), row("b", 1_000, 610_000))).toEqual([600_000, 610_000]);
});

test("no row of an earlier run is later than the beginning of the last one", () => {
  expect(timesOf(row("a", 90_000, 4_600_000), row("b", 1_000, 990_000), row("b", 3_000, 992_000))).toEqual([
    990_000, 990_000, 992_000,
  ]);
});
