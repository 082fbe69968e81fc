/** A reader that remembers answers every question as the journal itself does, in whatever order they are asked. */
import fc from "fast-check";
import { onTestFinished, test } from "vitest";
import { openJournal } from "../../src/journal/journal.ts";
import type { RowFilter } from "../../src/journal/query.ts";
import { rememberingReader } from "../../src/journal/remembered-rows.ts";
import type { RowKind } from "../../src/rows/row.ts";
import { rawRow } from "../support/raw-row.ts";
import { freshJournalPath, START_MS, virtualEnv } from "./support.ts";

const KINDS: readonly RowKind[] = ["intent", "fill", "wire-out"];
const ROWS = 40;

const filters = fc.record(
  {
    kinds: fc.uniqueArray(fc.constantFrom(...KINDS), { minLength: 1 }),
    decisionId: fc.constantFrom("d-0", "d-1", "d-2"),
    sinceSeq: fc.nat(ROWS),
    untilSeq: fc.nat(ROWS),
    sinceMs: fc.nat(ROWS).map((at) => START_MS + at * 1_000),
    limit: fc.nat(ROWS),
    newest: fc.boolean(),
  },
  { requiredKeys: [] },
);

test("every answer is the journal's own, whichever questions came before", { timeout: 30_000 }, () => {
  const env = virtualEnv();
  const journal = openJournal({ path: freshJournalPath(), env, runId: "b" });
  onTestFinished(() => journal.close());
  for (let n = 0; n < ROWS; n++) {
    journal.append(rawRow(KINDS[(n * 7) % 3] ?? "fill", { n }), n % 4 === 3 ? undefined : `d-${n % 4}`);
    env.clock.advanceSync(1_000);
  }
  fc.assert(
    fc.property(fc.array(filters, { minLength: 1, maxLength: 12 }), (asked) => {
      const reader = rememberingReader(journal);
      return asked.every((filter) => equal(reader.rows(filter as RowFilter), journal.rows(filter as RowFilter)));
    }),
  );
});

const equal = (found: readonly unknown[], expected: readonly unknown[]): boolean =>
  JSON.stringify(found) === JSON.stringify(expected);

test("the latest row of a kind is the same, whether its kind was read before or not", ({ expect }) => {
  const journal = openJournal({ path: freshJournalPath(), env: virtualEnv(), runId: "b" });
  onTestFinished(() => journal.close());
  for (let n = 0; n < 4; n++) journal.append(rawRow(n % 2 === 0 ? "intent" : "fill", { n }));
  const reader = rememberingReader(journal);
  expect(reader.latest("intent")).toEqual(journal.latest("intent"));
  reader.rows({ kinds: ["intent", "fill", "wire-out"] });
  expect(reader.latest("intent")).toEqual(journal.latest("intent"));
  expect(reader.latest("wire-out")).toBeUndefined();
  expect([reader.count(), reader.opened]).toEqual([journal.count(), journal.opened]);
});
