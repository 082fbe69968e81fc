/** What a world has recorded, as the next run reads it. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { JournalReader } from "../../src/journal/reader.ts";
import { memoryJournal } from "./memory-journal.ts";
import type { World } from "./agent-world.ts";
import { wholeRow } from "./rows.ts";

/** What the row says that the shell writes as an order, its change or its cancel leaves. */
function writeOf(effect: Effect) {
  if (effect.kind === "place") return { clientOrderId: effect.intent.clientOrderId };
  if (effect.kind === "amend") return { action: "order.replace", params: { orderId: effect.intent.known.orderId } };
  if (effect.kind !== "cancel") return null;
  const { clientOrderId } = effect.known;
  return { action: "order.cancel", clientOrderId, params: { clientOrderId } };
}

export function readerOf(w: World): JournalReader {
  const journal = memoryJournal();
  w.effects.forEach((effect, at) => {
    const row = { runId: "t1", atMs: w.effectsAtMs[at] ?? w.nowMs };
    const sent = writeOf(effect);
    if (effect.kind === "record")
      journal.add({ ...row, kind: effect.row, decisionId: effect.decisionId, body: effect.body });
    else if (sent !== null) journal.add({ ...row, ...wholeRow("wire-out", sent), decisionId: null });
  });
  return journal.reader;
}
