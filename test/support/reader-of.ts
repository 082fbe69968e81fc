/** What a world has recorded, as the next run reads it. */
import type { JournalReader } from "../../src/journal/reader.ts";
import { START_MS, type World } from "./agent-world.ts";

export function readerOf(w: World): JournalReader {
  const rows = w.effects.flatMap((effect, seq) =>
    effect.kind === "record"
      ? [{ seq, runId: "t1", atMs: START_MS, kind: effect.row, decisionId: effect.decisionId, body: effect.body }]
      : [],
  );
  return {
    opened: { state: "ok" },
    rows: (filter: { kinds?: readonly string[] } = {}) =>
      rows.filter((row) => filter.kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
}
