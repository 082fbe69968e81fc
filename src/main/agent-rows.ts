/**
 * The journal as the agent's loop needs it. A row that a full or locked disk would not take is answered as lost, so that
 * no opening follows it, and kept to be written, in its order, before the next one. A broken disk is no place to go on.
 * Spec: faults D1, D2, D8.
 */
import type { JournalPort } from "../agent/ports.ts";
import { filling, type Gauge } from "../core/gauge.ts";
import type { NewRow } from "../journal/committer.ts";
import { JournalError } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { RowKind } from "../journal/rows.ts";

/** More rows than this waiting for a disk, and the process is better off starting anew from the venue's own account. */
const WAITING_MAX = 2_000;

/** What happened once must not be lost, a decision no more than a fill: orders follow it when the disk is well again. */
const TOLD_AGAIN: ReadonlySet<RowKind> = new Set(["beat", "equity"]);

/** True for what passes by itself or by making room; nothing is broken. */
export const isPassing = (cause: unknown): cause is JournalError =>
  cause instanceof JournalError && (cause.fault === "full" || cause.fault === "busy");

export interface AgentRows extends JournalPort {
  gauges(): readonly Gauge[];
}

export function agentRows(journal: Pick<Journal, "appendMany">): AgentRows {
  let waiting: readonly NewRow[] = [];
  return {
    gauges: () => [filling("journal.waiting", waiting.length, WAITING_MAX)],
    append: (kind, body, decisionId) => {
      const row: NewRow = { kind: kind as RowKind, body, decisionId: decisionId ?? undefined };
      try {
        journal.appendMany([...waiting, row]);
        waiting = [];
        return undefined;
      } catch (cause) {
        if (!isPassing(cause)) throw cause;
        if (waiting.length >= WAITING_MAX) throw cause;
        if (!TOLD_AGAIN.has(row.kind)) waiting = [...waiting, row];
        return { lost: cause.message };
      }
    },
  };
}
