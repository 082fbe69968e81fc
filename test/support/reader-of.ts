/** What a world has recorded, as the next run reads it. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import type { World } from "./agent-world.ts";
import { whole } from "./rows.ts";

/** What the row says that the shell writes as an order, or its cancel, leaves. */
function writeOf(effect: Effect) {
  if (effect.kind === "place") return { clientOrderId: effect.intent.clientOrderId };
  if (effect.kind !== "cancel") return null;
  const { clientOrderId } = effect.known;
  return { action: "order.cancel", clientOrderId, params: { clientOrderId } };
}

export function readerOf(w: World): JournalReader {
  const rows = w.effects.flatMap((effect, seq) => {
    const row = { seq, runId: "t1", atMs: w.effectsAtMs[seq] ?? w.nowMs };
    if (effect.kind === "record") {
      const { row: kind, decisionId, body } = effect;
      return [{ ...row, kind: kind as string, decisionId, body: body as object }];
    }
    const sent = writeOf(effect);
    return sent === null
      ? []
      : [{ ...row, kind: "wire-out", decisionId: null, body: whole("wire-out", sent) as object }];
  });
  return {
    opened: { state: "ok" },
    rows: (filter: { kinds?: readonly string[] } = {}) =>
      rows.filter((row) => filter.kinds?.includes(row.kind) ?? true),
    latest: () => undefined,
  } as unknown as JournalReader;
}
