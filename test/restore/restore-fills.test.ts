/** From when on fills are of this journal, as its rows report a later run. */
import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/restore/restore.ts";
import { wholeRows } from "../support/rows.ts";

const FIRST_MS = Date.UTC(2026, 0, 5, 9);

const fillsOf = (rows: readonly { kind: string; body: unknown }[]) => {
  const journal = wholeRows(rows).map((row, at) => ({
    seq: at + 1,
    runId: "b",
    atMs: FIRST_MS + at,
    decisionId: null,
    ...row,
  }));
  const reader = {
    rows: (filter: { kinds?: readonly string[] } = {}) =>
      journal.filter(({ kind }) => filter.kinds?.includes(kind) ?? true),
    latest: () => null,
    opened: { state: "ok" },
  };
  return restore(reader as unknown as JournalReader, FIRST_MS + 60_000).fills;
};

const bootRow = { kind: "boot", body: {} };
const read = (body: object) => ({ kind: "reconcile", body: { event: "fills", found: 0, ...body } });

test("a run that ended before it had read the list was the first: what was before it stays uncounted", () => {
  expect(fillsOf([bootRow])).toEqual({ ids: [], throughMs: null, sinceMs: FIRST_MS });
});

test("the newest reading gives it; rows of before this was reported hide nothing", () => {
  expect(fillsOf([bootRow, read({ throughMs: 5, sinceMs: 3 }), read({ throughMs: 7, sinceMs: 3 })])).toEqual({
    ...{ ids: [], throughMs: 7, sinceMs: 3 },
  });
  expect(fillsOf([bootRow, read({ throughMs: 7 })])).toEqual({ ids: [], throughMs: 7 });
});
