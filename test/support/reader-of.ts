/** What a world has recorded, as the next run reads it: with the row that the shell writes as an order leaves. */
import type { JournalReader } from "../../src/journal/reader.ts";
import { START_MS, type World } from "./agent-world.ts";
import { whole } from "./rows.ts";

export function readerOf(w: World): JournalReader {
  const rows = w.effects.flatMap((effect, seq) => {
    const row = { seq, runId: "t1", atMs: START_MS };
    if (effect.kind === "record") {
      const { row: kind, decisionId, body } = effect;
      return [{ ...row, kind: kind as string, decisionId, body: body as object }];
    }
    if (effect.kind !== "place") return [];
    const { clientOrderId, decisionId } = effect.intent;
    return [{ ...row, kind: "wire-out", decisionId, body: whole("wire-out", { clientOrderId }) as object }];
  });
  return {
    opened: { state: "ok" },
    rows: (filter: { kinds?: readonly string[] } = {}) =>
      rows.filter((row) => filter.kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
}
