/** What a process writes down while it lives: its own rows, and those of the desk for what leaves and what closes answer. */
import type { Effect } from "../../src/agent/contract/effects.ts";
import type { DirectLoopOptions, RestartState } from "../../src/lab/fast/loop-state.ts";
import type { RowValue } from "../../src/rows/row.ts";
import { wireInRow } from "../../src/rows/wire-in.ts";
import { wireOutRow } from "../../src/rows/wire-out.ts";
import type { MemoryJournal } from "../support/memory-journal.ts";
import { wireOf } from "../support/wire-of.ts";

type Listeners = Required<Pick<DirectLoopOptions, "onRow" | "onWrite" | "onClosed">>;

export function writingTo(journal: MemoryJournal, { runId, clock }: Pick<RestartState, "runId" | "clock">): Listeners {
  const add = ({ kind, body }: RowValue, decisionId: string | null = null): void =>
    journal.add({ kind, body, decisionId, atMs: clock.nowMs(), runId });
  const previews = new Map<Effect, string>();
  return {
    onRow: ({ row, body, decisionId }, atMs) => journal.add({ kind: row, body, decisionId, atMs, runId }),
    onWrite: (effect) => {
      const wire = wireOf(effect);
      if (!wire) return;
      const previewId = `${runId}-${journal.reader.count()}`;
      if (effect.kind === "close") previews.set(effect, previewId);
      const rest = { paramsHash: "h", runtime: "test", decisionId: null, automationSessionId: null, seen: null };
      add(wireOutRow({ ...wire, previewId, ...rest }));
    },
    onClosed: (effect, sent) => {
      const previewId = previews.get(effect) ?? "";
      const reply = sent.kind === "done" ? { orderId: sent.value.orderId } : null;
      const message = sent.kind === "done" ? "done" : sent.message;
      add(
        wireInRow({
          previewId,
          action: "position.close",
          clientOrderId: null,
          outcome: sent.kind,
          message,
          reply,
          seen: null,
        }),
      );
    },
  };
}
