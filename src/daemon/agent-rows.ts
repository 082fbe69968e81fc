/**
 * The journal as the agent's loop uses it. A row that a full or locked disk refuses is reported as lost, so that no
 * opening follows it, and kept to be written, in order, before the next one. A broken disk ends the process. Spec:
 * faults D1, D2, D8.
 */
import type { JournalPort } from "../agent/contract/ports.ts";
import { filling, type Gauge } from "../core/bounded.ts";
import type { NewRow } from "../journal/committer.ts";
import { JournalError } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { RowKind, RowValue } from "../rows/row.ts";

/** With more rows waiting for the disk, the process does better to start again from the venue's own account. */
const WAITING_MAX = 2_000;

/**
 * Kinds that are reported again anyway. All others must not be lost, decisions as little as fills: orders follow them
 * once the disk works again.
 */
const REPORTED_AGAIN: ReadonlySet<RowKind> = new Set(["beat", "equity"]);

/** True for faults that pass by themselves or once space is freed; nothing is broken. */
export const isPassing = (cause: unknown): cause is JournalError =>
  cause instanceof JournalError && (cause.fault === "full" || cause.fault === "busy");

/** The rows are written, though nothing may act on them: only the mark behind them is missing. */
const stand = (cause: unknown): boolean => cause instanceof JournalError && cause.rowsStand;

/** `append` returns what a full or locked disk refused; any other disk fault is thrown. */
export interface AgentRows extends JournalPort {
  /**
   * For the desk, in one order with the agent's rows. It throws if a row that must be durable before it is acted on is
   * not. The outcome of a write is a fact: it waits for the disk like the agent's own rows.
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
