/**
 * The journal as the agent's loop needs it. A row that a full or locked disk would not take is answered as lost, so that
 * no opening follows it, and kept to be written, in its order, before the next one. A broken disk is no place to go on.
 * Spec: faults D1, D2, D8.
 */
import type { JournalPort } from "../agent/contract/ports.ts";
import { filling, type Gauge } from "../core/gauge.ts";
import type { NewRow } from "../journal/committer.ts";
import { JournalError } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { RowKind, RowValue } from "../rows/row.ts";

/** More rows than this waiting for a disk, and the process is better off starting again from the venue's own account. */
const WAITING_MAX = 2_000;

/** What happened once must not be lost, a decision no more than a fill: orders follow it when the disk is well again. */
const REPORTED_AGAIN: ReadonlySet<RowKind> = new Set(["beat", "equity"]);

/** True for what passes by itself or by making room; nothing is broken. */
export const isPassing = (cause: unknown): cause is JournalError =>
  cause instanceof JournalError && (cause.fault === "full" || cause.fault === "busy");

/** Written, though nothing may be acted on: only the mark behind them is missing. */
const stand = (cause: unknown): boolean => cause instanceof JournalError && cause.rowsStand;

/** `append` answers what was lost to a full or locked disk; any other fault of the disk is thrown. */
export interface AgentRows extends JournalPort {
  /**
   * For the desk, in one order with the agent's rows. What must be on the disk before it is acted on throws when it is not.
   * What came of a write is a fact: it waits for the disk like the agent's own.
   */
  record(row: RowValue, decisionId?: string): void;
  gauges(): readonly Gauge[];
}

/** At most 2,000 rows wait for the disk; the next one throws. */
export function agentRows(journal: Pick<Journal, "appendMany">): AgentRows {
  let waiting: readonly NewRow[] = [];
  const write = (row: NewRow): void => {
    try {
      journal.appendMany([...waiting, row]);
      waiting = [];
    } catch (cause) {
      if (stand(cause)) waiting = [];
      throw cause;
    }
  };
  const keep = (row: NewRow, cause: unknown): JournalError => {
    if (!isPassing(cause) || waiting.length >= WAITING_MAX) throw cause;
    if (!REPORTED_AGAIN.has(row.kind) && !stand(cause)) waiting = [...waiting, row];
    return cause;
  };
  return {
    gauges: () => [filling("journal.waiting", waiting.length, WAITING_MAX)],
    append: (value, decisionId) => {
      const row: NewRow = { ...value, decisionId: decisionId ?? undefined };
      try {
        write(row);
        return undefined;
      } catch (cause) {
        return { lost: keep(row, cause).message };
      }
    },
    record: (value, decisionId) => {
      const row: NewRow = { ...value, decisionId };
      try {
        write(row);
      } catch (cause) {
        if (row.kind !== "wire-in") throw cause;
        keep(row, cause);
      }
    },
  };
}
