import { expect, test } from "vitest";
import type { JournalReader } from "../../src/journal/reader.ts";
import { restore } from "../../src/main/restore.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 9);

test("stops asked for before the clock was set back count as asked for now, and no longer than that. Fault C2", () => {
  const rows = [{ kind: "wire-out", atMs: NOW_MS + 3_600_000, body: { action: "algo.place" } }];
  const reader = {
    opened: { state: "ok" },
    rows: (filter: { kinds?: readonly string[] } = {}) =>
      rows.filter((row) => filter.kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
  expect(restore(reader, NOW_MS).protectAskedMs).toEqual([NOW_MS]);
});
